package memref

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// ReadsArg is the effect of an op that reads the memory that operand i is.
func ReadsArg(i int) func(*ir.Call) []ir.Effect {
	return func(c *ir.Call) []ir.Effect {
		return []ir.Effect{{Kind: ir.Read, On: c.Builder().ResourceOf(c.Args[i])}}
	}
}

// WritesArg is the effect of an op that writes it.
func WritesArg(i int) func(*ir.Call) []ir.Effect {
	return func(c *ir.Call) []ir.Effect {
		return []ir.Effect{{Kind: ir.Write, On: c.Builder().ResourceOf(c.Args[i])}}
	}
}

// freesArg: the memory that operand 0 is a view of ends.
func freesArg(c *ir.Call) []ir.Effect {
	return []ir.Effect{{Kind: ir.Free, On: c.Builder().ResourceOf(c.Args[0])}}
}

func writesMemory(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.Memory}} }

func copyEffects(c *ir.Call) []ir.Effect {
	from, to := c.Builder().ResourceOf(c.Args[0]), c.Builder().ResourceOf(c.Args[1])
	if from == to {
		return []ir.Effect{{Kind: ir.Write, On: to}}
	}
	return []ir.Effect{{Kind: ir.Read, On: from}, {Kind: ir.Write, On: to}}
}

// Hint keeps an op without results alive and in order among its like, after the
// writes of its memory.
func Hint(c *ir.Call) []ir.Effect {
	b := c.Builder()
	return []ir.Effect{{Kind: ir.Write, On: b.Named("memref hints", ir.World)}, {Kind: ir.Read, On: b.ResourceOf(c.Args[0])}}
}

// storeOverwrites: a store to the same place leaves nothing to see of another.
func storeOverwrites(c *ir.Call, prev ir.Value) bool {
	g := c.Graph()
	return g.Def(prev) == c.Def && slices.Equal(g.Args(prev)[1:], c.Args[1:])
}

// deallocOverwrites: nobody sees what was stored into memory that is freed.
func deallocOverwrites(c *ir.Call, prev ir.Value) bool {
	g, b := c.Graph(), c.Builder()
	a, _ := ir.As[ir.AccessLike](g.NodeOf(prev))
	return slices.ContainsFunc(a.Accesses, func(x ir.Access) bool {
		return x.Writes && !x.Reads && b.ResourceOf(x.Memory) == b.ResourceOf(c.Args[0]) && root(g, x.Memory) == root(g, c.Args[0])
	})
}

// root looks through views for where a memref comes from.
func root(g *ir.Graph, v ir.Value) ir.Value {
	for g.Def(v).Has(ir.View) && len(g.Args(v)) > 0 {
		v = g.Args(v)[0]
	}
	return v
}

// sizeTraps: a size below zero is undefined.
func sizeTraps(c *ir.Call) bool {
	n := len(c.Args)
	if seg := c.Ctx().Ints(c.Get("operandSegmentSizes")); len(seg) == 2 {
		n = int(seg[0])
	}
	for i := range n {
		if v, ok := c.Const(i); !ok || int64(v.Bits) < 0 {
			return true
		}
	}
	return false
}

func dimTraps(c *ir.Call) bool {
	info := c.Ctx().Info(c.ArgType(0))
	v, ok := c.Const(1)
	return !ok || info.Unranked || v.Bits >= uint64(len(info.Shape))
}

// accessTraps: an access at operand m does not trap if its indices are within
// static extents, its memref is as large as its type says, and the memory is
// alive where the access stands.
func accessTraps(c *ir.Call, m int) bool {
	info := c.Ctx().Info(c.ArgType(m))
	for i, n := range info.Shape {
		if n == ir.Dynamic || !affine.In(c.Builder()).Within(c.Args[m+1+i], 0, n-1) {
			return true
		}
	}
	return !Accessible(c, m)
}

// Accessible reports that the memref that operand m is lies within its memory, which is alive
// where the op stands: then an access within its extents does not trap.
func Accessible(c *ir.Call, m int) bool {
	return whole(c.Graph(), c.Args[m]) && alive(c.Builder(), c.Args[m])
}

// whole reports that a memref lies within the memory it is a view of, and is as large as its type says.
func whole(g *ir.Graph, v ir.Value) bool {
	for {
		switch d := g.Def(v); {
		case d == ReinterpretCast || d == Reshape: // natively the memory may be that of a type
			return false
		case d == Cast && !refines(g.Ctx, g.Type(v), g.Type(g.Args(v)[0])):
			return false // a cast to a smaller static shape would be undefined where it is wrong
		case !d.Has(ir.View) || len(g.Args(v)) == 0:
			return true
		}
		v = g.Args(v)[0]
	}
}

