package vector

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// operands checks their number; most below 0 stands for any.
func operands(c *ir.Call, least, most int) error {
	if n := len(c.Args); n < least || most >= 0 && n > most {
		return c.Errorf("expects %d operands, has %d", least, n)
	}
	return nil
}

// takes is the check of an op of a number of operands.
func takes(least, most int, f func(c *ir.Call) (ir.Type, error)) func(c *ir.Call) (ir.Type, error) {
	return func(c *ir.Call) (ir.Type, error) {
		if err := operands(c, least, most); err != nil {
			return 0, err
		}
		return f(c)
	}
}

// isVector returns what a type consists of if it is a vector.
func isVector(c *ir.Call, what string, t ir.Type) (*ir.TypeInfo, error) {
	info := c.Ctx().Info(t)
	if t == ir.NoType {
		return nil, c.Errorf("needs the type of its %s", what)
	}
	if info.Kind != ir.KindVector {
		return nil, c.Errorf("%s must be a vector, but is %s", what, quote(c, t))
	}
	return info, nil
}

// vectorAt checks how many operands there are, and returns what operand i consists of, which is to be a vector.
func vectorAt(c *ir.Call, least, most int, what string, i int) (*ir.TypeInfo, error) {
	if err := operands(c, least, most); err != nil {
		return nil, err
	}
	return isVector(c, what, c.ArgType(i))
}

// one checks that there is one operand, a vector, and a result, a vector.
func one(c *ir.Call) (from, to *ir.TypeInfo, err error) {
	if err = operands(c, 1, 1); err != nil {
		return nil, nil, err
	}
	if from, err = isVector(c, "operand", c.ArgType(0)); err != nil {
		return nil, nil, err
	}
	to, err = isVector(c, "result", c.Type)
	return from, to, err
}

func inferBroadcast(c *ir.Call) (ir.Type, error) {
	to, err := isVector(c, "result", c.Type)
	if err != nil {
		return 0, err
	}
	x := c.Ctx()
	if x.ElemOrSelf(c.ArgType(0)) != to.Elem || x.Info(c.ArgType(0)).Kind == ir.KindTensor {
		return 0, c.Errorf("source is %s, and cannot be repeated in %s: another element type", quote(c, c.ArgType(0)), quote(c, c.Type))
	}
	from := shapeOf(x, c.ArgType(0))
	lead := len(to.Shape) - len(from)
	if lead < 0 {
		return 0, c.Errorf("source rank higher than destination rank: %d and %d", len(from), len(to.Shape))
	}
	for d, n := range from {
		if n != 1 && n != to.Shape[lead+d] {
			return 0, c.Errorf("dimension mismatch: dimension %d of the source is %d, and %d of the result", d, n, to.Shape[lead+d])
		}
	}
	return c.Type, nil
}

func inferSplat(c *ir.Call) (ir.Type, error) {
	to, err := isVector(c, "result", c.Type)
	if err == nil && c.ArgType(0) != to.Elem {
		err = c.Errorf("expected operand of type %s, the element type of the result, but got %s", quote(c, to.Elem), quote(c, c.ArgType(0)))
	}
	return c.Type, err
}

func inferFromElements(c *ir.Call) (ir.Type, error) {
	to, err := isVector(c, "result", c.Type)
	if err != nil {
		return 0, err
	}
	if n, ok := lanes(c.Ctx(), c.Type); !ok || n != len(c.Args) {
		return 0, c.Errorf("number of operands (%d) must be that of the elements of %s", len(c.Args), quote(c, c.Type))
	}
	for i := range c.Args {
		if c.ArgType(i) != to.Elem {
			return 0, c.Errorf("expected operand #%d of type %s, the element type of the result, but got %s", i, quote(c, to.Elem), quote(c, c.ArgType(i)))
		}
	}
	return c.Type, nil
}

func inferShapeCast(c *ir.Call) (ir.Type, error) {
	from, to, err := one(c)
	if err != nil {
		return 0, err
	}
	if from.Elem != to.Elem {
		return 0, c.Errorf("source/result vectors must have same element type, not %s and %s", quote(c, from.Elem), quote(c, to.Elem))
	}
	if n, m := product(from.Shape), product(to.Shape); n != m {
		return 0, c.Errorf("source/result number of elements must match, and are %d and %d", n, m)
	}
	if a, b := from.Shape, to.Shape; !splits(a, b) && !splits(b, a) {
		return 0, c.Errorf("invalid shape cast: neither %s nor %s has the dimensions of the other split; go by way of one dimension", quote(c, c.ArgType(0)), quote(c, c.Type))
	}
	if scales(from) != scales(to) {
		return 0, c.Errorf("source/result number of scalable dimensions must match, and are %d and %d", scales(from), scales(to))
	}
	return c.Type, nil
}

