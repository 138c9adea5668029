package memref

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
)

func inferCast(c *ir.Call) (ir.Type, error) {
	from, to, err := sourceAndResult(c, 1, 1, -1, anyMemref, "operand #0")
	if err != nil {
		return 0, err
	}
	if !castable(c.Ctx(), c.ArgType(0), c.Type) {
		return 0, c.Errorf("operand type and result type are cast incompatible")
	}
	if from.Unranked && to.Unranked {
		return 0, c.Errorf("operand type and result type are cast incompatible")
	}
	return c.Type, nil
}

// castable reports types that one memref may have both.
func castable(c *ir.Context, x, y ir.Type) bool {
	a, b := c.Info(x), c.Info(y)
	if a.Elem != b.Elem || a.Space != b.Space {
		return false
	}
	if a.Unranked || b.Unranked {
		return true
	}
	if !compatible(a.Shape, b.Shape) {
		return false
	}
	if a.Layout == b.Layout {
		return true
	}
	sa, oa, ok1 := layouts.Layout(c, x)
	sb, ob, ok2 := layouts.Layout(c, y)
	return ok1 && ok2 && compatible(sa, sb) && compatible([]int64{oa}, []int64{ob})
}

func inferMemorySpaceCast(c *ir.Call) (ir.Type, error) {
	from, to, err := sourceAndResult(c, 1, 1, -1, anyMemref, "operand #0")
	if err != nil {
		return 0, err
	}
	if from.Elem != to.Elem || from.Unranked != to.Unranked || from.Layout != to.Layout || !slices.Equal(from.Shape, to.Shape) {
		return 0, c.Errorf("operand type and result type may differ in their memory space only")
	}
	return c.Type, nil
}

// mixed are values that are partly static: offsets, sizes or strides.
type mixed struct {
	static  []int64
	dynamic []ir.Value
}

// viewParts reads the offsets, sizes and strides of subview and
// reinterpret_cast.
func viewParts(c *ir.Call) (parts [3]mixed, err error) {
	seg, err := c.Segments(4)
	if err != nil {
		return parts, err
	}
	if len(seg[0]) != 1 {
		return parts, c.Errorf("has one source operand")
	}
	for i, name := range offsetSizesStrides[1:] {
		parts[i] = mixed{c.Ctx().Ints(c.Get(name)), seg[i+1]}
		if err := indices(c, seg[i+1]); err != nil {
			return parts, err
		}
		if n := count(parts[i].static, ir.Dynamic); n != len(seg[i+1]) {
			return parts, c.Errorf("expected %d dynamic values for '%s', has %d", n, name, len(seg[i+1]))
		}
	}
	for _, n := range parts[1].static {
		if n < 0 && n != ir.Dynamic {
			return parts, c.Errorf("expected sizes to be non-negative, but got %d", n)
		}
	}
	return parts, nil
}

func inferReinterpretCast(c *ir.Call) (ir.Type, error) {
	p, err := viewParts(c)
	if err != nil {
		return 0, err
	}
	from, err := anyMemref(c, "source", c.ArgType(0))
	if err != nil {
		return 0, err
	}
	to, err := ranked(c, "result", c.Type)
	if err != nil {
		return 0, err
	}
	n := len(to.Shape)
	if len(p[0].static) != 1 || len(p[1].static) != n || len(p[2].static) != n {
		return 0, c.Errorf("expects one offset, and %d sizes and strides", n)
	}
	if from.Elem != to.Elem || from.Space != to.Space {
		return 0, c.Errorf("different element type or memory space specified for source and result")
	}
	strides, offset, ok := layouts.Layout(c.Ctx(), c.Type)
	if !ok {
		return 0, c.Errorf("expected result type to have strided layout")
	}
	if !agree(p[1].static, to.Shape) {
		return 0, c.Errorf("expected the sizes of the result type")
	}
	if !tells(strides, p[2].static) || !tells([]int64{offset}, p[0].static) {
		return 0, c.Errorf("expected the offset and strides of the result type")
	}
	return c.Type, nil
}

// agree reports that no number that is known differs from the other list's.
func agree(a, b []int64) bool {
	for i := range a {
		if a[i] != b[i] && a[i] != ir.Dynamic && b[i] != ir.Dynamic {
			return false
		}
	}
	return true
}

// tells reports that a type's numbers say no more than, and nothing against,
// those of the op.
func tells(typ, op []int64) bool {
	for i := range typ {
		if typ[i] != ir.Dynamic && typ[i] != op[i] {
			return false
		}
	}
	return true
}

