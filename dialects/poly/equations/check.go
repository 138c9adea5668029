package equations

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
)

// A definition is what equations with one operator define of an array.
type definition struct {
	st    *statement
	where presburger.Set // elements
}

// check proves, for all values of the parameters, that each element is defined once, or by
// reductions with one operator, that what is read is defined, and that all is inside of the arrays
// (array single assignment: Feautrier, "Array expansion", 1988).
func (b *builder) check() {
	defined := map[*array][]definition{}
	for _, st := range b.sts {
		if d, ok := b.define(st); ok {
			defined[st.target] = append(defined[st.target], d)
		}
	}
	if len(*b.list) > 0 {
		return
	}
	whole := map[*array]presburger.Set{}
	for _, a := range b.order {
		b.once(a, defined[a])
		whole[a] = b.elements(a, defined[a])
	}
	if len(*b.list) > 0 {
		return
	}
	for _, a := range b.order {
		if a.role == "output" {
			b.covered(a.at, a, whole[a], "is an output, and nothing defines %s")
		}
	}
	for _, st := range b.sts {
		for _, r := range st.reads {
			b.checkRead(st, r, whole[r.array])
		}
		for _, r := range st.gathers {
			b.covered(r.at, r.array, whole[r.array], "is read by a computed index, and nothing defines %s")
		}
	}
}

// fail reports an error of the sets behind the checks, such as a budget that is used up.
func (b *builder) fail(at span, err error) bool {
	if err != nil {
		what := err.Error()
		if errors.Is(err, presburger.ErrBudget) {
			what = "this takes more work than is allowed to check"
		}
		b.report(at, "%s", what)
	}
	return err != nil
}

// define checks the domain of an equation and finds the elements that it defines.
func (b *builder) define(st *statement) (d definition, ok bool) {
	domain, err := st.domain.IntersectParams(b.context)
	if b.fail(st.at, err) {
		return d, false
	}
	st.domain = domain
	bounded, err := domain.IsBounded()
	if b.fail(st.at, err) {
		return d, false
	}
	if !bounded {
		b.report(st.at, "%s has infinitely many instances", st.name).WithFix("bound every coordinate from both sides: { [i] : 0 <= i < N }")
		return d, false
	}
	where, err := domain.Apply(st.write)
	if b.fail(st.at, err) {
		return d, false
	}
	outside, err := where.Subtract(st.target.extent)
	if b.fail(st.at, err) {
		return d, false
	}
	if p, some, err := outside.Sample(); b.fail(st.at, err) || some {
		if some {
			b.report(st.at, "%s defines %s, which is outside of the array%s", st.name, spell(st.target.name, p), given(p)).
				WithNote(b.prog.src.Span(st.target.at.start, st.target.at.end), "%s is declared here", st.target.name)
		}
		return d, false
	}
	if st.operator == "set" && !b.injective(st, domain) {
		return d, false
	}
	return definition{st, where}, true
}

// injective checks that no two instances of an equation define one element.
func (b *builder) injective(st *statement, domain presburger.Set) bool {
	m, err := st.write.IntersectDomain(domain)
	if b.fail(st.at, err) {
		return false
	}
	if yes, err := m.IsInjective(); b.fail(st.at, err) || yes {
		return yes
	}
	same, err := pairs(m)
	if b.fail(st.at, err) {
		return false
	}
	p, some, err := same.Wrap().Sample()
	if b.fail(st.at, err) {
		return false
	}
	if !some {
		return true
	}
	n := len(p.Coords) / 2
	b.report(st.at, "%s and %s define one element of %s%s", spellCoords(st.name, p.Coords[:n]), spellCoords(st.name, p.Coords[n:]), st.target.name, given(p)).
		WithFix("an element is defined once; a reduction is written +=, *=, max=, min=, and= or or=")
	return false
}

// pairs relates different points that a map takes to one.
func pairs(m presburger.Map) (presburger.Map, error) {
	back, err := m.Inverse().Compose(m)
	if err != nil {
		return back, err
	}
	return back.Subtract(m.Domain().Identity())
}

