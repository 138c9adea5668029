package depend

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
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

// readAccesses reads an input of isl's for dependence analysis.
func readAccesses(text string) (a Accesses, err error) {
	y, err := readYAML(text)
	if err != nil {
		return a, err
	}
	for i, key := range y.keys {
		var to *presburger.Map
		switch key {
		case "sink":
			to = &a.Sink
		case "must_source":
			to = &a.Must
		case "may_source":
			to = &a.May
		case "kill":
			to = &a.Kill
		case "schedule_map":
			to = &a.Schedule
		case "schedule":
			if a.Schedule, err = treeMap(y.vals[i]); err != nil {
				return a, err
			}
			continue
		default:
			return a, fmt.Errorf("unknown key %s", key)
		}
		if *to, err = presburger.ParseMap(y.vals[i].text); err != nil {
			return a, err
		}
	}
	return a, nil
}

// An entry of time is a number or a function of the statements.
type entry struct {
	con int64
	of  *presburger.Map
}

// leaf is what one path of a schedule tree says.
type leaf struct {
	domain presburger.Set
	time   []entry
}

// treeMap flattens a schedule tree to a map: a band gives its entries of time, a
// sequence the number of the child.
func treeMap(root *yaml) (presburger.Map, error) {
	domain, err := presburger.ParseSet(root.get("domain").text)
	if err != nil {
		return presburger.Map{}, err
	}
	leaves, err := treeLeaves(root.get("child"), leaf{domain: domain})
	if err != nil {
		return presburger.Map{}, err
	}
	depth := 0
	for _, l := range leaves {
		depth = max(depth, len(l.time))
	}
	params := domain.Params()
	for _, l := range leaves { // all parameters there are
		for _, e := range l.time {
			if e.of != nil {
				params = e.of.AlignParams(params...).Params()
			}
		}
	}
	var out []presburger.Basic
	for _, l := range leaves {
		out = append(out, l.basics(params, depth)...)
	}
	return presburger.MapOf(out...), nil
}

// basics relates each statement of a leaf to its time.
func (l leaf) basics(params []string, depth int) (out []presburger.Basic) {
	time := presburger.NewTuple("", make([]string, depth)...)
	for _, d := range l.domain.AlignParams(params...).Basics() {
		n := d.Out.Len()
		bs := []presburger.Basic{join(params, n+depth, placed{&d, 0, 0})}
		for i := range depth {
			var next []presburger.Basic
			for _, b := range bs {
				b.In, b.Out = d.Out, time
				if i >= len(l.time) || l.time[i].of == nil {
					con := int64(0)
					if i < len(l.time) {
						con = l.time[i].con
					}
					r := make([]presburger.Int, wide(b, n+depth))
					r[0], r[1+len(params)+n+i] = presburger.NewInt(con), presburger.NewInt(-1)
					b.Eq = append(b.Eq, r)
					next = append(next, b)
					continue
				}
				for _, f := range l.time[i].of.AlignParams(params...).Basics() {
					if f.In.Equal(d.Out) {
						next = append(next, join(params, n+depth, placed{&b, 0, n}, placed{&f, 0, n + i}))
					}
				}
			}
			bs = next
		}
		for _, b := range bs {
			b.In, b.Out = d.Out, time
			out = append(out, b)
		}
	}
	return out
}

func treeLeaves(node *yaml, at leaf) ([]leaf, error) {
	if node == nil {
		return []leaf{at}, nil
	}
	if band := node.get("schedule"); band != nil {
		for _, f := range bandMembers(band.text) {
			m, err := presburger.ParseMap(f)
			if err != nil {
				return nil, err
			}
			at.time = append(at.time[:len(at.time):len(at.time)], entry{of: &m})
		}
		return treeLeaves(node.get("child"), at)
	}
	seq := node.get("sequence")
	if seq == nil {
		return nil, fmt.Errorf("a node with the keys %q", node.keys)
	}
	var out []leaf
	for i, child := range seq.list {
		f, err := presburger.ParseSet(child.get("filter").text)
		if err != nil {
			return nil, err
		}
		next := leaf{time: append(at.time[:len(at.time):len(at.time)], entry{con: int64(i)})}
		if next.domain, err = at.domain.Intersect(f); err != nil {
			return nil, err
		}
		more, err := treeLeaves(child.get("child"), next)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// bandMembers splits [params] -> [{ ... }, { ... }].
func bandMembers(text string) (out []string) {
	params := ""
	if head, rest, ok := strings.Cut(text, "-> [{"); ok {
		params, text = head+"-> ", "[{"+rest
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	for _, part := range strings.Split(text, "}, {") {
		part = strings.Trim(part, "{} ")
		out = append(out, params+"{ "+part+" }")
	}
	return out
}