// subviewTraps: a part does not trap if its static sizes lie in the source's at all offsets that are possible.
func subviewTraps(c *ir.Call) bool {
	p, err := viewParts(c)
	extents := c.Ctx().Info(c.ArgType(0)).Shape
	if err != nil || len(p[0].static) != len(extents) || !whole(c.Graph(), c.Args[0]) {
		return true
	}
	offsets := ir.MixedBounds(p[0].static, p[0].dynamic)
	for i, n := range extents {
		size, stride := p[1].static[i], p[2].static[i]
		if n == ir.Dynamic || size == ir.Dynamic || stride < 0 { // Dynamic is negative
			return true
		}
		most, ok := ir.Sum(n-1, -ir.Times(max(size-1, 0), stride))
		at := offsets[i]
		if !ok || at.Value == 0 && (at.Const < 0 || at.Const > most) || at.Value != 0 && !affine.In(c.Builder()).Within(at.Value, 0, most) {
			return true
		}
	}
	return false
}

// reinterpretTraps: other numbers for memory do not trap if all are known, and lead to no other places.
func reinterpretTraps(c *ir.Call) bool {
	p, err := viewParts(c)
	from := c.Ctx().Info(c.ArgType(0))
	if err != nil || len(c.Args) != 1 || from.Unranked || from.Layout != 0 || c.Graph().Def(c.Args[0]).Has(ir.View) {
		return true
	}
	n, known := ir.Product(from.Shape...)
	low, high, ok := strided.Corners(p[1].static, p[2].static, p[0].static[0])
	return !known || !ok || low < 0 || high >= n
}

// expandTraps: sizes that are known are those that the type of the source says.
func expandTraps(c *ir.Call) bool { return len(c.Args) > 1 || !whole(c.Graph(), c.Args[0]) }

// aliveBudget bounds the walk of alive.
const aliveBudget = 64

// alive reports that memory has certainly not been freed where the Builder
// stands: since its allocation, or since an access at the same place, nothing
// happened that may free it.
func alive(b *ir.Builder, m ir.Value) bool {
	g := b.Graph()
	r := root(g, m)
	switch g.Def(r) {
	case Alloca, GetGlobal:
		return true
	}
	budget := aliveBudget
	return aliveAfter(g, b.LastWrite(b.ResourceOf(m)), r, &budget)
}

func aliveAfter(g *ir.Graph, w, r ir.Value, budget *int) bool {
	for *budget > 0 && w != 0 { // of a graph that is finished no last write is known
		*budget-- // before any return: the walk recurses too
		if w == r {
			return true
		}
		hard := g.Hard(w)
		switch {
		case g.Type(w) == ir.Token && len(hard) == 0:
			// The entry of the function: its arguments live, and what it allocates has not been freed on this
			// way, which some other memory's accesses are on: the memory's own way ends at its allocation.
			// That of a loop: unknown.
			_, _, param := g.Param(r)
			return g.Home(w) == ir.Root && (param && g.Home(r) == ir.Root || g.Def(r) == Alloc)
		case stores(g, w, r):
			return true
		case !frees(g, w, budget):
		default:
			return false
		}
		for _, h := range hard[:max(len(hard)-1, 0)] {
			if !aliveAfter(g, h, r, budget) {
				return false
			}
		}
		if len(hard) == 0 {
			return false
		}
		w = hard[len(hard)-1]
	}
	return false
}

// stores reports a store to memory, in whatever dialect.
func stores(g *ir.Graph, w, r ir.Value) bool {
	a, _ := ir.As[ir.AccessLike](g.NodeOf(w))
	return slices.ContainsFunc(a.Accesses, func(x ir.Access) bool { return x.Writes && x.Stored != 0 && root(g, x.Memory) == r })
}

// frees reports an op that may free memory: anything but what is known not to.
func frees(g *ir.Graph, w ir.Value, budget *int) bool {
	if g.Type(w) == ir.Token {
		return false
	}
	switch g.Def(w) {
	case Copy, Alloc, Alloca, AtomicRMW, GenericAtomicRMW:
		return false
	}
	if a, ok := ir.As[ir.AccessLike](g.NodeOf(w)); ok && len(a.Accesses) > 0 {
		return false
	}
	regions := g.Regions(w)
	if len(regions) == 0 {
		return g.HasEffect(w) && !g.Def(w).Has(ir.Terminator)
	}
	for _, r := range regions {
		for _, v := range g.Members(r) {
			if *budget--; *budget <= 0 || frees(g, v, budget) {
				return true
			}
		}
	}
	return false
}
