package passes

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/loops/lanes"
	"github.com/irc-lang/irc/passes/pass"
)

// LoopHints says of loops how many rounds LLVM is to take together.
type LoopHints struct{}

var loopHintsInfo = &pass.Info{
	Name: "loop-hints",
	Doc: "Marks innermost loops of which LLVM is to make vectors: those of a constant, large number of rounds with many operations on floats and nothing that hinders vectors. " +
		"lower-math makes dozens of operations of a function. LLVM's own estimate holds them for too expensive where a loop runs some dozens of times, and interleaves so that most iterations are left over; " +
		"measured, hints halve the time. Where masks cost nothing, the iterations left over are one vector too, also where there are few that fill vectors but for one lane. So are those of short loops over numbers of 32 bits. A loop over rows whose elements lie side by side, or over few rows, is left to be made vectors of row by row. How few rounds and operations that takes, and how wide vectors are, the target says.",
	Why: "After lower-math and lower{to=llvm}: it counts what is left.",
	Example: `func.func @f(%x: memref<32xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %c32 step %c1 {
    %a = memref.load %x[%i] : memref<32xf64>
    %m1 = arith.mulf %a, %a : f64
    %s1 = arith.addf %m1, %one : f64
    %m2 = arith.mulf %s1, %a : f64
    %s2 = arith.addf %m2, %one : f64
    %m3 = arith.mulf %s2, %a : f64
    %s3 = arith.addf %m3, %one : f64
    %m4 = arith.mulf %s3, %a : f64
    %s4 = arith.addf %m4, %one : f64
    %m5 = arith.mulf %s4, %a : f64
    %s5 = arith.addf %m5, %one : f64
    %m6 = arith.mulf %s5, %a : f64
    %s6 = arith.addf %m6, %one : f64
    memref.store %s6, %x[%i] : memref<32xf64>
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "hints", Doc: "loops that got one"}},
	New:        func() pass.Pass { return &LoopHints{} },
}

// Run marks the loops of every function.
func (*LoopHints) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	h := hints{target: ctx.Target(), of: map[ir.Node]hint{}}
	h.plan(g)
	if len(h.of) == 0 {
		return g, nil
	}
	ctx.Count("hints", len(h.of))
	return basic.Rebuild(g, ir.Rules{scf.For: h.mark}), nil
}

// hints are those of each loop that gets one.
type hints struct {
	target *target.Target
	of     map[ir.Node]hint
}

// A hint is how many rounds of a loop to take together, and whether those left over are a vector too.
type hint struct {
	lanes  int64
	masked bool
}

// plan looks at the loops of a graph and its children as the backend will schedule them.
func (h hints) plan(g *ir.Graph) {
	s := ir.NewSchedule(g, ir.ScheduleOptions{Copies: true, Weight: h.target.Schedule().Weight})
	for v := range s.All() {
		if g.Def(v) == scf.For && g.Attr(v, scf.LanesAttr) == 0 {
			hint := h.wanted(s, v)
			// One lane keeps LLVM from taking several rows together.
			if apart(s, v, h.target.Costs) {
				hint.lanes = 1
			}
			if hint.lanes > 0 {
				h.of[g.NodeOf(v)] = hint
			}
		}
		for _, c := range g.Children(v) {
			h.plan(c)
		}
	}
}

// mark gives a loop its hint.
func (h hints) mark(m *ir.Mirror, n ir.Node) ir.Value {
	hint, ok := h.of[n]
	if !ok {
		return 0
	}
	c := m.B.Ctx()
	attrs := c.WithDiscardable(n.Attrs(), scf.LanesAttr, c.IntAttr(hint.lanes, ir.I64))
	if hint.masked {
		attrs = c.WithDiscardable(attrs, scf.MaskedAttr, c.UnitAttr())
	}
	return m.CopyWith(n, attrs)
}

// wanted is the hint of a loop, of no lanes if that does not pay: an innermost one of many
// operations on floats, and of nothing that hinders vectors but perhaps its memory, at which
// LLVM looks.
func (h hints) wanted(s *ir.Schedule, v ir.Value) hint {
	l, costs := boundsOf(s.Graph().NodeOf(v)), h.target.Costs
	few := int64(lanes.ByLLVM(h.target).Lanes)
	// Of few rounds nearly all are to be a vector's: the last lane of one alone may have nothing to do.
	short := int64(l.trips) < int64(costs.MinRounds)
	if !l.constant || l.step != 1 || short && (!masks(h.target) || few < 4 || int64(l.trips) <= few || (int64(l.trips)+1)%few != 0) {
		return hint{}
	}
	b, ok := bodyOf(s, v)
	if !ok {
		return hint{}
	}
	if b.doubles == 0 && !short {
		return h.singles(int64(l.trips), b)
	}
	// Accesses that lie apart are shuffled into vectors, but gathered where they are masked: masks
	// pay then if they save half a vector's rounds.
	if b.doubles < costs.MinFloats || few < 2 || b.stores && b.reduces && !b.free || short && b.scattered {
		return hint{}
	}
	trips, close := int64(l.trips), !b.scattered
	if lanes := lanesFor(trips, few, true); masks(h.target) && trips%lanes != 0 && (close || 2*(trips%lanes) >= lanes) {
		return hint{lanes, true}
	}
	return hint{lanesFor(trips, few, false), false}
}

// singles is the hint of a loop over numbers of 32 bits. LLVM's own estimate does but for where masks cost nothing: a vector
// is as wide as there are then, and the rounds left over are one, of a loop of many operations, or one so short that they count.
func (h hints) singles(trips int64, b body) hint {
	lanes := int64(h.target.Lanes(4))
	switch {
	case !masks(h.target) || b.singles == 0 || b.scattered || !b.free:
		return hint{}
	case b.singles >= h.target.Costs.MinFloats, trips%lanes != 0 && trips <= mostShort*lanes:
		return hint{lanes, trips%lanes != 0}
	}
	return hint{}
}

// mostShort is how many vectors a loop has at most in which rounds that are left over count.
const mostShort = 16

// A body is what the rounds of a loop do.
type body struct {
	doubles, singles int  // operations on floats of each kind
	stores, reduces  bool // whether it stores, and carries values
	scattered        bool // some accesses lie so
	free             bool // what it carries may be combined in any order
}

// bodyOf reads the body of a loop; it is false if that has something of which LLVM makes no vectors.
func bodyOf(s *ir.Schedule, v ir.Value) (b body, ok bool) {
	g := s.Graph()
	region := g.Regions(v)[0]
	// The operands of an scf.for are two bounds, the step, and the first values of what it carries.
	b.reduces, b.free = len(g.Args(v)) > 3, true
	for _, x := range s.Body(region) {
		def := g.Def(x)
		switch {
		case g.Ctx.DialectOf(def) == arith.Dialect, def == math.Fma, def == math.Absf, def == math.Sqrt, def == math.Floor:
			switch g.Type(x) {
			case ir.F64:
				b.doubles++
			case ir.F32:
				b.singles++
			}
		case def == memref.Load:
			b.scattered = b.scattered || strideOf(s, region, g.Args(x)[1:]) == scattered
		case def == memref.Store:
			b.stores, b.scattered = true, b.scattered || strideOf(s, region, g.Args(x)[2:]) == scattered
		case def == scf.Yield:
			for _, y := range g.Args(x) {
				// The order is free if the op that makes the next value allows reassociation.
				b.free = b.free && g.IsOp(y) && arith.FastMathOf(g.Ctx, g.AttrsOf(y))&arith.Reassoc != 0
			}
		default:
			return b, false
		}
	}
	return b, true
}

// A stride is how far apart what a load or store accesses in one round of a loop is from that of the round before.
type stride uint8

const (
	still  stride = iota // the same element
	beside               // the element beside it
	scattered
)

// strideOf is the stride of an access over the rounds of the loop with a body.
func strideOf(s *ir.Schedule, body ir.Region, indices []ir.Value) stride {
	g, out := s.Graph(), still
	known, round := affine.Of(g), g.Params(body)[0]
	for i, index := range indices {
		for _, t := range known.Linear(index).Terms {
			switch {
			// Memory is row-major: only a step of 1 in the last index goes to the neighbour.
			case t.Value == round && t.Coef == 1 && i == len(indices)-1:
				out = beside
			// The distance is another one, or unknown where an op of the body computes the index.
			case t.Value == round, g.IsOp(t.Value) && s.Place(t.Value) == body:
				return scattered
			}
		}
	}
	return out
}

// mostInterleaved is how many elements that lie apart LLVM loads as vectors and shuffles.
const mostInterleaved = 8

// leastRow is from how many elements on a row of neighbours is loaded as a vector.
const leastRow = 4

// apart reports that a loop goes over rows, in each of which a loop of a constant number of rounds goes over
// neighbours. LLVM would write the inner loop out and then take several rows together, whose
// elements it has to gather; each row alone is loaded as vectors. Of few rows it makes one vector with a mask, which
// it gathers however short they are.
func apart(s *ir.Schedule, v ir.Value, costs target.Costs) bool {
	g, least := s.Graph(), uint64(mostInterleaved+1)
	if rows := boundsOf(g.NodeOf(v)); rows.constant && rows.trips < uint64(costs.MinRounds) {
		least = leastRow
	}
	return slices.ContainsFunc(s.Body(g.Regions(v)[0]), func(inner ir.Value) bool {
		if g.Def(inner) != scf.For {
			return false
		}
		row, l := g.Regions(inner)[0], boundsOf(g.NodeOf(inner))
		return l.constant && l.trips >= least && slices.ContainsFunc(s.Body(row), func(x ir.Value) bool {
			return g.Def(x) == memref.Load && strideOf(s, row, g.Args(x)[1:]) == beside && strideOf(s, g.Regions(v)[0], g.Args(x)[1:]) == scattered
		})
	})
}

// lanesFor is how many rounds of n to take together: few, or twice that where what is left
// over, one round each or one vector with a mask, does not cost more than the vectors save: the
// wide ones take half as long again as the others.
func lanesFor(n, few int64, masks bool) int64 {
	wide := 2 * few
	left, last := func(lanes int64) int64 { return n % lanes }, int64(2)
	if masks {
		left, last = func(lanes int64) int64 { return min(n%lanes, 1) }, 3
	}
	// The unit is half a narrow vector: a narrow one costs 2 and a wide one 3. Each round that remains
	// costs 2. With masks they are one vector of either kind.
	if 2*(n/few+left(few)) >= 3*(n/wide)+last*left(wide) {
		return wide
	}
	return few
}

// masks reports that each instruction on vectors takes a mask at no cost, as those on registers of 64
// bytes do (AVX-512).
func masks(t *target.Target) bool { return t.Vector >= 64 }
