package memref

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

var folds = []ir.Fold{
	{Of: Load, Rule: "load after store to the same place = the stored value", Do: loadStored},
	{Of: Load, Rule: "load of a cast = load of what is cast", Do: ThroughCast(0)},
	{Of: Store, Rule: "store to a cast = store to what is cast", Do: ThroughCast(1)},
	{Of: Store, Rule: "store of what stands there already is nothing", Do: storeLoaded},
	{Of: Dealloc, Rule: "dealloc of a cast = dealloc of what is cast", Do: ThroughCast(0)},
	{Of: Copy, Rule: "copy from a cast = copy from what is cast", Do: ThroughCast(0)},
	{Of: Copy, Rule: "copy to a cast = copy to what is cast", Do: ThroughCast(1)},
	{Of: Copy, Rule: "copy of memory to itself is nothing", Do: copySelf},
	{Of: Dim, Rule: "dim of a static extent is a constant", Do: dimStatic},
	{Of: Dim, Rule: "dim of a dynamic extent = the operand that gave it", Do: dimOperand},
	{Of: Dim, Rule: "dim of a cast = dim of what is cast", Do: ThroughCast(0)},
	{Of: Rank, Rule: "rank of a ranked memref is a constant", Do: rankStatic},
	{Of: Cast, Rule: "a cast to the same type is nothing", Do: castNothing},
	{Of: Cast, Rule: "cast(cast(x)) = cast(x)", Do: castTwice},
	{Of: MemorySpaceCast, Rule: "memory_space_cast to the same space is nothing", Do: castNothing},
	{Of: MemorySpaceCast, Rule: "memory_space_cast twice = memory_space_cast", Do: spaceTwice},
	{Of: Subview, Rule: "a subview of everything is its source", Do: subviewAll},
	{Of: Transpose, Rule: "transpose by the identity is nothing", Do: transposeNothing},
	{Of: Alloc, Rule: "alloc of a constant size = cast of a static alloc", Do: allocStatic},
	{Of: Alloca, Rule: "alloca of a constant size = cast of a static alloca", Do: allocStatic},
	{Of: AllocaScope, Rule: "an alloca_scope that allocates nothing = its body", Do: scopeNothing},
}

// maxForwarded bounds how many stores to other places a load looks past: each load of a long row of them asks each.
const maxForwarded = 64

// loadStored forwards a store: the last write of the memory, past stores to what
// is certainly another element.
func loadStored(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	m, at := c.Args[0], c.Args[1:]
	w := b.LastWrite(b.ResourceOf(m))
	for range maxForwarded {
		if g.Def(w) != Store || g.Args(w)[1] != m {
			return 0
		}
		switch to := g.Args(w)[2:]; {
		case slices.Equal(to, at):
			return g.Args(w)[0]
		case !differ(b, m, to, at) || len(g.Hard(w)) != 1:
			return 0
		}
		w = g.Hard(w)[0]
	}
	return 0
}

// storeLoaded: what a load read from the same place, with no write in between,
// need not be stored.
func storeLoaded(b *ir.Builder, c *ir.Call) ir.Value {
	g, v := b.Graph(), c.Args[0]
	if g.Def(v) != Load || !slices.Equal(g.Args(v), c.Args[1:]) || len(g.Hard(v)) != 1 {
		return 0
	}
	if b.LastWrite(b.ResourceOf(c.Args[1])) != g.Hard(v)[0] || g.Type(g.Hard(v)[0]) == ir.Token && g.Home(g.Hard(v)[0]) != ir.Root {
		return 0
	}
	return b.Pack()
}

// differ reports that two places of one memref are certainly two elements.
func differ(b *ir.Builder, m ir.Value, x, y []ir.Value) bool {
	if !layouts.Injective(b.Ctx(), b.Graph().Type(m)) {
		return false
	}
	known := affine.In(b)
	for i := range x {
		if known.Differ(x[i], y[i]) {
			return true
		}
	}
	return false
}

// ThroughCast looks through a cast of operand i to a type that knows more. It stops where the op would
// not be one any more: a copy between other sizes, or a dim of no dimension, is a trap and not an error.
func ThroughCast(i int) func(b *ir.Builder, c *ir.Call) ir.Value {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		g, v := b.Graph(), c.Args[i]
		if g.Def(v) != Cast {
			return 0
		}
		src := g.Args(v)[0]
		if s := b.Ctx().Info(g.Type(src)); s.Unranked || !b.Ctx().Info(g.Type(v)).Unranked && !refines(b.Ctx(), g.Type(v), g.Type(src)) {
			return 0
		}
		args := slices.Clone(c.Args)
		args[i] = src
		made, err := b.Make(ir.Call{Def: c.Def, Args: args, Attr: c.Attr, Loc: c.Loc})
		if err != nil {
			return 0
		}
		return made
	}
}

func copySelf(b *ir.Builder, c *ir.Call) ir.Value {
	if c.Args[0] == c.Args[1] {
		return b.Pack()
	}
	return 0
}

func dimStatic(b *ir.Builder, c *ir.Call) ir.Value {
	info := b.Ctx().Info(c.ArgType(0))
	v, ok := c.Const(1)
	if !ok || info.Unranked || v.Bits >= uint64(len(info.Shape)) || info.Shape[v.Bits] == ir.Dynamic {
		return 0
	}
	return b.Index(info.Shape[v.Bits])
}

