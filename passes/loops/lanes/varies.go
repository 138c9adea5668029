package lanes

import (
	"fmt"
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

// A Loop is a loop whose iterations are to be done in lanes.
type Loop struct {
	G    *ir.Graph
	S    *ir.Schedule
	V    ir.Value
	Step int64 // of its index

	Carries []Carried // what it carries

	varies map[slot]bool
	grown  bool // varies has become larger
	masked bool // what is read runs in some lanes alone
	whole  bool // an op may trap that knows no mask
	err    error
}

// A slot is a result of an op, or a parameter.
type slot struct {
	v ir.Value
	i int
}

// slot finds the op, and which of its results a value is.
func (l *Loop) slot(v ir.Value) slot {
	n, i, _ := l.G.Projection(v)
	return slot{n, i}
}

// An Error says which op keeps a loop from being done in lanes, and why.
type Error struct {
	At  ir.Value
	Why string
}

// Error says why alone: who asks names the op.
func (e *Error) Error() string { return e.Why }

// Read looks at a loop. The error is an *Error.
func Read(s *ir.Schedule, v ir.Value, step int64, carries []Carried) (*Loop, error) {
	l := &Loop{G: s.Graph(), S: s, V: v, Step: step, Carries: carries, varies: map[slot]bool{}}
	body := l.G.Regions(v)[0]
	for k, p := range l.G.Params(body) {
		if k == 0 || !carries[k-1].isScalar() {
			l.varies[slot{p, 0}] = true
		}
	}
	// Marks only grow, up to a fixed point: what is carried may differ because of what comes after it.
	for l.grown = true; l.grown && l.err == nil; {
		l.grown = false
		l.region(body)
	}
	if l.err != nil {
		return nil, l.err
	}
	return l, nil
}

// CanMask says whether some lanes alone can do what the loop does.
func (l *Loop) CanMask() bool {
	can := !l.whole
	l.each(l.G.Regions(l.V)[0], 1, func(v ir.Value, _ float64) {
		if d := l.G.Def(v); (isLoad(d) && l.bytes(v) > 0 || isStore(d)) && l.pattern(v) == anywhere {
			can = false
		}
	})
	return can
}

// refuse keeps the first reason: others may follow from it.
func (l *Loop) refuse(v ir.Value, format string, args ...any) {
	if l.err == nil {
		l.err = &Error{v, fmt.Sprintf(format, args...)}
	}
}

// mark says that result i of an op differs between lanes.
func (l *Loop) mark(v ir.Value, i int) {
	if x := (slot{v, i}); !l.varies[x] {
		l.varies[x], l.grown = true, true
	}
}

// differs reports that one of some values differs between lanes, as far as marks say by now.
func (l *Loop) differs(vs ...ir.Value) bool {
	return slices.ContainsFunc(vs, func(v ir.Value) bool { return l.varies[l.slot(v)] })
}

// region finds what differs between lanes, once through a region.
func (l *Loop) region(r ir.Region) {
	for _, v := range l.S.Body(r) {
		l.op(v)
	}
}

// op marks the results of an op that differ between lanes, and refuses what has no form for lanes.
func (l *Loop) op(v ir.Value) {
	g, def := l.G, l.G.Def(v)
	switch {
	case def.Has(ir.Terminator), def.Has(ir.ConstantLike), l.countAt(slot{v, 0}) != nil && def == arith.Select:
	case def == scf.If:
		l.choice(v, l.differs(g.Args(v)[0]) || l.counts(v))
	case def == affinedialect.If:
		l.choice(v, slices.ContainsFunc(affinedialect.Conditions(g.NodeOf(v)), func(c affinedialect.Condition) bool {
			if _, ok := l.strideOf(c.Point); !ok {
				l.refuse(v, "has a condition that is not linear in its index")
			}
			return l.pointVaries(c.Point)
		}))
	case isFor(def):
		l.inner(v)
	case def == scf.While:
		l.while(v)
	case isLoad(def):
		if slices.ContainsFunc(l.subscripts(v), l.pointVaries) {
			l.lane(v, g.Type(v))
			l.mark(v, 0)
		}
	case isStore(def):
		l.lane(v, g.Type(g.Args(v)[0]))
	case len(g.Regions(v)) > 0 || len(g.Children(v)) > 0 || g.HasEffect(v):
		l.refuse(v, "does what no vector does")
	case l.differs(g.Args(v)...):
		l.mark(v, 0)
		// What grows by a constant from lane to lane stays a scalar: that of the first lane.
		if _, linear := l.stride(v); linear {
			return
		}
		if !def.Has(ir.Elementwise) && def != affinedialect.Apply || g.Results(v) != 1 {
			l.refuse(v, "has no form for vectors")
			return
		}
		if def == affinedialect.Apply {
			l.refuse(v, "is not linear in the index of the loop")
			return
		}
		if l.whole = l.whole || g.IsPartial(v) && !divides(def); l.whole && l.masked {
			l.refuse(v, "may trap, and is done in some iterations alone")
		}
		for _, x := range append([]ir.Value{v}, g.Args(v)...) {
			l.lane(v, g.Type(x))
		}
	}
}

// lane refuses a type that is not that of lanes.
func (l *Loop) lane(v ir.Value, t ir.Type) {
	c := l.G.Ctx
	if !c.IsInt(t) && !c.IsFloat(t) || t != ir.Index && c.Info(t).Width > 64 {
		l.refuse(v, "has values that are no numbers of up to 64 bits")
	}
}

// choice is a conditional.
func (l *Loop) choice(v ir.Value, apart bool) {
	g := l.G
	was := l.masked
	l.masked = was || apart
	for _, r := range g.Regions(v) {
		l.region(r)
	}
	l.masked = was
	for i := range g.Results(v) {
		if l.countAt(slot{v, i}) != nil {
			continue
		}
		for _, r := range g.Regions(v) {
			if y := g.Yields(r); apart || i < len(y) && l.differs(y[i]) {
				l.lane(v, g.Type(y[i]))
				l.mark(v, i)
			}
		}
	}
}

// inner is a loop that stays one: its bounds are the same in all lanes.
func (l *Loop) inner(v ir.Value) {
	g := l.G
	for _, b := range BoundsOf(g, v) {
		if l.differs(b) {
			l.refuse(v, "runs from or to where the index of the outer loop says")
			return
		}
	}
	loop, _ := ir.As[ir.LoopLike](g.NodeOf(v))
	l.region(loop.Body)
	ys := g.Yields(loop.Body)
	for k, p := range loop.Carried {
		if l.differs(loop.Inits[k], ys[k], p) {
			l.lane(v, g.Type(p))
			l.mark(p, 0)
			l.mark(v, k)
		}
	}
}

// while is a loop that runs as long as a lane does.
func (l *Loop) while(v ir.Value) {
	g := l.G
	before, after := g.Regions(v)[0], g.Regions(v)[1]
	passed := g.Args(g.Term(before))
	for i, p := range g.Params(after) {
		if l.differs(passed[1+i]) {
			l.lane(v, g.Type(p))
			l.mark(p, 0)
		}
		// Lanes end at different times: what they pass on then differs, even if it does not within an
		// iteration.
		if l.differs(passed[0], passed[1+i]) {
			l.lane(v, g.Type(p))
			l.mark(v, i)
		}
	}
	was := l.masked
	l.masked = was || l.differs(passed[0])
	l.region(before)
	l.region(after)
	l.masked = was
	ys := g.Yields(after)
	for i, p := range g.Params(before) {
		if l.differs(g.Args(v)[i], ys[i]) {
			l.lane(v, g.Type(p))
			l.mark(p, 0)
		}
	}
}

// stride is by how much a value grows from lane to lane: 0 if it is the same in all. It is not known of
// values that are just different.
func (l *Loop) stride(v ir.Value) (int64, bool) {
	if !l.differs(v) {
		return 0, true
	}
	g := l.G
	if r, i, ok := g.Param(v); ok {
		return l.Step, i == 0 && g.Owner(r) == l.V
	}
	// Narrower numbers may wrap between two lanes.
	if t := g.Type(v); t != ir.Index && t != ir.I64 {
		return 0, false
	}
	args := g.Args(v)
	switch g.Def(v) {
	case arith.Addi, arith.Subi:
		x, ok := l.stride(args[0])
		y, ok2 := l.stride(args[1])
		if g.Def(v) == arith.Subi {
			y = -y
		}
		return x + y, ok && ok2 && near(x+y)
	case arith.Muli:
		for i, a := range args {
			if n, ok := g.Number(a); ok && near(int64(n)) {
				x, ok := l.stride(args[1-i])
				return x * int64(n), ok && near(x*int64(n))
			}
		}
	case arith.IndexCast:
		if t := g.Type(args[0]); t == ir.Index || t == ir.I64 {
			return l.stride(args[0])
		}
	case affinedialect.Apply:
		return l.strideOf(l.subscripts(v)[0])
	}
	return 0, false
}

// near bounds strides, so that the product of two fits 64 bits.
func near(n int64) bool { return -1<<30 < n && n < 1<<30 }

// strideOf is that of an affine expression.
func (l *Loop) strideOf(p affinedialect.Point) (int64, bool) {
	var walk func(e *expr.Expr) (int64, bool)
	walk = func(e *expr.Expr) (int64, bool) {
		switch e.Op {
		case expr.OpConst:
			return 0, true
		case expr.OpDim:
			return l.stride(p.Dims[e.N])
		case expr.OpSym:
			return l.stride(p.Syms[e.N])
		}
		x, ok := walk(e.L)
		y, ok2 := walk(e.R)
		switch {
		case !ok || !ok2:
			return 0, false
		case e.Op == expr.OpAdd:
			return x + y, near(x + y)
		case x == 0 && y == 0:
			return 0, true
		case e.Op == expr.OpMul && e.R.IsConst() && near(e.R.N):
			return x * e.R.N, near(x * e.R.N)
		}
		return 0, false
	}
	return walk(p.Expr)
}

// pointVaries reports an expression that is not known to be the same in all lanes.
func (l *Loop) pointVaries(p affinedialect.Point) bool {
	s, ok := l.strideOf(p)
	return !ok || s != 0
}

// subscripts are those of an access, or what an affine.apply computes.
func (l *Loop) subscripts(v ir.Value) []affinedialect.Point { return Subscripts(l.G, v) }

// Subscripts are the indices of all accesses of an op, or what an affine.apply computes.
func Subscripts(g *ir.Graph, v ir.Value) (out []affinedialect.Point) {
	switch g.Def(v) {
	case affinedialect.Load, affinedialect.Store, affinedialect.Apply:
		return affinedialect.Subscripts(g.NodeOf(v))
	}
	a, _ := ir.As[ir.AccessLike](g.NodeOf(v))
	for _, x := range a.Accesses {
		out = append(out, lists.Map(x.Indices, affinedialect.Just)...)
	}
	return out
}

// isFor reports the loops that count up by a step from one bound to another.
func isFor(d *ir.OpDef) bool { return d == scf.For || d == affinedialect.For }

func isLoad(d *ir.OpDef) bool { return d == memref.Load || d == affinedialect.Load }

func isStore(d *ir.OpDef) bool { return d == memref.Store || d == affinedialect.Store }

// BoundsOf are the values that the bounds and the step of a loop are made of.
func BoundsOf(g *ir.Graph, v ir.Value) (out []ir.Value) {
	if g.Def(v) == scf.For {
		return g.Args(v)[:3]
	}
	r := affinedialect.Ranges(g.NodeOf(v))[0]
	for _, p := range slices.Concat(r.Lower, r.Upper) {
		out = append(append(out, p.Dims...), p.Syms...)
	}
	return out
}

// divides reports an op of integers that traps only for what it divides by.
func divides(d *ir.OpDef) bool {
	return slices.Contains([]*ir.OpDef{arith.Divsi, arith.Divui, arith.Remsi, arith.Remui, arith.Ceildivsi, arith.Ceildivui, arith.Floordivsi}, d)
}
