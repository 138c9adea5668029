package passes

import (
	"errors"
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/target/tuning"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
)

// Unroll puts several iterations of a loop in a row.
type Unroll struct {
	Factor int  `opt:"factor" doc:"iterations in a row; 0 asks the target"`
	Full   bool `opt:"full" doc:"unroll loops whose trip count is constant completely"`
	Limit  int  `opt:"limit" doc:"most iterations that full unrolls; 0 asks the target"`
	Inner  bool `opt:"inner" doc:"unroll completely what stands within a loop of many iterations, is an innermost loop of few itself and carries values, so that the loop around it can become vectors"`
	Short  bool `opt:"short" doc:"unroll completely what stands in no loop, and is an innermost loop of very few iterations itself, so that these share what they compute with the code around"`
}

var unrollInfo = &pass.Info{
	Name: "unroll",
	Doc: "Puts the bodies of several iterations of an scf.for in a row. Bounds may be unknown: what is left over runs in a second loop. " +
		"The step must be a positive constant. With full, loops of a constant number of iterations disappear. " +
		"With inner, those do that add up or carry on something in few iterations and stand directly in a loop of many, both counts constant: the target says how few and how many. " +
		"The loop around such a one is then itself innermost, and its vectors have a full count of lanes. Those of the short one would be mostly empty, and have to be added up each time. " +
		"With short, those do that have straight-line code in them, run once in a call, and have at most four rounds: their elements are then known ones, of which the code around may know more, and an elementary function of one is computed once. " +
		"A function that has become very large (by loops within loops) keeps the loops that are left.",
	Why: "Late: it copies code, and what can leave the loop should have left before.",
	Example: `func.func @f(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (f64) {
    %y = arith.mulf %acc, %x : f64
    scf.yield %y : f64
  }
  return %r : f64
}
`,
	Pipeline: "unroll{factor=2}",
	Statistics: []pass.Statistic{
		{Name: "unrolled", Doc: "loops unrolled by the factor"},
		{Name: "fully", Doc: "loops that disappeared"},
	},
	New: func() pass.Pass { return &Unroll{} },
}

// maxFactor bounds the code of a loop that is unrolled.
const maxFactor = tuning.MostUnroll

// Check refuses factors that unroll nothing.
func (p *Unroll) Check() error {
	if p.Factor < 0 || p.Factor > maxFactor {
		return fmt.Errorf("factor=%d is not between 0 and %d", p.Factor, maxFactor)
	}
	if p.Limit < 0 || p.Limit > tuning.MostCode {
		return fmt.Errorf("limit=%d is not between 0 and %d", p.Limit, tuning.MostCode)
	}
	if p.Inner && (p.Full || p.Factor != 0) {
		return errors.New("inner says itself which loops disappear: leave out full and factor")
	}
	if p.Short && (p.Full || p.Inner || p.Factor != 0) {
		return errors.New("short says itself which loops disappear: leave out full, inner and factor")
	}
	return nil
}

// Run rewrites every loop that can be unrolled.
func (p *Unroll) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	q := *p // with what the target says
	if p = &q; p.Factor == 0 {
		p.Factor = min(ctx.Target().Costs.Unroll, maxFactor)
	}
	if p.Limit == 0 {
		p.Limit = ctx.Target().Costs.MaxFull
	}
	if p.Inner {
		return p.unrollSome(ctx, g, isShortInLong), nil
	}
	if p.Short {
		return p.unrollSome(ctx, g, isShort), nil
	}
	for n := range g.All() {
		if n.Def() != scf.For {
			continue
		}
		switch l := boundsOf(n); {
		case p.fully(l):
			ctx.Count("fully", 1)
		case p.partly(l):
			ctx.Count("unrolled", 1)
		}
	}
	return basic.Rebuild(g, ir.Rules{scf.For: p.rewrite}), nil
}

// loop is what is known of an scf.for.
type loop struct {
	step     int64
	positive bool // the step is known, and positive
	trips    uint64
	constant bool // trips is known
	index    ir.Type
}

// boundsOf reads the step and the trip count of an scf.for, as far as they are known.
func boundsOf(n ir.Node) (l loop) {
	l.index = n.Arg(0).Type()
	known := affine.Of(n.Graph())
	if box, ok := ir.As[ir.LoopLike](n); ok {
		l.step, l.positive = known.Step(box, 0)
		l.trips, l.constant = known.Trips(box, 0)
	}
	return l
}

// fully reports a loop that becomes straight-line code: it runs a known number of times, within the limit.
func (p *Unroll) fully(l loop) bool {
	return p.Full && l.constant && l.trips <= uint64(p.Limit)
}

// partly: the step of the new loop must fit the type.
func (p *Unroll) partly(l loop) bool {
	return !p.Full && p.Factor > 1 && l.positive && l.step <= math.MaxInt32/int64(p.Factor) &&
		(l.index == ir.Index || l.index == ir.I64 || l.index == ir.I32) && (!l.constant || l.trips > 1)
}

