package wide

import (
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// control is a step for an op with regions, or nil.
func (c *compiler) control(v ir.Value, args []int, bodies []*code, out int) step {
	switch c.g.Def(v) {
	case scf.If:
		return func(r *Run, slots []Value) {
			k := 1
			if slots[args[0]].val.Bool() {
				k = 0
			}
			copy(slots[out:], bodies[k].run(r, slots))
		}
	case scf.For:
		return func(r *Run, slots []Value) {
			carried := at(slots, args[3:])
			for i := slots[args[0]].index(); i < slots[args[1]].index(); i += slots[args[2]].index() {
				carried = bodies[0].run(r, slots, append([]Value{Index(i)}, carried...)...)
			}
			copy(slots[out:], carried)
		}
	case scf.While:
		return func(r *Run, slots []Value) {
			carried := at(slots, args)
			for {
				next := bodies[0].run(r, slots, carried...)
				if !next[0].val.Bool() {
					copy(slots[out:], next[1:])
					return
				}
				carried = bodies[1].run(r, slots, next[1:]...)
			}
		}
	case scf.Parallel:
		return c.parallel(v, args, bodies[0], out)
	}
	return nil
}

// parallel runs a loop over an interval in order, and reduces what it gives.
func (c *compiler) parallel(v ir.Value, args []int, body *code, out int) step {
	if len(body.params) != 1 {
		return unknown(c.g, v)
	}
	var combine []*code
	if term := c.g.Term(c.g.Regions(v)[0]); term != 0 {
		for _, r := range c.g.Regions(term) {
			combine = append(combine, c.region(r))
		}
	}
	return func(r *Run, slots []Value) {
		sums := at(slots, args[3:])
		for i := slots[args[0]].index(); i < slots[args[1]].index(); i += slots[args[2]].index() {
			for k, y := range body.run(r, slots, Index(i)) {
				sums[k] = combine[k].run(r, slots, sums[k], y)[0]
			}
		}
		copy(slots[out:], sums)
	}
}

// index is an index as a number of Go.
func (v Value) index() int64 { return v.val.Int(64) }
