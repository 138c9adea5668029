package raise

import (
	"fmt"
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/ir/unwind"
)

// loop reads a loop: what its indices run over, its body, and what it carries.
func (n *nest) loop(v ir.Value, l ir.LoopLike, at moment) {
	g := n.g
	node := g.NodeOf(v)
	def := node.Def()
	isAffine := def == affinedialect.For || def == affinedialect.Parallel
	n.isLoop(v, l, at, isAffine)
	// The body has formulas of its own: what bounds its indices does not hold behind the loop.
	in := at
	in.when = at.when.clone()
	indices := l.Indices
	if isAffine {
		indices = nil
		for _, r := range affinedialect.Ranges(node) {
			indices = append(indices, r.Index)
		}
	}
	cells := n.inits(v, l, at)
	var rounds []*iteration
	// All that the body does has a time between begin and end.
	begin := n.tick()
	for _, iv := range indices {
		if g.Type(iv) != ir.Index {
			panic(unwind.Failed(hinder(v, "%s counts in %s, not in index", def.Name, text.TypeString(g.Ctx, g.Type(iv)))))
		}
		rounds = append(rounds, &iteration{index: iv, name: fmt.Sprintf("i%d", len(at.rounds)+len(rounds)), begin: begin})
	}
	unwind.Check(n.ranges(v, l, rounds, &in))
	in.rounds = append(slices.Clip(at.rounds), rounds...)
	for _, p := range l.Carried {
		n.inside[p] = true
	}
	for k, p := range l.Carried {
		n.carried[value{p, 0}] = carrier{v, k, cells[k]}
		n.get(cells[k], value{p, 0}, in)
	}
	n.body(l.Body, in)
	for k, y := range g.Yields(l.Body) {
		// A value that lives in the cell already needs no write.
		if k < len(cells) && n.of[n.key(y)] != cells[k] {
			n.put(cells[k], y, in)
		}
	}
	for _, r := range rounds {
		r.end = n.tick()
	}
	n.results(v, at)
}

// isLoop says what of a loop is none that can be read.
func (n *nest) isLoop(v ir.Value, l ir.LoopLike, at moment, isAffine bool) {
	g, name := n.g, n.g.Def(v).Name
	if len(l.Indices) == 0 && !isAffine || l.Parallel && g.Results(v) > 0 || l.Reverse || l.Parallel && len(l.Carried) > 0 {
		panic(unwind.Failed(hinder(v, "%s is no loop over indices", name)))
	}
	if g.Results(v) != len(l.Inits) {
		panic(unwind.Failed(hinder(v, "%s gives what it does not carry from round to round", name)))
	}
	if len(at.guards) > 0 {
		panic(unwind.Failed(hinder(v, "%s stands under a condition on data", name)))
	}
}

// inits puts what a loop carries first into the cells of what it carries.
func (n *nest) inits(v ir.Value, l ir.LoopLike, at moment) (cells []*memory) {
	for k, x := range l.Inits {
		if c := n.goesOn(v, k, x); c != nil {
			cells = append(cells, c)
			n.of[value{v, k}] = c
			continue
		}
		c := n.result(v, k)
		cells = append(cells, c)
		n.put(c, x, at)
	}
	return cells
}

// ranges says what the indices of a loop run over.
func (n *nest) ranges(v ir.Value, l ir.LoopLike, rounds []*iteration, in *moment) error {
	node := n.g.NodeOf(v)
	if d := node.Def(); d == affinedialect.For || d == affinedialect.Parallel {
		for k, r := range affinedialect.Ranges(node) {
			lower, err := n.points(&in.when, r.Lower)
			if err != nil {
				return placed(err, v)
			}
			upper, err := n.points(&in.when, r.Upper)
			if err != nil {
				return placed(err, v)
			}
			n.dims[rounds[k].index] = rounds[k].name
			n.between(&in.when, rounds[k].name, lower, upper, r.Step)
		}
		return nil
	}
	for k, r := range rounds {
		lower, err := n.bound(&in.when, l.Lower[k], affine.MaxSigned)
		if err != nil {
			return placed(err, v)
		}
		upper, err := n.bound(&in.when, l.Upper[k], affine.MinSigned)
		if err != nil {
			return placed(err, v)
		}
		step, ok := n.known.Step(l, k)
		if !ok || !small(step) {
			return hinder(v, "the step of a loop is no positive number")
		}
		// All upper bounds are made exclusive, each operand of a minimum by itself.
		if l.Inclusive {
			for i := range upper {
				upper[i].Const++
			}
		}
		n.dims[r.index] = r.name
		n.between(&in.when, r.name, lower, upper, step)
	}
	return nil
}

// points are several affine expressions as sums.
func (n *nest) points(f *formulas, ps []affinedialect.Point) (out []presburger.Sum, err error) {
	defer unwind.To(&err)
	for _, p := range ps {
		s := unwind.Must(n.point(f, p, 0))
		out = append(out, s)
	}
	return out, nil
}

// bound is a bound of a loop, of the operands of a maximum or a minimum one for each.
func (n *nest) bound(f *formulas, b ir.Bound, by affine.Op) (_ []presburger.Sum, err error) {
	defer unwind.To(&err)
	if b.Value == 0 {
		return []presburger.Sum{presburger.Number(b.Const)}, nil
	}
	// i < min(a, b) is i < a and i < b, which needs no new integer. A named bound stays a parameter.
	if op, form := n.form(b.Value); op == by && form.Map == nil && n.named[b.Value] == "" {
		var out []presburger.Sum
		for _, a := range n.g.Args(b.Value) {
			s := unwind.Must(n.bound(f, ir.Bound{Value: a}, by))
			out = append(out, s...)
		}
		return out, nil
	}
	s := n.sum(f, b.Value, 0)
	return []presburger.Sum{s}, nil
}

// between says that an index runs from the greatest of its lower bounds by a step, below each
// of its upper bounds.
func (n *nest) between(f *formulas, name string, lower, upper []presburger.Sum, step int64) {
	i := presburger.Variable(name)
	for _, u := range upper {
		f.say(presburger.NonNeg(u.Minus(i).Minus(presburger.Number(1))))
	}
	// With a step, an index is the greatest lower bound plus step * k for some k >= 0.
	if step != 1 {
		first := n.extreme(f, lower, false)
		k := n.fresh(f)
		f.say(presburger.Zero(i.Minus(first).Plus(-step, k)))
		f.say(presburger.NonNeg(k))
		return
	}
	for _, l := range lower {
		f.say(presburger.NonNeg(i.Minus(l)))
	}
}
