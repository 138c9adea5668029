package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// Rules on ops that move elements: several become one, and transposes go outward, where an einsum takes them.
var moveFolds = []ir.Fold{
	{Of: Slice, Rule: "a slice of a slice is one", Do: foldSlices},
	{Of: Slice, Rule: "a slice of all elements is its operand", Do: foldWhole},
	{Of: Slice, Rule: "a slice of a transpose is a transpose of a slice", Do: foldSliceTransposed},
	{Of: Conv, Rule: "a convolution by kernels of one place is an einsum", Do: foldPointwise},
	{Of: Map, Rule: "a map of transposes is a transpose of a map", Do: foldMapTransposed},
}

// sliceTraps: all that is known says that the elements are there.
func sliceTraps(c *ir.Call) bool {
	whole, part := Shape(c.Ctx(), c.ArgType(0)), Shape(c.Ctx(), c.Type)
	if isOpen(whole) || isOpen(part) {
		return true
	}
	for d, step := range c.Ctx().Ints(c.Get("steps")) {
		v, ok := c.Const(1 + d)
		if !ok || v.Ref != nil {
			return true
		}
		start, n := int64(v.Bits), part[d]
		if start < 0 || start > whole[d] || n > 0 && (start >= whole[d] || (whole[d]-1-start)/step < n-1) {
			return true
		}
	}
	return false
}

// foldSlices wants both known to be inside of what they are taken of: else it might give what traps.
func foldSlices(b *ir.Builder, c *ir.Call) ir.Value {
	g, x := b.Graph(), c.Args[0]
	if g.Def(x) != Slice || g.IsPartial(x) || sliceTraps(c) {
		return 0
	}
	inner, outer := g.Ctx.Ints(g.Attr(x, "steps")), c.Ctx().Ints(c.Get("steps"))
	args, steps := []ir.Value{g.Args(x)[0]}, make([]int64, len(outer))
	for d := range outer {
		first, _ := g.Const(g.Args(x)[1+d])
		then, _ := c.Const(1 + d)
		n, start := Shape(c.Ctx(), c.Type)[d], int64(first.Bits)
		if n > 0 { // of no elements the first may be behind the last, from which many steps lead outside
			start += int64(then.Bits) * inner[d]
		}
		args = append(args, b.Index(start))
		if steps[d] = inner[d] * outer[d]; n <= 1 {
			steps[d] = 1 // which no element is taken by
		}
	}
	return b.Must(ir.Call{Def: Slice, Args: args, Attr: c.Ctx().With(c.Attr, "steps", Ints(c.Ctx(), steps...)), Type: c.Type, Loc: c.Loc})
}

func foldWhole(_ *ir.Builder, c *ir.Call) ir.Value {
	if c.Type == c.ArgType(0) && !isOpen(Shape(c.Ctx(), c.Type)) && !sliceTraps(c) {
		return c.Args[0]
	}
	return 0
}

func foldSliceTransposed(b *ir.Builder, c *ir.Call) ir.Value {
	g, x := b.Graph(), c.Args[0]
	if g.Def(x) != Transpose {
		return 0
	}
	p, shape, rank := perm(g, x), Shape(c.Ctx(), c.Type), len(perm(g, x))
	open := make([]ir.Value, rank) // extents that are operands
	next := 1 + rank
	for d, n := range shape {
		if n == ir.Dynamic {
			open[d] = c.Args[next]
			next++
		}
	}
	back, steps := make([]int64, rank), c.Ctx().Ints(c.Get("steps"))
	for d, at := range p {
		back[at] = int64(d)
	}
	args, to, by := []ir.Value{g.Args(x)[0]}, make([]int64, rank), make([]int64, rank)
	for at, d := range back {
		args = append(args, c.Args[1+d])
		to[at], by[at] = shape[d], steps[d]
	}
	for _, d := range back {
		if open[d] != 0 {
			args = append(args, open[d])
		}
	}
	part := b.Must(ir.Call{Def: Slice, Args: args, Attr: c.Ctx().With(c.Attr, "steps", Ints(c.Ctx(), by...)), Type: c.Ctx().Tensor(to, Elem(c.Ctx(), c.Type)), Loc: c.Loc})
	return BuildTranspose(b, part, p...)
}

// foldMapTransposed: all operands of some rank are transposed in the same way, and the others have none.
func foldMapTransposed(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	var p []int64
	args := slices.Clone(c.Args)
	for i, a := range args {
		if len(Shape(c.Ctx(), c.ArgType(i))) == 0 {
			continue
		}
		if g.Def(a) != Transpose || p != nil && !slices.Equal(p, perm(g, a)) {
			return 0
		}
		p, args[i] = perm(g, a), g.Args(a)[0]
	}
	shape := Shape(c.Ctx(), c.Type)
	if len(p) != len(shape) || p == nil {
		return 0
	}
	from := make([]int64, len(shape))
	for d, at := range p {
		from[at] = shape[d]
	}
	r := b.CopyRegion(c.Regions[0], nil)
	mapped := b.Must(ir.Call{Def: Map, Args: args, Attr: c.Attr, Regions: []ir.Region{r}, Type: c.Ctx().Tensor(from, Elem(c.Ctx(), c.Type)), Loc: c.Loc})
	return BuildTranspose(b, mapped, p...)
}

// foldPointwise: kernels of one place each are a matrix, and the image has its places in a row.
func foldPointwise(b *ir.Builder, c *ir.Call) ir.Value {
	w, x, kernel := WindowOf(c.Ctx(), c.Attr), Shape(c.Ctx(), c.ArgType(0)), Shape(c.Ctx(), c.ArgType(1))
	for d := range w.Low {
		if kernel[2+d] != 1 || w.Strides[d] != 1 {
			return 0
		}
	}
	n, ok := product(x[2:])
	if w.Padded() || w.Groups != 1 || isOpen(x[2:]) || isOpen(Shape(c.Ctx(), c.Type)[2:]) || !ok {
		return 0
	}
	batch := dimOfFirst(b, c.Args[0])
	row := reshaped(b, c.Args[0], []int64{x[0], x[1], n}, batch)
	matrix := reshaped(b, c.Args[1], kernel[:2], nil)
	s := &Spec{In: [][]int{{0, 1}, {2, 1, 3}}, Out: []int{2, 0, 3}, Names: []string{"m", "c", "n", "p"}, Extents: []int64{kernel[0], x[1], x[0], n}}
	y := BuildEinsum(b, s, Elem(c.Ctx(), c.Type), matrix, row)
	return reshaped(b, y, Shape(c.Ctx(), c.Type), batch)
}

// dimOfFirst is the first extent of a tensor, if its type leaves that open.
func dimOfFirst(b *ir.Builder, x ir.Value) []ir.Value {
	c := b.Ctx()
	if Shape(c, b.Graph().Type(x))[0] != ir.Dynamic {
		return nil
	}
	return []ir.Value{b.OpAttr(Dim, c.With(0, "dim", c.IntAttr(0, ir.I64)), x)}
}

// reshaped is a tensor under other extents, those of them that are open given.
func reshaped(b *ir.Builder, x ir.Value, shape []int64, open []ir.Value) ir.Value {
	c := b.Ctx()
	t := c.Tensor(shape, Elem(c, b.Graph().Type(x)))
	if t == b.Graph().Type(x) {
		return x
	}
	return b.Must(ir.Call{Def: Reshape, Args: append([]ir.Value{x}, open...), Type: t, Loc: b.Loc})
}
