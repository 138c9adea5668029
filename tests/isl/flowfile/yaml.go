package flowfile

import (
	"fmt"
	"strings"
)

// A yaml is what isl's inputs use of YAML: a text, a mapping or a sequence.
type yaml struct {
	text string
	keys []string
	vals []*yaml
	list []*yaml
}

func (y *yaml) get(key string) *yaml {
	for i, k := range y.keys {
		if k == key {
			return y.vals[i]
		}
	}
	return nil
}

// yamlLine is a line without its indent.
type yamlLine struct {
	indent int
	text   string
}

func readYAML(text string) (*yaml, error) {
	var lines []yamlLine
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n ")
		if body := strings.TrimLeft(l, " "); body != "" {
			lines = append(lines, yamlLine{len(l) - len(body), body})
		}
	}
	y, rest, err := yamlBlock(lines)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("what is %q?", rest[0].text)
	}
	return y, err
}

// yamlBlock reads the lines of the first one's indent.
func yamlBlock(lines []yamlLine) (*yaml, []yamlLine, error) {
	y := &yaml{}
	indent := lines[0].indent
	for len(lines) > 0 && lines[0].indent == indent {
		l := lines[0].text
		if body, ok := strings.CutPrefix(l, "- "); ok {
			lines[0] = yamlLine{indent + 2, body}
			item, rest, err := yamlBlock(lines)
			if err != nil {
				return nil, nil, err
			}
			y.list, lines = append(y.list, item), rest
			continue
		}
		key, value, ok := strings.Cut(l, ":")
		if !ok {
			return nil, nil, fmt.Errorf("no key in %q", l)
		}
		lines = lines[1:]
		val := &yaml{text: strings.Trim(strings.TrimSpace(value), `"`)}
		if val.text == "" && len(lines) > 0 && (lines[0].indent > indent || strings.HasPrefix(lines[0].text, "- ")) {
			var err error
			if val, lines, err = yamlBlock(lines); err != nil {
				return nil, nil, err
			}
		}
		y.keys, y.vals = append(y.keys, key), append(y.vals, val)
	}
	return y, lines, nil
}
