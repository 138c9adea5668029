package schedule

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// An Error is a mistake in the YAML of a tree; lines and columns count from 1.
type Error struct {
	Line, Column int
	Msg          string
	Err          error // of the text of a set or map, or nil
}

func (e *Error) Error() string {
	s := e.Msg
	if e.Line > 0 {
		s = fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, s)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return "schedule: " + s
}

func (e *Error) Unwrap() error { return e.Err }

// Parse reads a tree in isl's YAML. It looks at the form alone: see Node.Check.
func Parse(text string) (_ *Node, failed error) {
	defer unwind.To(&failed)
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, &Error{Msg: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if len(doc.Content) == 0 {
		return nil, &Error{Line: 1, Column: 1, Msg: "there is no tree"}
	}
	n := readNode(doc.Content[0], 0)
	if n.kind != Domain {
		return nil, errorAt(doc.Content[0], "the root of a tree is a domain, not a %s", n.kind)
	}
	return n, nil
}

func errorAt(y *yaml.Node, format string, args ...any) *Error {
	return &Error{Line: y.Line, Column: y.Column, Msg: fmt.Sprintf(format, args...)}
}

// entries are the values of a node by their keys.
type entries struct {
	at   *yaml.Node
	keys map[string]*yaml.Node
}

// nodeKeys are the keys that a node may have besides child, by that which tells its kind.
var nodeKeys = map[string][]string{
	"domain": nil, "context": nil, "guard": nil, "filter": nil, "mark": nil, "extension": nil,
	"schedule":    {"permutable", "coincident", "options"},
	"contraction": {"expansion"}, "expansion": {"contraction"},
	"sequence": nil, "set": nil, "leaf": nil,
}

// readEntries collects the keys of a node and finds the one that tells its kind.
func readEntries(y *yaml.Node) (e entries, kind string) {
	if y.Kind != yaml.MappingNode {
		panic(unwind.Failed(errorAt(y, "a node is a mapping, such as { domain: ... }")))
	}
	e = entries{y, map[string]*yaml.Node{}}
	for i := 0; i < len(y.Content); i += 2 {
		k := y.Content[i]
		if e.keys[k.Value] != nil {
			panic(unwind.Failed(errorAt(k, "the key %s is there twice", k.Value)))
		}
		e.keys[k.Value] = y.Content[i+1]
		if _, ok := nodeKeys[k.Value]; ok && kind == "" {
			kind = k.Value
		}
	}
	if kind == "" {
		panic(unwind.Failed(errorAt(y, "a node needs one of the keys domain, context, guard, schedule, sequence, set, filter, mark, extension, expansion, leaf")))
	}
	branching := kind == "sequence" || kind == "set" || kind == "leaf"
	for i := 0; i < len(y.Content); i += 2 {
		k := y.Content[i]
		if k.Value != kind && (k.Value != "child" || branching) && !slices.Contains(nodeKeys[kind], k.Value) {
			panic(unwind.Failed(errorAt(k, "a node with the key %s has no key %s", kind, k.Value)))
		}
	}
	return e, kind
}

func readNode(y *yaml.Node, depth int) *Node {
	if depth > presburger.MaxNesting {
		panic(unwind.Failed(errorAt(y, "nodes nest deeper than %d", presburger.MaxNesting)))
	}
	e, kind := readEntries(y)
	child := leaf
	if c := e.keys["child"]; c != nil {
		child = readNode(c, depth+1)
	}
	switch kind {
	case "leaf":
		return leaf
	case "domain", "context", "guard", "filter":
		s := read(e.keys[kind], kind, presburger.ParseSet)
		k := Kind(slices.Index(kindNames[:], kind))
		return withChild(Node{kind: k, set: s}, child)
	case "mark":
		name := unwind.Must(textOf(e.keys[kind], kind))
		return NewMark(name, child)
	case "extension":
		m := read(e.keys[kind], kind, presburger.ParseMap)
		return NewExtension(m, child)
	case "expansion", "contraction":
		return readExpansion(e, child)
	case "schedule":
		return readBand(e, child)
	}
	return readBranches(e.keys[kind], kind, depth)
}

// textOf is the text of a scalar.
func textOf(y *yaml.Node, what string) (string, error) {
	if y.Kind != yaml.ScalarNode {
		return "", errorAt(y, "%s wants a text in quotes", what)
	}
	return y.Value, nil
}

// read reads a set or map.
func read[T any](y *yaml.Node, what string, parse func(string) (T, error)) (out T) {
	text, err := textOf(y, what)
	if err != nil {
		panic(unwind.Failed(err))
	}
	if out, err = parse(text); err != nil {
		e := errorAt(y, "%s", what)
		e.Err = err
		unwind.Check(e)
		return out
	}
	return out
}

func readExpansion(e entries, child *Node) *Node {
	var maps [2]presburger.Map
	for i, key := range []string{"contraction", "expansion"} {
		y := e.keys[key]
		if y == nil {
			panic(unwind.Failed(errorAt(e.at, "an expansion needs the key %s", key)))
		}
		maps[i] = read(y, key, presburger.ParseMap)
	}
	return NewExpansion(maps[0], maps[1], child)
}

func readBranches(y *yaml.Node, kind string, depth int) *Node {
	if y.Kind != yaml.SequenceNode {
		panic(unwind.Failed(errorAt(y, "a %s wants a list of filters", kind)))
	}
	var filters []*Node
	for _, c := range y.Content {
		f := readNode(c, depth+1)
		if f.kind != Filter {
			panic(unwind.Failed(errorAt(c, "a child of a %s is a filter, not a %s", kind, f.kind)))
		}
		filters = append(filters, f)
	}
	if kind == "set" {
		return NewSet(filters...)
	}
	return NewSequence(filters...)
}

func readBand(e entries, child *Node) *Node {
	y := e.keys["schedule"]
	fs := read(y, "schedule", parseFunctions)
	b := BandData{Members: make([]Member, len(fs))}
	for i, f := range fs {
		b.Members[i].Function = f
	}
	if p := e.keys["permutable"]; p != nil {
		b.Permutable = readFlag(p)
	}
	if c := e.keys["coincident"]; c != nil {
		if c.Kind != yaml.SequenceNode || len(c.Content) > len(fs) {
			panic(unwind.Failed(errorAt(c, "coincident wants a list of a 0 or 1 for each of the %d members", len(fs))))
		}
		for i, x := range c.Content {
			b.Members[i].Coincident = readFlag(x)
		}
	}
	if o := e.keys["options"]; o != nil {
		s := read(o, "options", presburger.ParseSet)
		if err := b.setOptions(s); err != nil {
			panic(unwind.Failed(errorAt(o, "options: %v", err)))
		}
	}
	return NewBand(b, child)
}

func readFlag(y *yaml.Node) bool {
	switch y.Value {
	case "1", "true":
		return true
	case "0", "false":
		return false
	}
	panic(unwind.Failed(errorAt(y, "expected 0 or 1, not %q", y.Value)))
}

// parseFunctions reads the members of a band: [N] -> [{ S[i] -> [i] }, { ... }].
func parseFunctions(text string) (out []presburger.Map, err error) {
	defer unwind.To(&err)
	params, rest := "", strings.TrimSpace(text)
	if head, tail, ok := strings.Cut(rest, "->"); ok && strings.HasPrefix(head, "[") && !strings.Contains(head, "{") {
		params, rest = head+"-> ", strings.TrimSpace(tail)
	}
	if i := strings.IndexByte(rest, '['); i > 0 && !strings.ContainsAny(rest[:i], "{}]->") {
		rest = rest[i:] // a name
	}
	if !strings.HasPrefix(rest, "[") || !strings.HasSuffix(rest, "]") {
		return nil, fmt.Errorf("a schedule is a list of maps, such as [{ S[i] -> [i] }], not %q", text)
	}
	rest = strings.TrimSpace(rest[1 : len(rest)-1])
	for rest != "" {
		i := strings.IndexByte(rest, '}')
		if i < 0 || rest[0] != '{' {
			return nil, fmt.Errorf("expected a map in braces at %q", rest)
		}
		m := unwind.Must(presburger.ParseMap(params + rest[:i+1]))
		for _, p := range m.Maps() {
			if _, t := p.Tuples(); t.Len() != 1 {
				return nil, fmt.Errorf("a member of a band has one value, not %d: %s", t.Len(), p)
			}
		}
		out = append(out, m)
		rest = strings.TrimSpace(rest[i+1:])
		if after, ok := strings.CutPrefix(rest, ","); ok {
			if rest = strings.TrimSpace(after); rest != "" {
				continue
			}
			return nil, fmt.Errorf("expected a map after the last comma of %q", text)
		}
		if rest != "" {
			return nil, fmt.Errorf("expected a comma at %q", rest)
		}
	}
	return out, nil
}
