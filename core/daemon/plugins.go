package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"

	"github.com/cleave-project/cleave/core/config"
	"github.com/cleave-project/cleave/core/dispatch"
)

// pluginsOf lists the configured plugins and those that lie in plugin_dir, in this order: a stanza comes before what
// describes itself, and replaces it where both name the same program.
func pluginsOf(c *config.Config) ([]dispatch.Plugin, error) {
	var list []dispatch.Plugin
	named := map[string]bool{}
	for _, p := range c.Plugins {
		program := filepath.Join(c.PluginDir, p.Command[0])
		named[program] = true
		list = append(list, dispatch.Plugin{
			Name: p.Name, Command: append([]string{program}, p.Command[1:]...), Match: p.Match, Timeout: p.Timeout,
			Processes: p.Processes, SHA256: p.SHA256,
		})
	}
	found, err := dispatch.Discover(c.PluginDir)
	if err != nil {
		return nil, fmt.Errorf("%w: plugin_dir: %w (set plugin_dir or --plugin-dir)", ErrConfig, err)
	}
	for _, p := range found {
		if !named[p.Command[0]] {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: plugin_dir %s holds no cleave-plugin-NAME (set plugin_dir or --plugin-dir)", ErrConfig, c.PluginDir)
	}
	return list, nil
}

// openPlugins starts a dispatcher over a list of plugins.
func openPlugins(ctx context.Context, c *config.Config, list []dispatch.Plugin, log *slog.Logger) (*dispatch.Dispatcher, error) {
	plugins, err := dispatch.Open(ctx, dispatch.Options{
		Plugins: list, Workers: runtime.GOMAXPROCS(0), SocketDir: filepath.Join(c.StateDir, "plugins"), Log: log,
		MaxBytes: int64(c.Files.MaxSize),
	})
	if err != nil {
		return nil, err
	}
	for _, p := range plugins.Status() {
		if p.Error != "" {
			log.Warn("plugin does not run; mend it or remove it from plugin_dir", "plugin", p.Name, "error", p.Error)
		}
	}
	return plugins, nil
}
