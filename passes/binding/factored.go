package binding

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// factored makes the sums of a loop of static sums. The loop runs as it was only where one comes
// out not finite, else no round, and without these sums for what else it carries.
func factored(m *ir.Mirror, n ir.Node, sums []*statistics) ir.Value {
	b := m.B
	args := m.All(n.Args())
	inits := args[3:]
	results := make([]ir.Value, len(inits))
	for _, x := range sums {
		v := x.plus(m, inits[x.at], x.value(m, n))
		wild := arith.CmpF(b, arith.UEQ, arith.Float(b, math.Absf, 0, v), arith.ConstF64(b, gomath.Inf(1)))
		loop := ir.Call{Def: n.Def(), Args: slices.Clone(args), Attr: n.Attrs()}
		loop.Args[1] = arith.Choose(b, wild, args[1], args[0])
		loop.Regions = []ir.Region{m.RegionWith(n.Region(0), ir.Loop, nil, func(params []ir.Value) {
			b.Enter(loop.Def, loop.Attr, loop.Args, 0, params)
			m.Op(scf.Yield, m.Body(n.Region(0), params...)...)
		})}
		results[x.at] = arith.Choose(b, wild, b.Results(b.Must(loop))[x.at], v)
	}
	if len(sums) == len(results) {
		return b.Pack(results...)
	}
	old := n.Region(0)
	call := ir.Call{Def: n.Def(), Args: m.All(n.Args()), Attr: n.Attrs()}
	call.Regions = []ir.Region{m.RegionWith(old, ir.Loop, nil, func(params []ir.Value) {
		b.Enter(call.Def, call.Attr, call.Args, 0, params)
		ys := slices.Clone(m.Body(old, params...))
		for _, x := range sums {
			ys[x.at] = params[1+x.at]
		}
		m.Op(scf.Yield, ys...)
	})}
	for k, v := range b.Results(b.Must(call)) {
		if results[k] == 0 {
			results[k] = v
		}
	}
	return b.Pack(results...)
}

// value is what the loop adds to the sum, NaN or infinite if a guard does not hold.
func (x *statistics) value(m *ir.Mirror, n ir.Node) ir.Value {
	b := m.B
	args := m.All(n.Args())
	rounds := roundsBetween(b, args[0], b.Op(arith.Maxsi, args[0], args[1]), ir.F64)
	again := x.loop.again(m, map[ir.Value]ir.Value{})
	var sum ir.Value
	add := func(neg bool, v ir.Value) {
		switch {
		case sum == 0 && neg:
			sum = arith.Float(b, arith.Negf, x.flags, v)
		case sum == 0:
			sum = v
		case neg:
			sum = arith.Float(b, arith.Subf, x.flags, sum, v)
		default:
			sum = arith.Float(b, arith.Addf, x.flags, sum, v)
		}
	}
	for _, p := range x.parts {
		var v ir.Value
		switch {
		case p.square != 0:
			v = x.squares(m, args, rounds, p.square)
		case len(p.static) == 0:
			v = rounds
		default:
			v = x.over(m, args, func(of func(ir.Value) ir.Value) ir.Value { return x.times(b, p.static, 0, of) })
		}
		add(p.neg, x.times(b, p.fixed, v, again))
	}
	for _, c := range x.guards {
		of := func(of func(ir.Value) ir.Value) ir.Value { return c.make(b, of) }
		if c.class == static {
			add(false, x.over(m, args, of))
		} else {
			add(false, of(again))
		}
	}
	return sum
}

// make is 0, or a number that is not finite.
func (c guard) make(b *ir.Builder, of func(ir.Value) ir.Value) ir.Value {
	none, other := arith.ConstF64(b, 0), arith.ConstF64(b, c.other)
	if !c.holds {
		none, other = other, none
	}
	return arith.Choose(b, of(c.cond), none, other)
}

// times is the product of factors and a number, which may be 0: none.
func (x *statistics) times(b *ir.Builder, fs []factor, by ir.Value, of func(ir.Value) ir.Value) ir.Value {
	var v ir.Value
	for _, f := range fs {
		if y := f.make(b, of); v == 0 {
			v = y
		} else {
			v = arith.Float(b, arith.Mulf, x.flags, v, y)
		}
	}
	switch {
	case v == 0:
		return by
	case by == 0:
		return v
	}
	return arith.Float(b, arith.Mulf, x.flags, v, by)
}

// over is the sum of a value over the rounds of the loop, in a loop of its own.
func (x *statistics) over(m *ir.Mirror, args []ir.Value, what func(of func(ir.Value) ir.Value) ir.Value) ir.Value {
	b := m.B
	loop := scf.BuildFor(b, args[0], args[1], args[2], []ir.Value{arith.ConstF64(b, 0)}, func(iv ir.Value, acc []ir.Value) []ir.Value {
		return []ir.Value{x.plus(m, acc[0], what(x.loop.again(m, map[ir.Value]ir.Value{x.g.Params(x.loop.body)[0]: iv})))}
	})
	return b.Result(loop, 0)
}

// squares is the sum of the squares of the differences of what is static and what is fixed, as
// statistics says. The mean is corrected by that of what is left.
func (x *statistics) squares(m *ir.Mirror, args []ir.Value, rounds, d ir.Value) ir.Value {
	b := m.B
	i := x.staticSide(d)
	s, f := x.g.Args(d)[i], x.loop.again(m, map[ir.Value]ir.Value{})(x.g.Args(d)[1-i])
	if x.g.Def(d) == arith.Addf {
		f = arith.NegF(b, f)
	}
	left := func(c ir.Value) ir.Value {
		return x.over(m, args, func(of func(ir.Value) ir.Value) ir.Value { return arith.SubF(b, of(s), c) })
	}
	c := arith.DivF(b, x.over(m, args, func(of func(ir.Value) ir.Value) ir.Value { return of(s) }), rounds)
	c = arith.AddF(b, c, arith.DivF(b, left(c), rounds))
	spread := x.over(m, args, func(of func(ir.Value) ir.Value) ir.Value {
		z := arith.SubF(b, of(s), c)
		return arith.MulF(b, z, z)
	})
	z := arith.SubF(b, c, f)
	cross := arith.MulF(b, arith.MulF(b, arith.ConstF64(b, 2), left(c)), z)
	return arith.AddF(b, arith.AddF(b, spread, cross), arith.MulF(b, arith.MulF(b, rounds, z), z))
}
