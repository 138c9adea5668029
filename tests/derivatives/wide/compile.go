package wide

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// compiler turns the schedule of a function into steps.
type compiler struct {
	g     *ir.Graph
	s     *ir.Schedule
	calls ir.Calls
	slot  map[ir.Value]int // of the first result
	f     *function
}

func compile(g *ir.Graph) *function {
	c := &compiler{g: g, s: ir.ScheduleOf(g), calls: ir.CallsOf(g), slot: map[ir.Value]int{}, f: &function{}}
	c.f.body = c.region(ir.Root)
	return c.f
}

func (c *compiler) give(v ir.Value, n int) int {
	if _, ok := c.slot[v]; !ok { // an op may stand in several places
		c.slot[v] = c.f.slots
		c.f.slots += n
	}
	return c.slot[v]
}

// of is the slot of an operand.
func (c *compiler) of(v ir.Value) int {
	n, i, _ := c.g.Projection(v)
	if x, ok := c.g.Const(n); ok && c.g.Def(n).Has(ir.ConstantLike) {
		if _, given := c.slot[n]; !given {
			k := constant{slot: c.give(n, 1), val: x}
			if c.g.Type(n) == ir.F64 {
				k.wide = numberOf(x.F64())
			}
			c.f.constants = append(c.f.constants, k)
		}
	}
	return c.slot[n] + i
}

func (c *compiler) all(vs []ir.Value) []int { return lists.Map(vs, c.of) }

func (c *compiler) region(r ir.Region) *code {
	out := &code{}
	for _, p := range c.g.Params(r) {
		out.params = append(out.params, c.give(p, 1))
	}
	for _, v := range c.s.Body(r) {
		if _, isConst := c.g.Const(v); !isConst && v != c.g.Term(r) {
			out.steps = append(out.steps, c.op(v))
		}
	}
	out.yields = c.all(c.g.Yields(r))
	return out
}

// op is a step for an op.
func (c *compiler) op(v ir.Value) step {
	args := c.all(c.g.Args(v))
	var bodies []*code
	for _, r := range c.g.Regions(v) {
		bodies = append(bodies, c.region(r))
	}
	out := c.give(v, c.g.Results(v))
	if s := c.control(v, args, bodies, out); s != nil {
		return s
	}
	if s := c.memory(v, args, out); s != nil {
		return s
	}
	if c.g.Def(v) == funcs.Call {
		name := symbols.Callee(c.g.NodeOf(v))
		return func(r *Run, slots []Value) { copy(slots[out:], r.Call(name, at(slots, args)...)) }
	}
	return c.scalar(v, args, out)
}

// at are the values of slots.
func at(slots []Value, which []int) []Value {
	out := make([]Value, len(which))
	for i, k := range which {
		out[i] = slots[k]
	}
	return out
}

// scalar is an op on numbers and integers.
func (c *compiler) scalar(v ir.Value, args []int, out int) step {
	def, call := c.g.Def(v), c.calls.Of(v)
	eval := func(slots []Value) ir.Val {
		in := make([]ir.Val, len(args))
		for i, a := range args {
			if in[i] = slots[a].val; in[i].IsPoison() {
				return in[i]
			}
		}
		x, err := def.Eval(call, in)
		if err != nil {
			panic(err)
		}
		return x
	}
	switch f := functions[def]; {
	case f != nil:
		return func(r *Run, slots []Value) {
			slots[out] = r.function(f, def, at(slots, args), func() ir.Val { return eval(slots) })
		}
	case decisions[def] != nil:
		return func(r *Run, slots []Value) { slots[out] = decisions[def](r, at(slots, args)) }
	case def == arith.Select:
		return func(_ *Run, slots []Value) {
			k := args[2]
			if slots[args[0]].val.Bool() {
				k = args[1]
			}
			slots[out] = slots[k]
		}
	case def == arith.Cmpf:
		return func(r *Run, slots []Value) {
			x := ir.F64Val([]float64{-1, 0, 1, math.NaN()}[r.order(slots[args[0]], slots[args[1]])+1])
			y, err := def.Eval(call, []ir.Val{x, ir.F64Val(0)})
			if err != nil {
				panic(err)
			}
			slots[out] = Value{val: y}
		}
	case def == ub.Poison: // of floats it is NaN here
		poison := Value{val: ir.Val{Ref: ir.Poison}}
		if c.isFloat(v) {
			poison.val = ir.F64Val(math.NaN())
		}
		return func(_ *Run, slots []Value) { slots[out] = poison }
	case def == arith.Sitofp:
		return func(r *Run, slots []Value) { slots[out] = r.Float(eval(slots).F64()) }
	case def.Eval != nil && !c.isFloat(v) && !slices.ContainsFunc(c.g.Args(v), c.isFloat):
		return func(_ *Run, slots []Value) { slots[out].val = eval(slots) }
	}
	return unknown(c.g, v)
}

func (c *compiler) isFloat(v ir.Value) bool { return c.g.Type(v) == ir.F64 }
