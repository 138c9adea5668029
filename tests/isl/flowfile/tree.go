// Package flowfile reads the inputs of dependence analysis that isl's source has in
// test_inputs/flow: accesses and a schedule, as a map or a tree, in YAML.
package flowfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// An Input is what a file says.
type Input struct{ Sink, Must, May, Kill, Schedule presburger.Map }

// Read reads the text of a file.
func Read(text string) (in Input, err error) {
	y, err := readYAML(text)
	if err != nil {
		return in, err
	}
	to := map[string]*presburger.Map{"sink": &in.Sink, "must_source": &in.Must, "may_source": &in.May,
		"kill": &in.Kill, "schedule_map": &in.Schedule}
	for i, key := range y.keys {
		switch m := to[key]; {
		case m != nil:
			*m, err = presburger.ParseMap(y.vals[i].text)
		case key == "schedule":
			in.Schedule, err = treeMap(y.vals[i])
		default:
			err = fmt.Errorf("unknown key %s", key)
		}
		if err != nil {
			return in, err
		}
	}
	return in, nil
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
// sequence the number of the child. Shorter times end with zeros.
func treeMap(root *yaml) (out presburger.Map, err error) {
	domain, err := presburger.ParseSet(root.get("domain").text)
	if err != nil {
		return out, err
	}
	leaves, err := treeLeaves(root.get("child"), leaf{domain: domain})
	if err != nil {
		return out, err
	}
	depth := 0
	for _, l := range leaves {
		depth = max(depth, len(l.time))
	}
	for _, l := range leaves {
		for _, d := range l.domain.Sets() {
			m := constant(d, nil)
			for i := range depth {
				next := constant(d, []int64{0})
				if i < len(l.time) {
					if next = constant(d, []int64{l.time[i].con}); l.time[i].of != nil {
						if next, err = l.time[i].of.IntersectDomain(d); err != nil {
							return out, err
						}
					}
				}
				if m, err = sideBySide(d, m, next); err != nil {
					return out, err
				}
			}
			out = out.Union(m)
		}
	}
	return out, nil
}

// constant relates the points of a set in one space to a tuple of numbers.
func constant(d presburger.Set, values []int64) presburger.Map {
	var out []presburger.Basic
	for _, b := range d.Basics() {
		b.In, b.Out = b.Out, presburger.NewTuple("", make([]string, len(values))...)
		at := 1 + len(b.Params) + b.In.Len()
		for _, rows := range [][][]presburger.Int{b.Eq, b.Ge} {
			for i := range rows {
				rows[i] = slices.Insert(rows[i], at, make([]presburger.Int, len(values))...)
			}
		}
		for i := range b.Divs {
			b.Divs[i].Num = slices.Insert(b.Divs[i].Num, at, make([]presburger.Int, len(values))...)
		}
		for i, v := range values {
			r := make([]presburger.Int, at+len(values)+len(b.Divs))
			r[0], r[at+i] = presburger.NewInt(v), presburger.NewInt(-1)
			b.Eq = append(b.Eq, r)
		}
		out = append(out, b)
	}
	return presburger.MapOf(out...)
}

// sideBySide relates the points of a set to what both maps do, in one tuple.
func sideBySide(d presburger.Set, f, g presburger.Map) (presburger.Map, error) {
	var twice []presburger.Basic
	for _, b := range d.Identity().Basics() { // x -> x, to be x -> [x -> x]
		n, at := b.In.Len(), 1+len(b.Params)+2*b.In.Len()
		for _, rows := range [][][]presburger.Int{b.Eq, b.Ge} {
			for i := range rows {
				rows[i] = slices.Insert(rows[i], at, make([]presburger.Int, n)...)
			}
		}
		for i := range b.Divs {
			b.Divs[i].Num = slices.Insert(b.Divs[i].Num, at, make([]presburger.Int, n)...)
		}
		for i := range n {
			r := make([]presburger.Int, at+n+len(b.Divs))
			r[at-n+i], r[at+i] = presburger.NewInt(1), presburger.NewInt(-1)
			b.Eq = append(b.Eq, r)
		}
		b.Out = presburger.PairTuple(b.In, b.In)
		twice = append(twice, b)
	}
	m, err := f.Product(g).Compose(presburger.MapOf(twice...))
	if err != nil {
		return m, err
	}
	var out []presburger.Basic
	for _, b := range m.Basics() {
		b.Out = presburger.NewTuple("", make([]string, b.Out.Len())...)
		out = append(out, b)
	}
	return presburger.MapOf(out...), nil
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