// splits reports that a shape is another one of fewer dimensions, or as many, each of which was split into
// several next to each other. Of as many dimensions MLIR asks no more than that there are as many lanes.
func splits(few, many []int64) bool {
	if len(few) >= len(many) {
		return len(few) == len(many)
	}
	i := 0
	for _, n := range few {
		for p := int64(1); p < n || i < len(many) && p == n && many[i] == 1; i++ {
			if i == len(many) {
				return false
			}
			if p = ir.Times(p, many[i]); p > n {
				return false
			}
		}
	}
	return i == len(many) || len(few) == 0
}

// product is the number of elements of a shape, or more than any if that is too many.
func product(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		if d > 0 && n > 1<<62/d {
			return 1 << 62
		}
		n = ir.Times(n, d)
	}
	return n
}

// scales counts the dimensions that scale.
func scales(info *ir.TypeInfo) int {
	n := 0
	for _, s := range info.Scalable {
		if s {
			n++
		}
	}
	return n
}

// intsOf reads a list of integers, an array of attributes or a dense one.
func intsOf(c *ir.Context, a ir.Attr) []int64 {
	if a == 0 {
		return nil
	}
	info := c.AttrInfo(a)
	if info.Kind != ir.AttrArray {
		return c.Ints(a)
	}
	out := make([]int64, 0, len(info.List))
	for _, e := range info.List {
		if c.AttrInfo(e).Kind == ir.AttrInt {
			out = append(out, c.AttrInfo(e).Int)
		}
	}
	return out
}

// listOf is intsOf, each number when it is asked for.
func listOf(c *ir.Context, a ir.Attr) func(i int) int64 {
	if info := c.AttrInfo(a); info.Kind == ir.AttrArray {
		return func(i int) int64 { return c.AttrInfo(info.List[i]).Int }
	}
	return func(i int) int64 { n, _ := c.IntAt(a, i); return n }
}

// numbers reads an attribute that must be a list of integers.
func numbers(c *ir.Call, name string) ([]int64, error) {
	a := c.Get(name)
	if a != 0 {
		switch info := c.Ctx().AttrInfo(a); info.Kind {
		case ir.AttrDenseArray:
			return c.Ctx().Ints(a), nil
		case ir.AttrArray:
			if out := intsOf(c.Ctx(), a); len(out) == len(info.List) {
				return out, nil
			}
		}
	}
	return nil, c.Errorf("requires attribute '%s', a list of integers", name)
}

func inferShuffle(c *ir.Call) (ir.Type, error) {
	a, err := vectorAt(c, 2, 2, "operand #0", 0)
	if err != nil {
		return 0, err
	}
	b, err := isVector(c, "operand #1", c.ArgType(1))
	if err != nil {
		return 0, err
	}
	mask, err := numbers(c, "mask")
	switch {
	case err != nil:
		return 0, err
	case a.Elem != b.Elem || len(a.Shape) != len(b.Shape):
		return 0, c.Errorf("rank or element type mismatch: %s and %s", quote(c, c.ArgType(0)), quote(c, c.ArgType(1)))
	case len(a.Shape) > 0 && !slices.Equal(a.Shape[1:], b.Shape[1:]):
		return 0, c.Errorf("dimension mismatch: %s and %s differ in more than their first dimension", quote(c, c.ArgType(0)), quote(c, c.ArgType(1)))
	case scales(a)+scales(b) > 0:
		return 0, c.Errorf("does not take scalable vectors")
	case len(mask) == 0:
		return 0, c.Errorf("invalid mask length: 0")
	}
	rows := int64(2)
	shape := []int64{int64(len(mask))}
	if len(a.Shape) > 0 {
		rows = a.Shape[0] + b.Shape[0]
		shape = append(shape, a.Shape[1:]...)
	}
	for i, k := range mask {
		if k < 0 || k >= rows {
			return 0, c.Errorf("mask index #%d out of range: %d is not in [0, %d)", i+1, k, rows)
		}
	}
	return c.Ctx().Vector(shape, a.Elem), nil
}