func inferSubview(c *ir.Call) (ir.Type, error) {
	p, err := viewParts(c)
	if err != nil {
		return 0, err
	}
	from, err := ranked(c, "source", c.ArgType(0))
	if err != nil {
		return 0, err
	}
	for i := range p {
		if len(p[i].static) != len(from.Shape) {
			return 0, c.Errorf("expected %d offset, size and stride values", len(from.Shape))
		}
	}
	full, ok := subviewType(c.Ctx(), c.ArgType(0), p)
	if !ok {
		return 0, c.Errorf("expected base type to have a strided layout")
	}
	if c.Type == ir.NoType {
		return full, nil
	}
	to, err := ranked(c, "result", c.Type)
	if err != nil {
		return 0, err
	}
	if to.Elem != from.Elem || to.Space != from.Space {
		return 0, c.Errorf("expected result element type and memory space to be those of the source")
	}
	kept, ok := reduced(p[1].static, to.Shape)
	if !ok {
		return 0, c.Errorf("expected result type to be of the sizes, unit dimensions left out or not")
	}
	strides, offset, ok := layouts.Layout(c.Ctx(), c.Type)
	wantStrides, wantOffset, _ := layouts.Layout(c.Ctx(), full)
	if !ok || offset != wantOffset {
		return 0, c.Errorf("expected the result type's offset to follow from the source")
	}
	for i, k := range kept {
		if strides[i] != wantStrides[k] {
			return 0, c.Errorf("expected the result type's strides to follow from the source")
		}
	}
	return c.Type, nil
}

// subviewType is the type of a subview of full rank.
func subviewType(c *ir.Context, src ir.Type, p [3]mixed) (ir.Type, bool) {
	strides, offset, ok := layouts.Layout(c, src)
	if !ok {
		return 0, false
	}
	out := make([]int64, len(strides))
	for i := range strides {
		offset = layouts.Plus(offset, layouts.Times(p[0].static[i], strides[i]))
		out[i] = layouts.Times(strides[i], p[2].static[i])
	}
	return stridedType(c, c.Info(src), p[1].static, out, offset), true
}

// reduced finds which dimensions of the sizes a rank-reduced shape keeps; those
// left out are 1.
func reduced(sizes, shape []int64) (kept []int, ok bool) {
	drop := len(sizes) - len(shape)
	for i, n := range sizes {
		if len(kept) < len(shape) && shape[len(kept)] == n {
			// A 1 is kept as long as enough others remain to be left out.
			if n != 1 || canDrop(sizes[i+1:], shape[len(kept)+1:]) {
				kept = append(kept, i)
				continue
			}
		}
		if n != 1 || drop == 0 {
			return nil, false
		}
		drop--
	}
	return kept, len(kept) == len(shape)
}

// canDrop reports that shape is sizes with some ones left out.
func canDrop(sizes, shape []int64) bool {
	j := 0
	for _, n := range sizes {
		switch {
		case j < len(shape) && shape[j] == n:
			j++
		case n != 1:
			return false
		}
	}
	return j == len(shape)
}

func inferView(c *ir.Call) (ir.Type, error) {
	from, to, err := sourceAndResult(c, 2, -1, 1, ranked, "source")
	if err != nil {
		return 0, err
	}
	if len(from.Shape) != 1 || from.Elem != ir.I8 || from.Layout != 0 {
		return 0, c.Errorf("operand #0 must be 1D memref of 8-bit signless integer values with the identity layout")
	}
	if to.Layout != 0 || to.Space != from.Space {
		return 0, c.Errorf("expects the identity layout and the memory space of the source for the result")
	}
	if n := count(to.Shape, ir.Dynamic); n != len(c.Args)-2 {
		return 0, c.Errorf("incorrect number of size operands for type: %d for %d dynamic extents", len(c.Args)-2, n)
	}
	return c.Type, nil
}

// regroup checks the ranks and extents of expand_shape and collapse_shape.
func regroup(c *ir.Call, small, large *ir.TypeInfo) ([][]int, error) {
	groups, n, ok := layouts.Groups(c.Ctx(), c.Get("reassociation"))
	if !ok {
		return nil, c.Errorf("requires a 'reassociation' of consecutive dimensions")
	}
	if len(groups) != len(small.Shape) && len(groups) != 0 || n != len(large.Shape) && n != 0 {
		return nil, c.Errorf("reassociation does not fit the ranks %d and %d", len(small.Shape), len(large.Shape))
	}
	if small.Elem != large.Elem || small.Space != large.Space {
		return nil, c.Errorf("element type and memory space do not change")
	}
	for i, g := range groups {
		product := int64(1)
		for _, d := range g {
			product = layouts.Times(product, large.Shape[d])
		}
		if product != ir.Dynamic && small.Shape[i] != ir.Dynamic && product != small.Shape[i] || (product == ir.Dynamic) != (small.Shape[i] == ir.Dynamic) {
			return nil, c.Errorf("collapsed dim size (%d) must equal reassociation group size", i)
		}
	}
	return groups, nil
}

