package dependence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/digraph"
	"github.com/irc-lang/irc/ir/lists"
)

// check finds what the rules do not allow, and gives dependences their offsets.
func (a *analysis) check() {
	for _, i := range a.out.Infos {
		for k := range i.Dependences {
			if d := &i.Dependences[k]; d.Kind == Ordinary {
				class := Update
				if i.Class() == Initialize {
					class = Initialize
				}
				for k, t := range Expand(d.On) {
					o := a.offsets(i.Statement, t, class)
					if k > 0 {
						o = join(d.Offsets, o)
					}
					d.Offsets = o
				}
			}
		}
	}
	a.circles()
	a.directions()
	if !a.p.Defined {
		for _, s := range a.p.Statements {
			a.defined(s)
		}
	}
}

func (a *analysis) problem(d *diag.Diagnostic) { a.out.Problems = append(a.out.Problems, d) }

// circles reports statements that require, trigger or keep fresh each other in a
// circle. Of a requirement that any of several satisfies nothing follows.
func (a *analysis) circles() {
	for _, kind := range []Kind{Requirement, Trigger, Fresh} {
		succs := make([][]int, len(a.p.Statements))
		for _, i := range a.out.Infos {
			for _, d := range i.Dependences {
				if d.Kind != kind || len(d.On) > 1 {
					continue
				}
				for _, t := range Expand(d.On) {
					succs[i.place] = append(succs[i.place], t.place)
				}
			}
		}
		components := digraph.Components(succs)
		slices.SortFunc(components, slices.Compare)
		for _, c := range components {
			if len(c) > 1 || slices.Contains(succs[c[0]], c[0]) {
				a.problem(circle(kind, lists.Map(c, func(k int) *Statement { return a.p.Statements[k] })))
			}
		}
	}
}

func circle(kind Kind, members []*Statement) *diag.Diagnostic {
	names := lists.Map(members, func(s *Statement) string { return s.ID + " (" + s.Text + ")" })
	what := map[Kind]string{
		Requirement: "require each other: none of them can run first",
		Trigger:     "trigger each other: they would run for ever",
		Fresh:       "need each other to be up to date: none of them ever is",
	}[kind]
	if len(members) == 1 {
		what = strings.Replace(strings.Replace(what, "require each other", "requires itself", 1), "none of them can", "it cannot", 1)
	}
	d := diag.Errorf(members[0].At, "%s %s", strings.Join(names, ", "), what)
	return d.WithFix("take the annotation off one of the arguments")
}

// directions reports loops that can run neither way: the iterations of one loop need
// some that come before them and others that come after. Where subscripts or conditions
// are not known nothing is said.
func (a *analysis) directions() {
	type ends struct{ reader, writer *Statement }
	before, after := map[*Loop]ends{}, map[*Loop]ends{}
	var loops []*Loop
	for _, i := range a.out.Infos {
		for _, d := range i.Dependences {
			for _, o := range d.Offsets {
				if o.guessed {
					continue
				}
				e := ends{i.Statement, Expand(d.On)[0]}
				if o.Before {
					note(before, o.Loop, e)
				}
				if o.After {
					note(after, o.Loop, e)
				}
				if !slices.Contains(loops, o.Loop) {
					loops = append(loops, o.Loop)
				}
			}
		}
	}
	for _, l := range loops {
		up, ok := before[l]
		down, both := after[l]
		if !ok || !both {
			continue
		}
		d := diag.Warningf(l.At, "the loop over %s can run neither way: %s (%s) reads what an earlier iteration writes, %s (%s) what a later one does",
			l.Name, up.reader.ID, up.reader.Text, down.reader.ID, down.reader.Text)
		d.WithNote(up.writer.At, "%s writes what %s reads", up.writer.ID, up.reader.ID)
		d.WithNote(down.writer.At, "%s writes what %s reads", down.writer.ID, down.reader.ID)
		a.problem(d.WithFix("put the two into loops of their own, of which one counts down"))
	}
}

func note[K comparable, V any](m map[K]V, k K, v V) {
	if _, ok := m[k]; !ok {
		m[k] = v
	}
}

