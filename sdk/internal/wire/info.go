package wire

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cleave-project/cleave/sdk"
)

// Bounds of an Info. They came from thin air; real ones are ten times smaller.
const (
	maxVersion = 64
	maxItems   = 512
	maxItem    = 128
)

var namePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// CheckInfo says what is wrong with what a splitter says about itself, or nil.
func CheckInfo(info sdk.Info) error {
	if !namePattern.MatchString(info.Name) {
		return fmt.Errorf("name %.80q does not match [a-z0-9][a-z0-9._-]{0,63}", info.Name)
	}
	if info.Version == "" || len(info.Version) > maxVersion || !printable(info.Version) {
		return fmt.Errorf("version %.80q is not 1 to %d printable characters", info.Version, maxVersion)
	}
	if info.Input != sdk.InputText && info.Input != sdk.InputBytes {
		return fmt.Errorf("input %.80q is neither %q nor %q", info.Input, sdk.InputText, sdk.InputBytes)
	}
	for _, field := range []struct {
		name  string
		items []string
	}{{"globs", info.Globs}, {"media types", info.MediaTypes}, {"languages", info.Languages}} {
		if err := checkItems(field.name, field.items); err != nil {
			return err
		}
	}
	return nil
}

func checkItems(name string, items []string) error {
	if len(items) > maxItems {
		return fmt.Errorf("%d %s, at most %d are allowed", len(items), name, maxItems)
	}
	for _, item := range items {
		if item == "" || len(item) > maxItem || !printable(item) {
			return fmt.Errorf("%.150q among its %s is not 1 to %d printable characters", item, name, maxItem)
		}
	}
	return nil
}

func printable(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

func infoReply(info sdk.Info) (*DescribeReply, error) {
	input, err := inputs.enum(info.Input)
	if err != nil {
		return nil, err
	}
	return &DescribeReply{
		Protocol:   Protocol,
		Name:       info.Name,
		Version:    info.Version,
		Globs:      info.Globs,
		MediaTypes: info.MediaTypes,
		Languages:  info.Languages,
		Input:      input,
	}, nil
}

func replyInfo(reply *DescribeReply) sdk.Info {
	return sdk.Info{
		Name:       reply.GetName(),
		Version:    reply.GetVersion(),
		Globs:      reply.GetGlobs(),
		MediaTypes: reply.GetMediaTypes(),
		Languages:  reply.GetLanguages(),
		Input:      inputs.value(reply.GetInput()),
	}
}
