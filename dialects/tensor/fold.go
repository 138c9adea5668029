package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

var folds = []ir.Fold{
	{Of: Unpack, Rule: "the memory of what memory holds that is not written to is that memory", Do: foldUnpack},
	{Of: Dim, Rule: "an extent that the type says is known", Do: foldDim},
	{Of: Transpose, Rule: "a transpose of a transpose is one", Do: foldTransposes},
	{Of: Transpose, Rule: "a transpose that keeps the order is its operand", Do: foldOrder},
	{Of: Reshape, Rule: "a reshape of a reshape is one", Do: foldReshapes},
	{Of: Reshape, Rule: "a reshape to the same extents is its operand", Do: foldSame},
	{Of: Reduce, Rule: "a sum along dimensions is an einsum", Do: foldSum},
	{Of: Reduce, Rule: "along no dimension nothing is combined", Do: foldNone},
	{Of: Relu, Rule: "a relu is a map", Do: foldRelu},
	{Of: Gelu, Rule: "a gelu is a map", Do: foldGelu},
	{Of: Map, Rule: "a map that gives the elements of its operand is that operand", Do: foldGiven},
}

func foldUnpack(b *ir.Builder, c *ir.Call) ir.Value {
	if g := b.Graph(); g.Def(c.Args[0]) == Pack && IsKept(g.NodeOf(c.Args[0])) {
		return g.Args(c.Args[0])[0]
	}
	return 0
}

// keptAttr marks a pack of memory that nothing writes to while the tensor is used: memory is that tensor then.
const keptAttr = "ten.kept"

// BuildKept is a pack of memory that nothing writes to while the tensor is used.
func BuildKept(b *ir.Builder, memory ir.Value) ir.Value {
	c := b.Ctx()
	return b.OpAttr(Pack, c.WithDiscardable(0, keptAttr, c.UnitAttr()), memory)
}

// IsKept reports a pack that BuildKept made.
func IsKept(n ir.Node) bool { return n.Attr(keptAttr) != 0 }

// copyAttr marks a pack of memory that may change under another name while the tensor is used: the tensor has a copy of it.
const copyAttr = "ten.copy"

// IsCopied reports a pack that CopyPacks marked.
func IsCopied(n ir.Node) bool { return n.Attr(copyAttr) != 0 }

// CopyPacks is a program whose tensors have copies of the memory that they were packed from: one in which that memory may have two
// names, as two arguments of a function have that are one memory.
func CopyPacks(g *ir.Graph) *ir.Graph {
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{Pack: func(m *ir.Mirror, n ir.Node) ir.Value {
		if IsKept(n) {
			return 0
		}
		c := m.B.Ctx()
		return m.CopyWith(n, c.WithDiscardable(n.Attrs(), copyAttr, c.UnitAttr()))
	}}, nil)
}

func foldDim(b *ir.Builder, c *ir.Call) ir.Value {
	if n := Shape(c.Ctx(), c.ArgType(0))[c.Ctx().AttrInfo(c.Get("dim")).Int]; n != ir.Dynamic {
		return b.Index(n)
	}
	return 0
}

// perm is the order of dimensions of a transpose.
func perm(g *ir.Graph, v ir.Value) []int64 { return g.Ctx.Ints(g.Attr(v, "perm")) }

func foldTransposes(b *ir.Builder, c *ir.Call) ir.Value {
	g, x := b.Graph(), c.Args[0]
	if g.Def(x) != Transpose {
		return 0
	}
	inner, outer := perm(g, x), c.Ctx().Ints(c.Get("perm"))
	both := lists.Map(outer, func(d int64) int64 { return inner[d] })
	return BuildTranspose(b, g.Args(x)[0], both...)
}

func foldOrder(_ *ir.Builder, c *ir.Call) ir.Value {
	if slices.IsSorted(c.Ctx().Ints(c.Get("perm"))) {
		return c.Args[0]
	}
	return 0
}

func foldReshapes(b *ir.Builder, c *ir.Call) ir.Value {
	g, x := b.Graph(), c.Args[0]
	if g.Def(x) != Reshape {
		return 0
	}
	args := append([]ir.Value{g.Args(x)[0]}, c.Args[1:]...)
	return b.Must(ir.Call{Def: Reshape, Args: args, Type: c.Type, Loc: c.Loc})
}

func foldSame(_ *ir.Builder, c *ir.Call) ir.Value {
	if c.Type == c.ArgType(0) && !isOpen(Shape(c.Ctx(), c.Type)) {
		return c.Args[0]
	}
	return 0
}

func foldSum(b *ir.Builder, c *ir.Call) ir.Value {
	dims := c.Ctx().Ints(c.Get("dims"))
	if KindOf(c.Ctx(), c.Attr) != ByAdd || len(dims) == 0 {
		return 0
	}
	s := &Spec{In: [][]int{{}}}
	for d, n := range Shape(c.Ctx(), c.ArgType(0)) {
		s.In[0] = append(s.In[0], d)
		s.Names, s.Extents = append(s.Names, letter(d)), append(s.Extents, n)
		if !slices.Contains(dims, int64(d)) {
			s.Out = append(s.Out, d)
		}
	}
	if len(s.Names) > len(alphabet) {
		return 0
	}
	return BuildEinsumOf(b, s, c.Type, c.Args[0])
}

func foldNone(_ *ir.Builder, c *ir.Call) ir.Value {
	if len(c.Ctx().Ints(c.Get("dims"))) == 0 {
		return c.Args[0]
	}
	return 0
}

func foldGiven(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	y := g.Args(g.Term(c.Regions[0]))[0]
	i := slices.Index(g.Params(c.Regions[0]), y)
	if i < 0 || len(c.Args) > 1 && c.Def.Has(ir.Partial) && isOpen(Shape(c.Ctx(), c.Type)) || c.ArgType(i) != c.Type {
		return 0
	}
	return c.Args[i]
}