// dimOperand finds the operand that gave a dynamic extent.
func dimOperand(b *ir.Builder, c *ir.Call) ir.Value {
	g, src := b.Graph(), c.Args[0]
	info := b.Ctx().Info(c.ArgType(0))
	v, ok := c.Const(1)
	if !ok || info.Unranked || v.Bits >= uint64(len(info.Shape)) {
		return 0
	}
	d := int(v.Bits)
	nth := count(info.Shape[:d], ir.Dynamic)
	args := g.Args(src)
	switch g.Def(src) {
	case Alloc, Alloca:
		return args[nth]
	case View:
		return args[2+nth]
	case ExpandShape:
		return args[1+nth]
	case Subview:
		if full := b.Ctx().Info(g.Type(args[0])); len(full.Shape) != len(info.Shape) {
			return 0
		}
		fallthrough
	case ReinterpretCast:
		seg := b.Ctx().Ints(g.Attr(src, "operandSegmentSizes"))
		return args[int(seg[0]+seg[1])+nth]
	case Transpose:
		perm, _ := permutationOf(b.Ctx(), g.Attr(src, "permutation"))
		return b.Op(Dim, args[0], b.Index(int64(perm[d])))
	}
	return 0
}

func rankStatic(b *ir.Builder, c *ir.Call) ir.Value {
	if info := b.Ctx().Info(c.ArgType(0)); !info.Unranked {
		return b.Index(int64(len(info.Shape)))
	}
	return 0
}

func castNothing(b *ir.Builder, c *ir.Call) ir.Value {
	if c.Type == c.ArgType(0) {
		return c.Args[0]
	}
	return 0
}

func castTwice(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	if g.Def(c.Args[0]) != Cast {
		return 0
	}
	src := g.Args(c.Args[0])[0]
	if g.Type(src) == c.Type {
		return src
	}
	if !castable(b.Ctx(), g.Type(src), c.Type) || b.Ctx().Info(g.Type(src)).Unranked && b.Ctx().Info(c.Type).Unranked {
		return 0
	}
	// What the cast in the middle said must be said by one of the others.
	if mid := g.Type(c.Args[0]); !b.Ctx().Info(mid).Unranked && !refines(b.Ctx(), mid, g.Type(src)) && !refines(b.Ctx(), mid, c.Type) {
		return 0
	}
	return b.Must(ir.Call{Def: Cast, Args: []ir.Value{src}, Attr: c.Attr, Type: c.Type, Loc: c.Loc})
}

func spaceTwice(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	if g.Def(c.Args[0]) != MemorySpaceCast {
		return 0
	}
	return b.Must(ir.Call{Def: MemorySpaceCast, Args: []ir.Value{g.Args(c.Args[0])[0]}, Attr: c.Attr, Type: c.Type, Loc: c.Loc})
}

func subviewAll(b *ir.Builder, c *ir.Call) ir.Value {
	x := b.Ctx()
	if c.Type != c.ArgType(0) || len(c.Args) != 1 {
		return 0
	}
	for _, n := range x.Ints(c.Get("static_offsets")) {
		if n != 0 {
			return 0
		}
	}
	for _, n := range x.Ints(c.Get("static_strides")) {
		if n != 1 {
			return 0
		}
	}
	if !slices.Equal(x.Ints(c.Get("static_sizes")), x.Info(c.Type).Shape) {
		return 0
	}
	return c.Args[0]
}

func transposeNothing(b *ir.Builder, c *ir.Call) ir.Value {
	perm, _ := permutationOf(b.Ctx(), c.Get("permutation"))
	for i, d := range perm {
		if i != d {
			return 0
		}
	}
	if c.Type != c.ArgType(0) {
		return 0
	}
	return c.Args[0]
}

func allocStatic(b *ir.Builder, c *ir.Call) ir.Value {
	x := b.Ctx()
	info := *x.Info(c.Type)
	seg := x.Ints(c.Get("operandSegmentSizes"))
	if info.Layout != 0 || len(seg) != 2 || seg[0] == 0 {
		return 0
	}
	info.Shape = slices.Clone(info.Shape)
	var rest []ir.Value
	k, found := 0, false
	for i, n := range info.Shape {
		if n != ir.Dynamic {
			continue
		}
		if v, ok := c.Const(k); ok && v.Ref == nil && int64(v.Bits) >= 0 && v.Bits < ir.MaxElements {
			info.Shape[i], found = int64(v.Bits), true
		} else {
			rest = append(rest, c.Args[k])
		}
		k++
	}
	if !found || !x.Fits(x.Type(info)) { // that no engine runs the type is not the program's fault: it traps here, if at all
		return 0
	}
	attr := x.With(c.Attr, "operandSegmentSizes", x.DenseArray(ir.I32, int64(len(rest)), 0))
	static := b.Must(ir.Call{Def: c.Def, Args: rest, Attr: attr, Type: x.Type(info), Loc: c.Loc})
	return b.Must(ir.Call{Def: Cast, Args: []ir.Value{static}, Type: c.Type, Loc: c.Loc})
}

func scopeNothing(b *ir.Builder, c *ir.Call) ir.Value {
	if allocas(b.Graph(), c.Regions[0]) {
		return 0
	}
	return b.Pack(b.Splice(c.Regions[0], nil)...)
}

// allocas reports that the ops of a region may allocate what ends with the scope
// around it. Allocations of a scope within end with that.
func allocas(g *ir.Graph, r ir.Region) bool {
	return slices.ContainsFunc(g.Members(r), func(v ir.Value) bool {
		if def := g.Def(v); def == Alloca || def.Has(ir.Opaque) {
			return true
		}
		return g.Def(v) != AllocaScope && slices.ContainsFunc(g.Regions(v), func(in ir.Region) bool { return allocas(g, in) })
	})
}
