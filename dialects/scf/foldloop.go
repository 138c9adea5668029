package scf

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/scf/iteration"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// constTrips is iteration.Trips of a loop that is about to be made.
func constTrips(g *ir.Graph, lower, upper, step ir.Value) (uint64, bool) {
	w := g.Ctx.Info(g.Type(lower)).Width
	s, ok := g.Const(step)
	if !ok || s.Ref != nil || s.Int(w) <= 0 {
		return 0, false
	}
	if lower == upper {
		return 0, true
	}
	from, ok1 := g.Const(lower)
	to, ok2 := g.Const(upper)
	if !ok1 || !ok2 || from.Ref != nil || to.Ref != nil {
		return 0, false
	}
	return iteration.Trips(from.Int(w), to.Int(w), s.Int(w))
}

func forNever(b *ir.Builder, c *ir.Call) ir.Value {
	if n, ok := constTrips(c.Graph(), c.Args[0], c.Args[1], c.Args[2]); !ok || n != 0 {
		return 0
	}
	return b.Pack(c.Args[3:]...)
}

// parallelUndefined makes a trap of a step that has become a constant: MLIR reads no scf.parallel that has
// one which is not positive.
func parallelUndefined(b *ir.Builder, c *ir.Call) ir.Value {
	seg, err := c.Segments(4)
	if err != nil {
		return 0
	}
	for _, s := range seg[2] {
		n, ok := b.Graph().Const(s)
		if !ok || n.Ref != nil || int64(n.Bits) > 0 {
			continue
		}
		msg := fmt.Sprintf("a step of a parallel loop is %d, it must be positive", int64(n.Bits))
		b.Must(ir.Call{Def: cf.Assert, Attr: b.Ctx().Props([]ir.NamedAttr{{Name: "msg", Value: b.Ctx().StringAttr(msg)}}, nil),
			Args: []ir.Value{arith.ConstBool(b, false)}, Loc: c.Loc})
		out := lists.Map(b.Ctx().Results(c.Type), func(t ir.Type) ir.Value { return ub.Of(b, t) })
		return b.Pack(out...)
	}
	return 0
}

func forOnce(b *ir.Builder, c *ir.Call) ir.Value {
	if n, ok := constTrips(c.Graph(), c.Args[0], c.Args[1], c.Args[2]); !ok || n != 1 {
		return 0
	}
	args := append([]ir.Value{c.Args[0]}, c.Args[3:]...)
	return b.Pack(b.Splice(c.Regions[0], args)...)
}

// forInvariant drops the carried values that each iteration passes on as they
// are, or sets to what they were at first.
func forInvariant(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	params, ys, inits := g.Params(c.Regions[0])[1:], g.Yields(c.Regions[0]), c.Args[3:]
	var keep []int
	for i := range inits {
		if ys[i] != params[i] && ys[i] != inits[i] {
			keep = append(keep, i)
		}
	}
	if len(keep) == len(inits) {
		return 0
	}
	out := slices.Clone(inits)
	types := append([]ir.Type{c.ArgType(0)}, typesOf(g, pick(inits, keep))...)
	args := slices.Concat(c.Args[:3], pick(inits, keep))
	body := c.Regions[0]
	r := b.RegionLike(body, types, func(p []ir.Value) {
		enterFor(b, 0, args, 0, p)
		in := append([]ir.Value{p[0]}, out...)
		for k, i := range keep {
			in[i+1] = p[k+1]
		}
		b.Op(Yield, pick(b.Splice(body, in), keep)...)
	})
	n := b.Must(ir.Call{Def: For, Args: args, Attr: c.Attr, Loc: c.Loc, Regions: []ir.Region{r}})
	for k, i := range keep {
		out[i] = b.Result(n, k)
	}
	return b.Pack(out...)
}

func whileNever(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	v, ok := g.Const(g.Yields(c.Regions[0])[0])
	if !ok || v.Ref != nil || v.Bool() {
		return 0
	}
	return b.Pack(b.Splice(c.Regions[0], c.Args)[1:]...)
}

// whileInvariant drops the carried values that come back as they went in.
func whileInvariant(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	before, after := g.Params(c.Regions[0]), g.Params(c.Regions[1])
	pass, back := g.Yields(c.Regions[0])[1:], g.Yields(c.Regions[1])
	same := func(i int) bool {
		if back[i] == c.Args[i] {
			return true
		}
		j := slices.Index(after, back[i])
		return j >= 0 && pass[j] == before[i]
	}
	var keep []int
	for i := range c.Args {
		if !same(i) {
			keep = append(keep, i)
		}
	}
	if len(keep) == len(c.Args) {
		return 0
	}
	return remakeWhile(b, c, keep, upTo(len(pass)), nil)
}

// whileOuter drops the passed values that come from outside of the loop.
func whileOuter(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	pass := g.Yields(c.Regions[0])[1:]
	var keep []int
	for j, v := range pass {
		if g.Home(v) == c.Regions[0] {
			keep = append(keep, j)
		}
	}
	if len(keep) == len(pass) {
		return 0
	}
	return remakeWhile(b, c, upTo(len(c.Args)), keep, pass)
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// remakeWhile makes a while again that carries and passes some of its values
// only; a value no longer carried is its initial one, and one no longer passed
// stands in outer.
func remakeWhile(b *ir.Builder, c *ir.Call, carry, pass []int, outer []ir.Value) ir.Value {
	g := b.Graph()
	inits, regs := slices.Clone(c.Args), slices.Clone(c.Regions)
	attr, loc := c.Attr, c.Loc
	var types []ir.Type
	r1 := b.Region(ir.Loop, typesOf(g, pick(inits, carry)), func(p []ir.Value) {
		in := slices.Clone(inits)
		for k, i := range carry {
			in[i] = p[k]
		}
		ys := b.Splice(regs[0], in)
		out := pick(ys[1:], pass)
		types = typesOf(g, out)
		b.Op(Condition, append([]ir.Value{ys[0]}, out...)...)
	})
	r2 := b.Region(ir.Loop, types, func(p []ir.Value) {
		in := slices.Clone(outer)
		if in == nil {
			in = make([]ir.Value, len(pass))
		}
		for k, j := range pass {
			in[j] = p[k]
		}
		b.Op(Yield, pick(b.Splice(regs[1], in), carry)...)
	})
	n := b.Must(ir.Call{Def: While, Args: pick(inits, carry), Attr: attr, Loc: loc, Regions: []ir.Region{r1, r2}})
	if outer == nil {
		return n
	}
	out := slices.Clone(outer)
	for k, j := range pass {
		out[j] = b.Result(n, k)
	}
	return b.Pack(out...)
}