// maxCopied is how many nodes a pass may make by copying, or four times those
// that were there if that is more: loops in loops, and calls of calls, multiply. It bounds
// the compiler's memory and says nothing of the machine.
const maxCopied = 1 << 16

// rewrite is the rule of scf.for. A loop in a loop is copied with it, so the size of the new graph bounds the
// copies.
func (p *Unroll) rewrite(m *ir.Mirror, n ir.Node) ir.Value {
	l := boundsOf(n)
	switch {
	case m.B.Graph().Len() > max(maxCopied, 4*n.Graph().Len()):
		return 0
	case p.fully(l):
		return straightLine(m, n, l)
	case p.partly(l):
		return p.split(m, n, l)
	}
	return 0
}

// straightLine makes the iterations of a loop in a row.
func straightLine(m *ir.Mirror, n ir.Node, l loop) ir.Value {
	vals := m.All(n.Args()[3:])
	lower := m.Of(n.Arg(0))
	for i := range l.trips {
		iv := arith.AddI(m.B, lower, m.B.Const(l.index, ir.IntVal(int64(i)*l.step, widthOf(m, l.index))))
		vals = m.Body(n.Region(0), append([]ir.Value{iv}, vals...)...)
	}
	return m.B.Pack(vals...)
}

// split makes a loop of Factor iterations a round from lower to middle, and one
// for the rest from middle to upper.
func (p *Unroll) split(m *ir.Mirror, n ir.Node, l loop) ir.Value {
	lower, upper, step := m.Of(n.Arg(0)), m.Of(n.Arg(1)), m.Of(n.Arg(2))
	mid := p.middle(m, lower, upper, l)
	wide := m.B.Const(l.index, ir.IntVal(l.step*int64(p.Factor), widthOf(m, l.index)))
	vals := m.All(n.Args()[3:])
	vals = forLoop(m, n, lower, mid, wide, vals, func(iv ir.Value, carried []ir.Value) []ir.Value {
		for i := range p.Factor {
			at := iv
			if i > 0 {
				at = arith.AddI(m.B, iv, m.B.Const(l.index, ir.IntVal(l.step*int64(i), widthOf(m, l.index))))
			}
			carried = m.Body(n.Region(0), append([]ir.Value{at}, carried...)...)
		}
		return carried
	})
	// Nothing remains of a trip count that is a multiple of the factor.
	if l.constant && l.trips%uint64(p.Factor) == 0 {
		return m.B.Pack(vals...)
	}
	vals = forLoop(m, n, mid, upper, step, vals, func(iv ir.Value, carried []ir.Value) []ir.Value {
		return m.Body(n.Region(0), append([]ir.Value{iv}, carried...)...)
	})
	return m.B.Pack(vals...)
}

// widthOf is how many bits an index of the loop has.
func widthOf(m *ir.Mirror, t ir.Type) int { return m.B.Ctx().Info(t).Width }

// middle is where the rounds of Factor iterations end: at upper, if nothing is left
// over, for the iteration after the last may not be a number any more. Nothing in it
// traps: the difference is taken without a sign, and only if lower < upper.
func (p *Unroll) middle(m *ir.Mirror, lower, upper ir.Value, l loop) ir.Value {
	w := widthOf(m, l.index)
	num := func(x int64) ir.Value { return m.B.Const(l.index, ir.IntVal(x, w)) }
	if l.constant {
		rounds := l.trips / uint64(p.Factor) * uint64(p.Factor)
		if rounds == l.trips {
			return upper
		}
		return arith.AddI(m.B, lower, num(int64(rounds)*l.step))
	}
	runs := arith.CmpI(m.B, arith.SLT, lower, upper)
	diff := arith.Choose(m.B, runs, arith.SubI(m.B, upper, lower), num(1))
	// diff is at least 1. So diff - 1 does not wrap, and (diff - 1) / step + 1 rounds the quotient up.
	trips := arith.AddI(m.B, m.Op(arith.Divui, arith.SubI(m.B, diff, num(1)), num(l.step)), num(1))
	rounds := arith.MulI(m.B, m.Op(arith.Divui, trips, num(int64(p.Factor))), num(int64(p.Factor)))
	end := arith.Choose(m.B, arith.CmpI(m.B, arith.EQ, rounds, trips), upper, arith.AddI(m.B, lower, arith.MulI(m.B, rounds, num(l.step))))
	return arith.Choose(m.B, runs, end, lower)
}

// forLoop makes a loop like the old one with other bounds and another body.
func forLoop(m *ir.Mirror, n ir.Node, lower, upper, step ir.Value, inits []ir.Value, body func(iv ir.Value, carried []ir.Value) []ir.Value) []ir.Value {
	r := m.RegionWith(n.Region(0), ir.Loop, nil, func(params []ir.Value) {
		m.B.Op(scf.Yield, body(params[0], params[1:])...)
	})
	v := m.B.Must(ir.Call{Def: scf.For, Args: append([]ir.Value{lower, upper, step}, inits...), Attr: n.Attrs(), Regions: []ir.Region{r}, Type: n.Type()})
	return m.B.Results(v)
}
