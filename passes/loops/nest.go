package loops

import (
	"errors"
	"fmt"
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/passes/loops/lanes"
)

// A nest is some loops, each in the one before it, of which only the last has a body of its own: what stands
// between two of them may as well stand in the inner one.
type nest struct {
	*function
	loops []ir.Value
	sunk  []ir.Value        // reads between loops, which are done in the innermost
	outer map[ir.Value]bool // if it is not nil, all of the outermost loop's own that is made in an iteration
}

// nestAt is the deepest nest, of at most so many loops, that begins with a loop; why is what ends it.
func (f *function) nestAt(v ir.Value, most int) (n *nest, why error) {
	n = &nest{function: f, loops: []ir.Value{v}}
	for len(n.loops) < most {
		inner, reads, err := f.only(n.loops[len(n.loops)-1])
		if err != nil {
			return n, err
		}
		n.loops, n.sunk = append(n.loops, inner), append(n.sunk, reads...)
	}
	return n, nil
}

// body is the region of a loop.
func (f *function) body(v ir.Value) ir.Region { return f.g.Regions(v)[0] }

// only is the loop that is all that a loop does, and what is read beside it.
func (f *function) only(v ir.Value) (inner ir.Value, reads []ir.Value, err error) {
	body, effects := f.body(v), f.g.Effects()
	var between ir.Value
	for _, op := range f.s.Body(body) {
		switch d := f.g.Def(op); {
		case d.Has(ir.Terminator):
		case isFor(d) && inner == 0:
			inner = op
		case len(f.g.Regions(op)) > 0 || !f.onlyReads(op, effects):
			between = op
		case f.g.HasEffect(op) || len(effects(op)) > 0:
			reads = append(reads, op)
		}
	}
	switch {
	case inner == 0:
		return 0, nil, fmt.Errorf("has no loop in it, at %s", f.ctx.Where(f.g, v))
	case between != 0:
		return 0, nil, fmt.Errorf("has more in it than another loop: %s", f.at(between))
	}
	return inner, reads, f.passes(v, inner)
}

// onlyReads reports an op that does nothing but read.
func (f *function) onlyReads(v ir.Value, effects func(ir.Value) []ir.Effect) bool {
	list := effects(v)
	for _, e := range list {
		if e.Kind != ir.Read {
			return false
		}
	}
	return len(list) > 0 || !f.g.HasEffect(v)
}

// passes checks that an inner loop carries on what the outer one carries, and nothing else.
func (f *function) passes(outer, inner ir.Value) error {
	g := f.g
	x, _ := ir.As[ir.LoopLike](g.NodeOf(outer))
	y, _ := ir.As[ir.LoopLike](g.NodeOf(inner))
	no := fmt.Errorf("carries other values from iteration to iteration than %s in it", f.at(inner))
	if len(x.Carried) != len(y.Carried) {
		return no
	}
	yields := g.Yields(x.Body)
	for k, p := range x.Carried {
		n, i, _ := g.Projection(yields[k])
		if y.Inits[k] != p || g.NodeOf(p).NumUses() != 1 || n != inner || i != k {
			return no
		}
	}
	used := 0
	for _, u := range g.NodeOf(inner).Users() {
		for _, a := range g.Args(u.Old()) {
			if n, _, _ := g.Projection(a); n == inner && g.Def(u.Old()).Has(ir.Terminator) {
				used++
			} else if n == inner {
				return no
			}
		}
	}
	if used != len(yields) {
		return no
	}
	return nil
}

// settled checks that what is read between loops may be read in the innermost one: nothing writes there, in one
// iteration of the loops around it.
func (n *nest) settled(o *order) error {
	if len(n.sunk) == 0 {
		return nil
	}
	return o.each(func(c conflict) error {
		for _, x := range []ir.Value{c.from.Op, c.to.Op} {
			if !slices.Contains(n.sunk, x) {
				continue
			}
			for _, v := range c.Vectors {
				if v.Level() == v.Len() {
					return fmt.Errorf("has %s between its loops: %s", n.at(x), o.says(c, v))
				}
			}
		}
		return nil
	})
}

// carriesNothing refuses a loop that carries values.
func (n *nest) carriesNothing() error {
	if l, _ := ir.As[ir.LoopLike](n.g.NodeOf(n.loops[0])); len(l.Carried) > 0 {
		return errors.New("carries a value from each iteration to the next")
	}
	return nil
}

// free checks that the iterations may be done in another order for all that the loops carry in values: what they carry is
// combined with something by an operator whose order is free.
func (n *nest) free() error {
	last := n.loops[len(n.loops)-1]
	l, _ := ir.As[ir.LoopLike](n.g.NodeOf(last))
	for k := range l.Carried {
		if _, err := n.accumulates(last, k, false); err != nil {
			return err
		}
	}
	return nil
}

// rectangular checks that the bounds of each loop are the same in all iterations of the ones around it.
func (n *nest) rectangular() error {
	for k, v := range n.loops[1:] {
		if w := n.boundIn(v, n.loops[:k+1]); w != 0 {
			return fmt.Errorf("has %s in it, whose bounds are computed in %s", n.at(v), n.at(w))
		}
	}
	return nil
}

// boundIn is the innermost of some loops in which a bound of another is computed, or 0.
func (f *function) boundIn(v ir.Value, around []ir.Value) ir.Value {
	args := lanes.BoundsOf(f.g, v)
	for i := len(around) - 1; i >= 0; i-- {
		for _, a := range args {
			if f.isIn(a, f.body(around[i])) {
				return around[i]
			}
		}
	}
	return 0
}

// isIn reports a value that is made in a region.
func (f *function) isIn(v ir.Value, r ir.Region) bool {
	at := f.s.Place(v)
	if p, _, ok := f.g.Param(v); ok {
		at = p
	}
	for ; at != ir.Root; at = f.s.Place(f.g.Owner(at)) {
		if at == r {
			return true
		}
	}
	return false
}

// regular checks that loops count by a positive step in a type that can be computed with, and that
// their bounds do not trap.
func (n *nest) regular() error {
	for _, v := range n.loops {
		if _, err := n.stepOf(v); err != nil {
			return err
		}
	}
	return nil
}

// stepOf is the step of a loop.
func (f *function) stepOf(v ir.Value) (int64, error) {
	node := f.g.NodeOf(v)
	if node.Def() == affinedialect.For {
		r := affinedialect.Ranges(node)[0]
		if slices.ContainsFunc(slices.Concat(r.Lower, r.Upper), affinedialect.Point.MayTrap) {
			return 0, fmt.Errorf("has bounds that may divide by zero: %s", f.at(v))
		}
		return r.Step, nil
	}
	l, _ := ir.As[ir.LoopLike](node)
	step, ok := affine.Of(f.g).Step(l, 0)
	if !ok || step >= 1<<31 {
		return 0, fmt.Errorf("has a step that is no positive number: %s", f.at(v))
	}
	if t := f.g.Type(f.g.Args(v)[0]); t != ir.Index && t != ir.I64 {
		return 0, fmt.Errorf("counts in integers of %d bits: %s", f.g.Ctx.Info(t).Width, f.at(v))
	}
	return step, nil
}