// defined reports reads of what no statement defines under their conditions. Of a
// read of an array, or of a part of one, some element must be defined; of one
// element, that element.
func (a *analysis) defined(s *Statement) {
	seen := map[string]bool{}
	for k := range s.Accesses {
		x := &s.Accesses[k]
		if x.Write || x.Ignore || x.Var.Parameter || seen[x.String()] {
			continue
		}
		var writers []*Access
		for _, t := range a.writers[x.Var] {
			for j := range t.Accesses {
				if w := &t.Accesses[j]; w.Write && w.Var == x.Var && !t.Declares && a.known.overlap(w, x, true) {
					writers = append(writers, w)
				}
			}
		}
		where, found := "", len(writers) == 0 && a.known.overlap(x, x, true) // it reads anything
		defines := func(w *Access) bool { return plainlyDefines(w, x) }
		if len(writers) > 0 && x.exact() && !slices.ContainsFunc(writers, defines) {
			where, found = undefined(x, writers)
		}
		if found {
			seen[x.String()] = true
			a.problem(diag.Warningf(s.At, "%s (%s) reads %s, which no statement defines%s", s.ID, s.Text, x, where).
				WithFix("give %s a value there, or read it under the condition under which it has one", x.Var.Name))
		}
	}
}

// plainlyDefines reports a write of all that is read, as can be seen without asking the
// integer sets: written alike in the same loops, or outside of loops, under no more
// conditions than the read.
func plainlyDefines(w, x *Access) bool {
	if !w.exact() || w.Except != nil {
		return false
	}
	if w.written(true) == x.written(true) {
		return true
	}
	if len(w.Domain.Loops) > 0 || len(w.Subs) > len(x.Subs) {
		return false
	}
	for k, s := range w.Subs {
		if !x.Subs[k].Known || !s.Lo.Equal(x.Subs[k].Lo) || !s.Hi.Equal(x.Subs[k].Hi) {
			return false
		}
	}
	under := lists.Map(x.Domain.Conds, func(c Cond) string { return fmt.Sprint(c) })
	return !slices.ContainsFunc(w.Domain.Conds, func(c Cond) bool { return !slices.Contains(under, fmt.Sprint(c)) })
}

// undefined finds where a read is not covered by writers.
func undefined(x *Access, writers []*Access) (where string, found bool) {
	q := newQuery()
	dims := dimsOf(append(slices.Clone(writers), x)...)
	one := len(x.Subs) == len(dims)
	for _, s := range x.Subs {
		one = one && s.Lo.Equal(s.Hi)
	}
	read := q.element(x, dims, true)
	left := []presburger.Formula{read}
	tuple := dims
	if one {
		for _, w := range writers {
			left = append(left, presburger.Not(q.element(w, dims, true)))
		}
	} else {
		tuple = nil
		left[0] = presburger.Exists(dims, read)
		for _, w := range writers {
			left = append(left, presburger.Not(presburger.Exists(dims, presburger.And(read, q.element(w, dims, true)))))
		}
	}
	s, err := q.set(presburger.NewTuple("", tuple...), left...)
	if err != nil {
		return "", false
	}
	p, ok, err := s.Sample()
	if err != nil || !ok {
		return "", false
	}
	return q.example(x, p, one), true
}

// example spells a point: the element, and the values of what it depends on.
func (q *query) example(x *Access, p presburger.Point, one bool) string {
	var parts []string
	if one && len(p.Coords) > 0 {
		idx := lists.Map(p.Coords, func(c presburger.Int) string { return c.String() })
		if e := x.Var.Name + "[" + strings.Join(idx, ",") + "]"; e != x.String() {
			parts = append(parts, "for "+e)
		}
	}
	for i, s := range q.params {
		if v, ok := p.Params[fmt.Sprintf("p%d", i)]; ok {
			n := v.String()
			if q.truth[s] {
				n = map[string]string{"0": "false", "1": "true"}[n]
			}
			parts = append(parts, "where "+s+" = "+n)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	out := ", as " + parts[0]
	for _, p := range parts[1:] {
		out += " and " + p
	}
	return strings.Replace(out, ", as where", " where", 1)
}
