package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

var folds = []ir.Fold{
	{Of: Unpack, Rule: "the memory of what memory holds is that memory", Do: foldUnpack},
	{Of: Dim, Rule: "an extent that the type says is known", Do: foldDim},
	{Of: Transpose, Rule: "a transpose of a transpose is one", Do: foldTransposes},
	{Of: Transpose, Rule: "a transpose that keeps the order is its operand", Do: foldOrder},
	{Of: Reshape, Rule: "a reshape of a reshape is one", Do: foldReshapes},
	{Of: Reshape, Rule: "a reshape to the same extents is its operand", Do: foldSame},
	{Of: Reduce, Rule: "a sum along dimensions is an einsum", Do: foldSum},
	{Of: Reduce, Rule: "along no dimension nothing is combined", Do: foldNone},
	{Of: Einsum, Rule: "an einsum of a transpose is one of its operand", Do: foldTransposed},
	{Of: Einsum, Rule: "I M = M, for a constant I", Do: foldIdentity},
	{Of: Einsum, Rule: "an einsum of one operand that sums nothing is a transpose", Do: foldRenamed},
	{Of: Relu, Rule: "a relu is a map", Do: foldRelu},
	{Of: Gelu, Rule: "a gelu is a map", Do: foldGelu},
	{Of: Map, Rule: "a map that gives the elements of its operand is that operand", Do: foldGiven},
}

func foldUnpack(b *ir.Builder, c *ir.Call) ir.Value {
	if g := b.Graph(); g.Def(c.Args[0]) == Pack {
		return g.Args(c.Args[0])[0]
	}
	return 0
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
	both := make([]int64, len(outer))
	for i, d := range outer {
		both[i] = inner[d]
	}
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

// specOf is the spec of an einsum that is being built.
func specOf(c *ir.Call) *Spec {
	var shapes [][]int64
	for i := range c.Args {
		shapes = append(shapes, Shape(c.Ctx(), c.ArgType(i)))
	}
	s, err := ParseSpec(c.Ctx().AttrInfo(c.Get("spec")).Str, shapes...)
	if err != nil {
		panic("ten.einsum: " + err.Error()) // inferEinsum has read it
	}
	return s
}

func foldTransposed(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	i := slices.IndexFunc(c.Args, func(x ir.Value) bool { return g.Def(x) == Transpose })
	if i < 0 {
		return 0
	}
	s := specOf(c)
	from := make([]int, len(s.In[i]))
	for d, at := range perm(g, c.Args[i]) {
		from[at] = s.In[i][d]
	}
	s.In[i] = from
	args := slices.Clone(c.Args)
	args[i] = g.Args(c.Args[i])[0]
	return BuildEinsumOf(b, s, c.Type, args...)
}

// foldIdentity: of a constant identity with indices x and y, of which y is summed over and another operand has
// it, only y = x is left. Products with its zeros are not taken.
func foldIdentity(b *ir.Builder, c *ir.Call) ir.Value {
	if len(c.Args) < 2 {
		return 0
	}
	for i := range c.Args {
		if !isIdentity(c, i) {
			continue
		}
		s := specOf(c)
		x, y := s.In[i][0], s.In[i][1]
		rest := slices.Delete(slices.Clone(s.In), i, i+1)
		elsewhere := func(k int) bool {
			return slices.ContainsFunc(rest, func(in []int) bool { return slices.Contains(in, k) })
		}
		if slices.Contains(s.Out, y) || !elsewhere(y) {
			x, y = y, x
		}
		if x == y || x == Stretched || y == Stretched || slices.Contains(s.Out, y) || !elsewhere(y) {
			continue
		}
		for k, in := range rest {
			rest[k] = slices.Clone(in)
			for d := range in {
				if in[d] == y {
					rest[k][d] = x
				}
			}
		}
		s.In = rest
		return BuildEinsumOf(b, s, c.Type, slices.Delete(slices.Clone(c.Args), i, i+1)...)
	}
	return 0
}

// isIdentity reports an operand that is a constant matrix of ones on the diagonal, and of zeros elsewhere.
func isIdentity(c *ir.Call, i int) bool {
	shape := Shape(c.Ctx(), c.ArgType(i))
	if len(shape) != 2 || shape[0] != shape[1] || shape[0] < 2 {
		return false
	}
	v, ok := c.Const(i)
	elems, isVec := v.Ref.(ir.Vector)
	if !ok || !isVec {
		return false
	}
	elem := Elem(c.Ctx(), c.ArgType(i))
	for k, x := range elems {
		if x.Ref != nil {
			return false
		}
		f, n := read(c.Ctx(), x, elem)
		want := 0
		if int64(k)/shape[1] == int64(k)%shape[1] {
			want = 1
		}
		if f+float64(n) != float64(want) {
			return false
		}
	}
	return true
}

func foldRenamed(b *ir.Builder, c *ir.Call) ir.Value {
	s := specOf(c)
	if len(c.Args) != 1 || len(s.Out) != len(s.In[0]) || len(s.Names) != len(s.Out) || slices.Contains(s.In[0], Stretched) ||
		Elem(c.Ctx(), c.Type) != Elem(c.Ctx(), c.ArgType(0)) {
		return 0
	}
	order, shape := make([]int64, len(s.Out)), Shape(c.Ctx(), c.ArgType(0))
	for d, x := range s.Out {
		order[d] = int64(slices.Index(s.In[0], x))
		if shape[order[d]] != Shape(c.Ctx(), c.Type)[d] {
			return 0 // the type says more
		}
	}
	return BuildTranspose(b, c.Args[0], order...)
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
