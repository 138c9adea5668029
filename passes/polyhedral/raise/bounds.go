package raise

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/unwind"
)

// A size is that of a dimension of memory, which is no number in its type.
type size struct {
	memory *memory
	dim    int
	name   string
}

// sizesOf are the sizes of memory in each dimension.
func (p *program) sizesOf(m *memory) (out []presburger.Sum) {
	for d, k := range p.g.Ctx.Info(p.g.Type(m.value)).Shape {
		if k != ir.Dynamic {
			out = append(out, presburger.Number(k))
			continue
		}
		i := slices.IndexFunc(p.sizes, func(s size) bool { return s.memory == m && s.dim == d })
		if i < 0 {
			i = len(p.sizes)
			p.sizes = append(p.sizes, size{m, d, fmt.Sprintf("%s_%d", m.name, d)})
		}
		out = append(out, presburger.Variable(p.sizes[i].name))
	}
	return out
}

// accesses are those of the program, in its order.
func (n *nest) accesses() (out []*access) {
	for _, a := range n.reads {
		if a.op != 0 && !a.isGather() {
			out = append(out, a)
		}
	}
	for _, a := range n.writes {
		if a.op != 0 {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b *access) int { return cmp.Compare(a.at.time, b.at.time) })
	return out
}

// workOfBounds is what it may take to find when an access is outside of its memory, in steps.
const workOfBounds = 2_000_000

// fewConditions are made fewer still, by work that grows with the square of their number.
const fewConditions = 12

// bounds finds for which parameters and sizes an access is outside of its memory: there the
// program ends with an error, at once as well as later.
func (p *program) bounds() {
	all := p.accesses()
	// All sizes are named first, so that the sets below have the same parameters.
	for _, a := range all {
		p.sizesOf(a.memory)
	}
	for _, m := range p.arrays {
		if m.gathered {
			p.sizesOf(m)
		}
	}
	names := p.parameters()
	var facts []presburger.Formula
	for _, s := range p.sizes {
		names = append(names, s.name)
		facts = append(facts, presburger.NonNeg(presburger.Variable(s.name)))
	}
	known, err := presburger.SetWhere(names, presburger.NewTuple(""), presburger.And(append(facts, p.facts()...)...))
	if err != nil {
		p.guarded(all, names, err)
		return
	}
	var out presburger.Set
	seen := map[string]bool{}
	for _, a := range all {
		// An access under a condition on data may not happen: guarded decides on it.
		if len(a.at.guards) > 0 {
			continue
		}
		x, err := p.beyond(a, names)
		if err == nil {
			x, err = x.Intersect(known)
		}
		if err == nil {
			x, err = x.Gist(known)
		}
		if err != nil {
			p.guarded(all, names, err)
			return
		}
		// Accesses of one shape have the same set, and its text tells so without work on sets.
		if text := x.String(); !seen[text] {
			seen[text] = true
			out = out.Union(x)
		}
	}
	if len(out.Basics()) <= fewConditions {
		if out, err = out.Coalesce(); err != nil {
			p.guarded(all, names, err)
			return
		}
	}
	p.outside, p.checked = out, true
	p.guarded(all, names, nil)
}

// beyond has the parameters with which an access is outside of its memory.
func (p *program) beyond(a *access, names []string) (_ presburger.Set, err error) {
	defer unwind.To(&err)
	// An access is outside if one of its indices is below 0 or not below the size.
	var outside []presburger.Formula
	for d, k := range p.sizesOf(a.memory) {
		outside = append(outside, presburger.NonNeg(presburger.Number(-1).Minus(a.index[d])), presburger.NonNeg(a.index[d].Minus(k)))
	}
	dims := a.at.dims()
	f := formulas{vars: slices.Concat(a.at.when.vars, a.f.vars), defs: slices.Concat(a.at.when.defs, a.f.defs)}
	s := unwind.Must(presburger.SetWhere(names, presburger.NewTuple("", dims...), f.all(presburger.Or(outside...))))
	return s.WithBudget(workOfBounds).ProjectOut(0, len(dims))
}

// assumed is what is asserted of the parameters before the loops, in the same region, by conditions with at most so many
// integers besides the parameters: minima and the like, each of which doubles the cases.
func (p *program) assumed(loop ir.Value, most int) (out []presburger.Formula) {
	for _, v := range p.s.Body(p.s.Place(loop)) {
		// An assertion behind the loop says nothing of what the loop may do.
		if v == loop {
			break
		}
		if p.g.Def(v) != cf.Assert {
			continue
		}
		var f formulas
		had, named := len(p.params), maps.Clone(p.named)
		p.aside = "h" // what the loops do not have is some integer
		c, err := p.condition(&f, p.g.Args(v)[0], 0)
		// New parameters become quantified integers of the formula; the program does not get them.
		for _, v := range p.params[had:] {
			f.vars = append(f.vars, p.named[v])
		}
		p.params, p.named, p.aside = p.params[:had], named, ""
		if err == nil && len(f.vars) <= most {
			out = append(out, f.all(c))
		}
	}
	return out
}

// facts are what the program around says of the parameters.
func (p *program) facts() (out []presburger.Formula) {
	out = append(out, p.asserted...)
	for _, v := range p.params {
		i := presburger.Variable(p.named[v])
		if p.g.Type(v) == ir.I1 {
			out = append(out, presburger.NonNeg(i), presburger.NonNeg(presburger.Number(1).Minus(i)))
			continue
		}
		x, frozen := p.known.Number(v), p.g.MayBePoison(v)
		if frozen { // what is known of it holds where it is no poison; else it is frozen to any number of its type
			x = affine.Any(x.Width)
		}
		// Limits near those of 64 bits say nothing of use, and sums with them would wrap.
		if x.Width != 0 && x.Low > math.MinInt64/2 {
			out = append(out, presburger.NonNeg(i.Minus(presburger.Number(x.Low))))
		}
		if x.Width != 0 && x.High < math.MaxInt64/2 {
			out = append(out, presburger.NonNeg(presburger.Number(x.High).Minus(i)))
		}
		for _, u := range p.known.Uppers(v) {
			if name := p.named[u.Value]; name != "" && u.Value != v && small(u.Off) && !frozen && !p.g.MayBePoison(u.Value) {
				out = append(out, presburger.NonNeg(presburger.Variable(name).Plus(1, presburger.Number(u.Off)).Minus(i)))
			}
		}
	}
	return out
}