// once checks that the equations of an array that set elements, or combine them by different
// operators, define different ones.
func (b *builder) once(a *array, list []definition) {
	for i, d := range list {
		for _, e := range list[:i] {
			if d.st.operator == e.st.operator && d.st.operator != "set" {
				continue
			}
			both, err := d.where.Intersect(e.where)
			if b.fail(d.st.at, err) {
				return
			}
			p, some, err := both.Sample()
			if b.fail(d.st.at, err) {
				return
			}
			if some {
				b.report(d.st.at, "%s is defined here and by %s%s", spell(a.name, p), e.st.name, given(p)).
					WithFix("an element is defined by one =, or by reductions with one operator").
					WithNote(b.prog.src.Span(e.st.at.start, e.st.at.end), "%s is here", e.st.name)
				return
			}
		}
	}
}

// elements are those of an array that have a value: of an input all, of a reduction
// those where nothing accumulates, too.
func (b *builder) elements(a *array, list []definition) presburger.Set {
	if a.role == "input" {
		return a.extent
	}
	var out presburger.Set
	var operators []string
	for _, d := range list {
		out = out.Union(d.where)
		if op := d.st.operator; op != "set" && !slices.Contains(operators, op) {
			operators = append(operators, op)
		}
	}
	if len(operators) == 1 {
		return a.extent
	}
	return out
}

// covered checks that all elements of an array are defined.
func (b *builder) covered(at span, a *array, have presburger.Set, format string) {
	all, err := a.extent.IntersectParams(b.context)
	if b.fail(at, err) {
		return
	}
	missing, err := all.Subtract(have)
	if b.fail(at, err) {
		return
	}
	if p, some, err := missing.Sample(); !b.fail(at, err) && some {
		b.report(at, "%s "+format+"%s", a.name, spell(a.name, p), given(p))
	}
}

// checkRead checks that what an equation reads is defined.
func (b *builder) checkRead(st *statement, r read, have presburger.Set) {
	m, err := r.access.IntersectDomain(st.domain)
	if b.fail(r.at, err) {
		return
	}
	wrong, err := m.Range().Subtract(have)
	if b.fail(r.at, err) {
		return
	}
	if empty, err := wrong.IsEmpty(); b.fail(r.at, err) || empty {
		return
	}
	if m, err = m.IntersectRange(wrong); b.fail(r.at, err) {
		return
	}
	p, some, err := m.Wrap().Sample()
	if b.fail(r.at, err) || !some {
		return
	}
	n := len(st.dims)
	e := spellCoords(r.array.name, p.Coords[n:])
	inside, err := r.array.extent.Contains(p.Coords[n:], p.Params)
	if b.fail(r.at, err) {
		return
	}
	if !inside {
		b.report(r.at, "%s reads %s, which is outside of the array%s", spellCoords(st.name, p.Coords[:n]), e, given(p)).
			WithNote(b.prog.src.Span(r.array.at.start, r.array.at.end), "%s is declared here", r.array.name)
		return
	}
	b.report(r.at, "%s reads %s, which nothing defines%s", spellCoords(st.name, p.Coords[:n]), e, given(p)).
		WithFix("define it by another equation, or read it under a condition: select(i > 0, A[i-1], 0.0)")
}

func spell(name string, p presburger.Point) string { return spellCoords(name, p.Coords) }

func spellCoords(name string, x []presburger.Int) string {
	if len(x) == 0 {
		return name
	}
	out := lists.Map(x, func(v presburger.Int) string { return v.String() })
	return name + "[" + strings.Join(out, ", ") + "]"
}

// given tells of which values of the parameters something is an example.
func given(p presburger.Point) string {
	var out []string
	for n, v := range p.Params {
		out = append(out, fmt.Sprintf("%s = %s", n, v))
	}
	if len(out) == 0 {
		return ""
	}
	slices.Sort(out)
	return " (where " + strings.Join(out, ", ") + ")"
}
