package main

import (
	"errors"
	"fmt"

	"gopkg.in/yaml.v3"
)

var errNoMapping = errors.New("it is no mapping")

// maxDepth bounds how deep values of front matter may nest.
const maxDepth = 32

// parseYAML reads a mapping into dotted keys. Scalars stay as written: a date is no time here. An empty text is an
// empty mapping.
func parseYAML(body []byte) (map[string]string, error) {
	meta := map[string]string{}
	if len(body) == 0 {
		return meta, nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(body, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, errNoMapping
	}
	f := fields{meta: meta}
	if err := f.yaml("", doc.Content[0], 0); err != nil {
		return nil, err
	}
	return meta, nil
}

// fields collects values under dotted keys; a key that comes again, as in a list, joins its values by ", ".
type fields struct {
	meta  map[string]string
	n     int
	bytes int
}

func (f *fields) set(key, value string) error {
	f.n++
	f.bytes += len(key) + len(value)
	if f.n > maxFields || f.bytes > maxValues {
		return fmt.Errorf("it has more than %d values or %d bytes of them", maxFields, maxValues)
	}
	if old, ok := f.meta[key]; ok {
		value = old + ", " + value
	}
	f.meta[key] = value
	return nil
}

func join(prefix, key string) string {
	if prefix == "" {
		return key
	}
	return prefix + "." + key
}

func (f *fields) yaml(prefix string, n *yaml.Node, depth int) error {
	if f.n++; depth > maxDepth || f.n > maxFields {
		return errors.New("it nests too deep or has too many values")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return f.yaml(prefix, n.Alias, depth+1)
	case yaml.SequenceNode:
		for _, c := range n.Content {
			if err := f.yaml(prefix, c, depth+1); err != nil {
				return err
			}
		}
	case yaml.MappingNode:
		return f.yamlMapping(prefix, n, depth)
	case yaml.ScalarNode:
		if n.Tag != "!!null" {
			return f.set(prefix, n.Value)
		}
	}
	return nil
}

// yamlMapping reads a mapping; a key given twice counts with its last value, as static site generators read it.
func (f *fields) yamlMapping(prefix string, n *yaml.Node, depth int) error {
	last := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		last[n.Content[i].Value] = i
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if last[k.Value] != i {
			continue
		}
		key := join(prefix, collapse(k.Value))
		if k.Tag == "!!merge" {
			key = prefix
		}
		if err := f.yaml(key, n.Content[i+1], depth+1); err != nil {
			return err
		}
	}
	return nil
}
