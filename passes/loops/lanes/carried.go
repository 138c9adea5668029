package lanes

import (
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// A Carried is what a loop carries from iteration to iteration, and how lanes do.
type Carried struct {
	// By combines what is carried with something, in any order; each lane has a sum of its own.
	By *ir.OpDef
	// Neutral changes nothing that it is combined with by the op.
	Neutral ir.Val
	flags   arith.FastMath
	elem    ir.Type

	scan  ir.Value // the op, if what it gives is used in each iteration: all lanes have the same sum so far
	count *count   // how often something happened, by which it is counted where elements go
}

// A count is a number that grows by one in the iterations in which a condition holds.
type count struct {
	param ir.Value
	next  slot     // what is carried on
	cond  ir.Value // the condition
	side  int      // of a conditional of that condition, on which it grows
}

// Sum says that what is carried is combined by an op, and is not used otherwise. What lanes have less something is added up.
func Sum(g *ir.Graph, by ir.Value, neutral ir.Val) Carried {
	def := g.Def(by)
	if def == arith.Subf {
		def = arith.Addf
	}
	return Carried{By: def, Neutral: neutral, flags: arith.FastMathOf(g.Ctx, g.AttrsOf(by)), elem: g.Type(by)}
}

// Running finds that carried value k of a loop is a sum that iterations use, by an op which neutral knows.
func Running(s *ir.Schedule, v ir.Value, k int, neutral func(op ir.Value) *ir.Val) (Carried, bool) {
	g := s.Graph()
	l, _ := ir.As[ir.LoopLike](g.NodeOf(v))
	p, y := l.Carried[k], g.Yields(l.Body)[k]
	if _, _, isParam := g.Param(y); isParam || len(g.Args(y)) != 2 || !slices.Contains(g.Args(y), p) || s.Place(y) != l.Body || g.NodeOf(p).NumUses() != 1 {
		return Carried{}, false
	}
	x := neutral(y)
	if x == nil || !vector.Combines(g.Def(y)) {
		return Carried{}, false
	}
	out := Sum(g, y, *x)
	out.scan = y
	return out, true
}

// Counting finds that carried value k of a loop counts how often a condition holds, for the places of elements that are
// stored where it does.
func Counting(s *ir.Schedule, v ir.Value, k int) (Carried, bool) {
	g := s.Graph()
	l, _ := ir.As[ir.LoopLike](g.NodeOf(v))
	p, y := l.Carried[k], g.Yields(l.Body)[k]
	n, i, _ := g.Projection(y)
	c := &count{param: p, next: slot{n, i}}
	var sides []ir.Value
	switch {
	case g.Type(p) != ir.Index && g.Type(p) != ir.I64, s.Place(n) != l.Body:
		return Carried{}, false
	case g.Def(n) == scf.If:
		for _, r := range g.Regions(n) {
			sides = append(sides, g.Yields(r)[i])
		}
	case g.Def(n) == arith.Select:
		sides = slices.Clone(g.Args(n)[1:]) // the graph keeps its own
	}
	if len(sides) != 2 || sides[0] == sides[1] {
		return Carried{}, false
	}
	// The count is cond ? p + 1 : p, or cond ? p : p + 1: side is where it grows, and sides[0] what it grows
	// to.
	if c.cond = g.Args(n)[0]; sides[0] == p {
		c.side, sides[0], sides[1] = 1, sides[1], sides[0]
	}
	grown := sides[0]
	if sides[1] != p || g.Def(grown) != arith.Addi || !slices.Contains(g.Args(grown), p) {
		return Carried{}, false
	}
	for _, a := range g.Args(grown) {
		if one, ok := g.Number(a); a != p && (!ok || one != 1) {
			return Carried{}, false
		}
	}
	if g.NodeOf(grown).NumUses() != 1 || !c.onlyPlaces(s, p, l.Body, []ir.Value{grown, n, g.Term(g.Regions(v)[0])}) {
		return Carried{}, false
	}
	return Carried{count: c, elem: g.Type(p)}, true
}

// onlyPlaces checks that a count is used for the places of stores alone, where it grows.
func (c *count) onlyPlaces(s *ir.Schedule, v ir.Value, body ir.Region, but []ir.Value) bool {
	g := s.Graph()
	for _, u := range g.NodeOf(v).Users() {
		w := u.Old()
		if slices.Contains(but, w) || g.Def(w).Has(ir.Terminator) && g.Owner(s.Place(w)) == c.next.v {
			continue
		}
		if g.Def(w) == arith.IndexCast && (g.Type(w) == ir.Index || g.Type(w) == ir.I64) {
			if !c.onlyPlaces(s, w, body, nil) {
				return false
			}
			continue
		}
		at := s.Place(w)
		owner := g.Owner(at)
		if !isStore(g.Def(w)) || g.Args(w)[0] == v || g.Args(w)[1] == v || at == body || g.Def(owner) != scf.If || g.Args(owner)[0] != c.cond || s.Place(owner) != body || g.Regions(owner)[c.side] != at {
			return false
		}
		if g.Args(w)[len(g.Args(w))-1] != v || slices.Contains(g.Args(w)[2:len(g.Args(w))-1], v) || g.Ctx.Info(g.Type(g.Args(w)[1])).Layout != 0 {
			return false
		}
		if ps := Subscripts(g, w); ps[len(ps)-1].Expr.Op != affinedialect.Just(v).Expr.Op {
			return false
		}
	}
	return true
}

// counted are the counts that a value is, or is cast of.
func (l *Loop) counted(v ir.Value) bool {
	for l.G.Def(v) == arith.IndexCast {
		v = l.G.Args(v)[0]
	}
	return slices.ContainsFunc(l.Carries, func(c Carried) bool { return c.count != nil && c.count.param == v })
}

// countAt is the count that a result of an op is.
func (l *Loop) countAt(x slot) *count {
	for _, c := range l.Carries {
		if c.count != nil && c.count.next == x {
			return c.count
		}
	}
	return nil
}

// counts reports a conditional of which a result is a count: it is done with masks, whatever its condition.
func (l *Loop) counts(v ir.Value) bool {
	return slices.ContainsFunc(l.Carries, func(c Carried) bool { return c.count != nil && c.count.next.v == v })
}

// scanAt is what an op carries on.
func (l *Loop) scanAt(v ir.Value) (int, bool) {
	i := slices.IndexFunc(l.Carries, func(c Carried) bool { return c.scan != 0 && c.scan == v })
	return i, i >= 0
}

// isScalar says that what is carried is the same in all lanes.
func (c *Carried) isScalar() bool { return c.count != nil }

// First is what a loop over vectors carries at first, of a first value.
func (l *Loop) First(b *ir.Builder, k int, lanes int64, init ir.Value) ir.Value {
	switch c := l.Carries[k]; {
	case c.count != nil:
		return init
	case c.scan != 0:
		return vector.BuildBroadcast(b, init, l.block(lanes))
	default:
		return vector.BuildBroadcast(b, b.Const(b.Graph().Type(init), c.Neutral), lanes)
	}
}

// Last is what it has carried on in the end.
func (l *Loop) Last(b *ir.Builder, k int, v, init ir.Value) ir.Value {
	switch c := l.Carries[k]; {
	case c.count != nil:
		return v
	case c.scan != 0:
		return vector.BuildLane(b, v, 0)
	default:
		return vector.BuildReduction(b, c.By, c.flags, v, init)
	}
}

// maxBlock are the lanes of which sums are taken at once: more take more steps.
const maxBlock = 8

// block is the greatest power of two up to maxBlock that divides the lanes: all blocks are full.
func (l *Loop) block(lanes int64) int64 {
	for n := int64(maxBlock); n > 1; n /= 2 {
		if lanes%n == 0 {
			return n
		}
	}
	return 1
}

// scan gives each lane the sum so far: of some lanes in as many steps as their number has bits (Hillis and Steele, "Data
// parallel algorithms", 1986), plus what the lanes before have.
func (f *filler) scan(v ir.Value, k int) ir.Value {
	g, c := f.G, f.Carries[k]
	x := f.vector(g.Args(v)[0])
	l, _ := ir.As[ir.LoopLike](g.NodeOf(f.V))
	p := l.Carried[k]
	if g.Args(v)[0] == p {
		x = f.vector(g.Args(v)[1])
	}
	neutral := f.b.Splat(f.b.Graph().Type(x), c.Neutral.Bits)
	if f.mask != 0 {
		x = arith.Choose(f.b, f.mask, x, neutral)
	}
	n := int(f.block(f.lanes))
	combine := func(x, y ir.Value) ir.Value {
		return f.b.Must(ir.Call{Def: c.By, Args: []ir.Value{x, y}, Attr: g.AttrsOf(v)})
	}
	// before has in every lane the sum of all blocks so far.
	before := f.of(p)
	none := vector.BuildBroadcast(f.b, f.b.Const(f.m.Type(c.elem), c.Neutral), int64(n))
	var out []ir.Value
	for first := 0; first < int(f.lanes); first += n {
		lanes := make([]int, n)
		for i := range lanes {
			lanes[i] = first + i
		}
		part := x
		if n < int(f.lanes) {
			part = vector.BuildTake(f.b, x, lanes)
		}
		for by := 1; by < n; by *= 2 {
			for i := range lanes { // lanes move up, and nothing comes from below
				if lanes[i] = i - by; i < by {
					lanes[i] = n + i
				}
			}
			part = combine(vector.BuildShuffle(f.b, part, none, lanes), part)
		}
		for i := range lanes {
			lanes[i] = n - 1
		}
		out = append(out, combine(before, part))
		before = combine(before, vector.BuildTake(f.b, part, lanes))
	}
	f.after[k] = before
	for len(out) > 1 {
		var next []ir.Value
		for i := 0; i+1 < len(out); i += 2 {
			next = append(next, vector.BuildJoin(f.b, out[i], out[i+1]))
		}
		if len(out)%2 == 1 {
			next = append(next, out[len(out)-1])
		}
		out = next
	}
	return out[0]
}

// grown is a count after those lanes of a condition.
func (f *filler) grown(c *count, cond ir.Value) ir.Value {
	if c.side == 1 {
		cond = f.not(cond)
	}
	cond = f.and(f.mask, cond)
	elem := f.m.Type(f.G.Type(c.param))
	// Lanes of one bit would be added modulo 2.
	wide := arith.Cast(f.b, arith.Extui, cond, f.row(ir.I64))
	n := vector.BuildReduction(f.b, arith.Addi, 0, wide, f.zero(ir.I64))
	if elem == ir.Index {
		n = arith.Cast(f.b, arith.IndexCast, n, ir.Index)
	}
	return arith.AddI(f.b, f.of(c.param), n)
}