func inferExpandShape(c *ir.Call) (ir.Type, error) {
	small, large, err := sourceAndResult(c, 1, -1, 1, ranked, "source")
	if err != nil {
		return 0, err
	}
	groups, err := regroup(c, small, large)
	if err != nil {
		return 0, err
	}
	shape := c.Ctx().Ints(c.Get("static_output_shape"))
	if !slices.Equal(shape, large.Shape) || count(shape, ir.Dynamic) != len(c.Args)-1 {
		return 0, c.Errorf("expected 'static_output_shape' and operands to be the shape of the result")
	}
	want, ok := expandedType(c.Ctx(), c.ArgType(0), groups, large.Shape)
	if ok && !refines(c.Ctx(), c.Type, want) && !refines(c.Ctx(), want, c.Type) {
		return 0, c.Errorf("expected the layout of the result to follow from the source")
	}
	return c.Type, nil
}

// expandedType is the type of expand_shape.
func expandedType(c *ir.Context, src ir.Type, groups [][]int, shape []int64) (ir.Type, bool) {
	strides, offset, ok := layouts.Layout(c, src)
	if !ok {
		return 0, false
	}
	out := layouts.RowMajor(shape)
	for i, g := range groups {
		n := strides[i]
		for j := len(g) - 1; j >= 0; j-- {
			out[g[j]] = n
			n = layouts.Times(n, shape[g[j]])
		}
	}
	return stridedType(c, c.Info(src), shape, out, offset), true
}

func inferCollapseShape(c *ir.Call) (ir.Type, error) {
	large, small, err := sourceAndResult(c, 1, 1, -1, ranked, "source")
	if err != nil {
		return 0, err
	}
	if _, err = regroup(c, small, large); err != nil {
		return 0, err
	}
	return c.Type, nil
}

func inferReshape(c *ir.Call) (ir.Type, error) {
	from, err := source(c, 2, 2, -1, anyMemref, "source")
	if err != nil {
		return 0, err
	}
	shape, err := ranked(c, "shape", c.ArgType(1))
	if err != nil {
		return 0, err
	}
	to, err := anyMemref(c, "result", c.Type)
	if err != nil {
		return 0, err
	}
	if len(shape.Shape) != 1 || !c.Ctx().IsInt(shape.Elem) {
		return 0, c.Errorf("the shape must be a one-dimensional memref of integers or indices")
	}
	if from.Elem != to.Elem || from.Layout != 0 || to.Layout != 0 {
		return 0, c.Errorf("source and result have one element type and the identity layout")
	}
	switch n := shape.Shape[0]; {
	case to.Unranked:
	case n == ir.Dynamic:
		return 0, c.Errorf("cannot use shape operand with dynamic length to reshape to statically-ranked memref type")
	case n != int64(len(to.Shape)):
		return 0, c.Errorf("length of shape operand differs from the result's memref rank")
	}
	return c.Type, nil
}

func inferTranspose(c *ir.Call) (ir.Type, error) {
	from, err := source(c, 1, 1, -1, ranked, "operand #0")
	if err != nil {
		return 0, err
	}
	perm, ok := permutationOf(c.Ctx(), c.Get("permutation"))
	if !ok || len(perm) != len(from.Shape) {
		return 0, c.Errorf("expected a permutation map of the rank of the input")
	}
	strides, offset, ok := layouts.Layout(c.Ctx(), c.ArgType(0))
	if !ok {
		return 0, c.Errorf("expected the input to have a strided layout")
	}
	shape, out := make([]int64, len(perm)), make([]int64, len(perm))
	for i, d := range perm {
		shape[i], out[i] = from.Shape[d], strides[d]
	}
	want := stridedType(c.Ctx(), from, shape, out, offset)
	if c.Type == ir.NoType {
		return want, nil
	}
	if _, err := ranked(c, "result", c.Type); err != nil {
		return 0, err
	}
	if !refines(c.Ctx(), c.Type, want) || !refines(c.Ctx(), want, c.Type) {
		return 0, c.Errorf("result type is not the transposed input type")
	}
	return c.Type, nil
}

func inferDim(c *ir.Call) (ir.Type, error) {
	info, err := source(c, 2, 2, 1, anyMemref, "operand #0")
	if err == nil && !info.Unranked && len(info.Shape) == 0 {
		err = c.Errorf("operand #0 must be a memref of rank one or more")
	}
	return ir.Index, err
}

func inferRank(c *ir.Call) (ir.Type, error) {
	_, err := source(c, 1, 1, -1, anyMemref, "operand #0")
	return ir.Index, err
}

func inferExtractAlignedPointer(c *ir.Call) (ir.Type, error) { return inferRank(c) }

func inferExtractStridedMetadata(c *ir.Call) (ir.Type, error) {
	info, err := source(c, 1, 1, -1, ranked, "operand #0")
	if err != nil {
		return 0, err
	}
	base := c.Ctx().Type(ir.TypeInfo{Kind: ir.KindMemRef, Elem: info.Elem, Space: info.Space})
	types := []ir.Type{base, ir.Index}
	for range 2 * len(info.Shape) {
		types = append(types, ir.Index)
	}
	return c.Ctx().Multi(types...), nil
}