func inferTranspose(c *ir.Call) (ir.Type, error) {
	from, err := vectorAt(c, 1, 1, "operand", 0)
	if err != nil {
		return 0, err
	}
	perm, err := numbers(c, "permutation")
	if err != nil {
		return 0, err
	}
	if len(perm) != len(from.Shape) {
		return 0, c.Errorf("transposition length mismatch: %d numbers for a vector of rank %d", len(perm), len(from.Shape))
	}
	seen, dims := make([]bool, len(perm)), make([]int, len(perm))
	for i, p := range perm {
		switch {
		case p < 0 || p >= int64(len(perm)):
			return 0, c.Errorf("transposition index out of range: %d", p)
		case seen[p]:
			return 0, c.Errorf("duplicate position index: %d", p)
		}
		seen[p], dims[i] = true, int(p)
	}
	if len(perm) == 0 {
		return c.ArgType(0), nil
	}
	return likeVector(c.Ctx(), from, dims), nil
}

// position checks a position in a vector whose dynamic numbers are the operands from the given one
// on, and returns how many dimensions it fixes.
func position(c *ir.Call, info *ir.TypeInfo, from int) (int, error) {
	static, err := numbers(c, "static_position")
	if err != nil {
		return 0, err
	}
	if len(static) > len(info.Shape) {
		return 0, c.Errorf("expected position attribute of rank no greater than vector rank: %d and %d", len(static), len(info.Shape))
	}
	dynamic := 0
	for i, p := range static {
		if p == ir.Dynamic {
			dynamic++
		} else if p < 0 || p >= info.Shape[i] {
			return 0, c.Errorf("expected position attribute #%d to be a non-negative integer smaller than the corresponding vector dimension: %d is not in [0, %d)", i+1, p, info.Shape[i])
		}
	}
	if dynamic != len(c.Args)-from {
		return 0, c.Errorf("%d numbers of its position are dynamic, and %d operands are given for them", dynamic, len(c.Args)-from)
	}
	for i := from; i < len(c.Args); i++ {
		if c.ArgType(i) != ir.Index {
			return 0, c.Errorf("positions must be of type index, and operand #%d is %s", i, quote(c, c.ArgType(i)))
		}
	}
	return len(static), nil
}

// partAt is the type of what stands at a position that fixes n dimensions.
func partAt(c *ir.Context, info *ir.TypeInfo, n int) ir.Type {
	var dims []int
	for d := n; d < len(info.Shape); d++ {
		dims = append(dims, d)
	}
	return likeVector(c, info, dims)
}

func inferExtract(c *ir.Call) (ir.Type, error) {
	info, err := vectorAt(c, 1, -1, "operand #0", 0)
	if err != nil {
		return 0, err
	}
	n, err := position(c, info, 1)
	if err != nil {
		return 0, err
	}
	part := partAt(c.Ctx(), info, n)
	if c.Type != ir.NoType && c.Type != part && oneOf(c, c.Type, part) {
		c.NoMeaning("gives %s as %s", quote(c, part), quote(c, c.Type))
	} else if c.Type != ir.NoType && c.Type != part && !(len(info.Shape) == n && unit(c, c.Type, info.Elem)) {
		return 0, c.Errorf("gives %s, and its result is said to be %s", quote(c, part), quote(c, c.Type))
	}
	if c.Type != ir.NoType {
		part = c.Type
	}
	return part, nil
}

// oneOf reports that of two types one is a vector of one lane, and the other its element.
func oneOf(c *ir.Call, t, u ir.Type) bool {
	return c.Ctx().Vector([]int64{1}, t) == u || c.Ctx().Vector([]int64{1}, u) == t
}

// unit reports a vector of no dimensions, which may stand for its element.
func unit(c *ir.Call, t, elem ir.Type) bool {
	info := c.Ctx().Info(t)
	return info.Kind == ir.KindVector && len(info.Shape) == 0 && info.Elem == elem
}

func inferInsert(c *ir.Call) (ir.Type, error) {
	info, err := vectorAt(c, 2, -1, "operand #1", 1)
	if err != nil {
		return 0, err
	}
	n, err := position(c, info, 2)
	if err != nil {
		return 0, err
	}
	part := partAt(c.Ctx(), info, n)
	if t := c.ArgType(0); t != part && !(len(info.Shape) == n && unit(c, t, info.Elem)) {
		return 0, c.Errorf("inserts %s where %s stands", quote(c, t), quote(c, part))
	}
	return c.ArgType(1), nil
}

// elementPosition checks the optional position behind a vector, operand v.
func elementPosition(c *ir.Call, v int) (*ir.TypeInfo, error) {
	info, err := vectorAt(c, v+1, v+2, "vector", v)
	if err != nil {
		return nil, err
	}
	given := len(c.Args) == v+2
	switch {
	case len(info.Shape) > 1:
		return nil, c.Errorf("unexpected >1 vector rank: %s; vector.extract and vector.insert take positions in several dimensions", quote(c, c.ArgType(v)))
	case len(info.Shape) == 0 && given:
		return nil, c.Errorf("expected position to be empty with 0-D vector")
	case len(info.Shape) == 1 && !given:
		return nil, c.Errorf("expected position for 1-D vector")
	case given && !c.Ctx().IsInt(c.ArgType(v+1)):
		return nil, c.Errorf("position must be signless integer or index, but is %s", quote(c, c.ArgType(v+1)))
	}
	return info, nil
}

func inferExtractElement(c *ir.Call) (ir.Type, error) {
	info, err := elementPosition(c, 0)
	if err != nil {
		return 0, err
	}
	return info.Elem, nil
}

func inferInsertElement(c *ir.Call) (ir.Type, error) {
	info, err := elementPosition(c, 1)
	if err == nil && c.ArgType(0) != info.Elem {
		err = c.Errorf("inserts %s into a vector of %s", quote(c, c.ArgType(0)), quote(c, info.Elem))
	}
	if err != nil {
		return 0, err
	}
	return c.ArgType(1), nil
}

func inferBitcast(c *ir.Call) (ir.Type, error) {
	from, to, err := one(c)
	if err != nil {
		return 0, err
	}
	x := c.Ctx()
	if len(from.Shape) != len(to.Shape) {
		return 0, c.Errorf("source and result must have the same rank, not %d and %d", len(from.Shape), len(to.Shape))
	}
	last := len(from.Shape) - 1
	a, b := int64(x.Info(from.Elem).Width), int64(x.Info(to.Elem).Width)
	for d := range last {
		if from.Shape[d] != to.Shape[d] {
			return 0, c.Errorf("dimension size mismatch: %d and %d in dimension %d", from.Shape[d], to.Shape[d], d)
		}
	}
	if last >= 0 {
		a, b = a*from.Shape[last], b*to.Shape[last]
	}
	if a != b || a == 0 {
		return 0, c.Errorf("source/result bitwidth of the minor 1-D vectors must be equal, and are %d and %d", a, b)
	}
	return c.Type, nil
}

func inferFMA(c *ir.Call) (ir.Type, error) {
	info, err := vectorAt(c, 3, 3, "operand #0", 0)
	if err != nil {
		return 0, err
	}
	if !c.Ctx().IsFloat(info.Elem) {
		return 0, c.Errorf("operand #0 must be a vector of floats, but is %s", quote(c, c.ArgType(0)))
	}
	if c.ArgType(1) != c.ArgType(0) || c.ArgType(2) != c.ArgType(0) {
		return 0, c.Errorf("requires the same type for all operands and its result: %s, %s and %s", quote(c, c.ArgType(0)), quote(c, c.ArgType(1)), quote(c, c.ArgType(2)))
	}
	return c.ArgType(0), nil
}

func inferReduction(c *ir.Call) (ir.Type, error) {
	info, err := vectorAt(c, 1, 2, "operand #0", 0)
	if err != nil {
		return 0, err
	}
	if len(info.Shape) > 1 {
		return 0, c.Errorf("unsupported reduction rank: %d; vector.multi_reduction takes several dimensions", len(info.Shape))
	}
	if err := checkKind(c, info.Elem); err != nil {
		return 0, err
	}
	if len(c.Args) == 2 && c.ArgType(1) != info.Elem {
		return 0, c.Errorf("the accumulator is %s, and the elements are %s", quote(c, c.ArgType(1)), quote(c, info.Elem))
	}
	return info.Elem, elementwise.CheckFlags(c)
}
