package vector

import "github.com/irc-lang/irc/ir"

// sliceLanes are the lanes of a part of the operand that begins at offsets in leading dimensions.
func sliceLanes(m *move, _ int) (func(int) int, bool) {
	offsets, strides, out := listOf(m.c, m.c.Get(m.attr, "offsets")), stridesOf(m.shape(0)), stridesOf(m.result())
	n := len(intsOf(m.c, m.c.Get(m.attr, "offsets")))
	first := 0
	for d := range n {
		first += int(offsets(d)) * strides[d]
	}
	return func(k int) int {
		from := first
		for d, s := range out {
			from += k / s * strides[d]
			k %= s
		}
		return from
	}, true
}

// insertSliceLanes is operand 1 but where operand 0 stands, in the last dimensions.
func insertSliceLanes(m *move, _ int) (func(int) int, bool) {
	offsets, part := intsOf(m.c, m.c.Get(m.attr, "offsets")), m.shape(0)
	all, in, n := stridesOf(m.shape(1)), stridesOf(part), m.lanes(0)
	lead := len(all) - len(part)
	return func(k int) int {
		from, rest := 0, k
		for d, s := range all {
			at := rest/s - int(offsets[d])
			rest %= s
			switch {
			case d < lead && at != 0, d >= lead && (at < 0 || at >= int(part[d-lead])):
				return n + k
			case d >= lead:
				from += at * in[d-lead]
			}
		}
		return from
	}, true
}

// interleaveLanes alternates lanes of both operands in the last dimension.
func interleaveLanes(m *move, _ int) (func(int) int, bool) {
	n := m.lanes(0)
	return func(k int) int { return k%2*n + k/2 }, true
}

// deinterleaveLanes is every other lane, from the first or the second on.
func deinterleaveLanes(_ *move, i int) (func(int) int, bool) {
	return func(k int) int { return 2*k + i }, true
}

// flatTransposeLanes: both matrices lie column by column.
func flatTransposeLanes(m *move, _ int) (func(int) int, bool) {
	rows := int(m.c.AttrInfo(m.c.Get(m.attr, "rows")).Int)
	columns := int(m.c.AttrInfo(m.c.Get(m.attr, "columns")).Int)
	return func(k int) int { return k%columns*rows + k/columns }, true
}

// numbersOf reads lists of integers.
func numbersOf(c *ir.Call, names ...string) (out [][]int64, err error) {
	for _, name := range names {
		list, err := numbers(c, name)
		if err != nil {
			return nil, err
		}
		out = append(out, list)
	}
	return out, nil
}

func onlyOnes(c *ir.Call, strides []int64) error {
	for _, s := range strides {
		if s != 1 {
			return c.Errorf("expected strides to be confined to [1, 2): there is %d", s)
		}
	}
	return nil
}

func inferExtractStridedSlice(c *ir.Call) (ir.Type, error) {
	info, err := vectorAt(c, 1, 1, "operand", 0)
	if err != nil {
		return 0, err
	}
	lists, err := numbersOf(c, "offsets", "sizes", "strides")
	if err != nil {
		return 0, err
	}
	offsets, sizes, strides := lists[0], lists[1], lists[2]
	if len(offsets) != len(sizes) || len(offsets) != len(strides) {
		return 0, c.Errorf("expected offsets, sizes and strides attributes of same size: they have %d, %d and %d", len(offsets), len(sizes), len(strides))
	}
	if len(offsets) > len(info.Shape) {
		return 0, c.Errorf("expected offsets attribute of rank no greater than vector rank: %d and %d", len(offsets), len(info.Shape))
	}
	out := *info
	out.Shape = append([]int64(nil), info.Shape...)
	for d, off := range offsets {
		n := info.Shape[d]
		switch {
		case off < 0 || off >= n:
			return 0, c.Errorf("expected offsets dimension %d to be confined to [0, %d), and it is %d", d, n, off)
		case sizes[d] < 1 || off+sizes[d] > n:
			return 0, c.Errorf("expected sum(offsets, sizes) dimension %d to be confined to [1, %d]: %d + %d", d, n, off, sizes[d])
		}
		out.Shape[d] = sizes[d]
	}
	return c.Ctx().Type(out), onlyOnes(c, strides)
}

func inferInsertStridedSlice(c *ir.Call) (ir.Type, error) {
	from, err := vectorAt(c, 2, 2, "operand #0", 0)
	if err != nil {
		return 0, err
	}
	to, err := isVector(c, "operand #1", c.ArgType(1))
	if err != nil {
		return 0, err
	}
	lists, err := numbersOf(c, "offsets", "strides")
	if err != nil {
		return 0, err
	}
	offsets, strides := lists[0], lists[1]
	switch {
	case from.Elem != to.Elem:
		return 0, c.Errorf("source and destination must have the same element type, not %s and %s", quote(c, from.Elem), quote(c, to.Elem))
	case len(offsets) != len(to.Shape):
		return 0, c.Errorf("expected offsets of same size as destination vector rank: %d and %d", len(offsets), len(to.Shape))
	case len(strides) != len(from.Shape):
		return 0, c.Errorf("expected strides of same size as source vector rank: %d and %d", len(strides), len(from.Shape))
	case len(from.Shape) > len(to.Shape):
		return 0, c.Errorf("expected source rank to be no greater than destination rank: %d and %d", len(from.Shape), len(to.Shape))
	}
	lead := len(to.Shape) - len(from.Shape)
	for d, off := range offsets {
		n := int64(1)
		if d >= lead {
			n = from.Shape[d-lead]
		}
		if off < 0 || off+n > to.Shape[d] {
			return 0, c.Errorf("expected sum(offsets, source vector shape) dimension %d to be confined to [1, %d]: %d + %d", d, to.Shape[d], off, n)
		}
	}
	return c.ArgType(1), onlyOnes(c, strides)
}

func inferInterleave(c *ir.Call) (ir.Type, error) {
	info, err := vectorAt(c, 2, 2, "operand #0", 0)
	if err != nil {
		return 0, err
	}
	if c.ArgType(0) != c.ArgType(1) {
		return 0, c.Errorf("takes two vectors of one type, not %s and %s", quote(c, c.ArgType(0)), quote(c, c.ArgType(1)))
	}
	return scaled(c.Ctx(), info, func(n int64) int64 { return 2 * n }), nil
}

// scaled is a vector with another extent in its last dimension; one of no dimensions has one then.
func scaled(c *ir.Context, info *ir.TypeInfo, by func(int64) int64) ir.Type {
	out := *info
	if len(info.Shape) == 0 {
		return c.Vector([]int64{by(1)}, info.Elem)
	}
	out.Shape = append([]int64(nil), info.Shape...)
	last := len(out.Shape) - 1
	out.Shape[last] = by(out.Shape[last])
	return c.Type(out)
}

func inferDeinterleave(c *ir.Call) (ir.Type, error) {
	info, err := vectorAt(c, 1, 1, "operand", 0)
	if err != nil {
		return 0, err
	}
	if len(info.Shape) == 0 || info.Shape[len(info.Shape)-1]%2 != 0 {
		return 0, c.Errorf("takes a vector with an even number of lanes in its last dimension, not %s", quote(c, c.ArgType(0)))
	}
	half := scaled(c.Ctx(), info, func(n int64) int64 { return n / 2 })
	return c.Ctx().Multi(half, half), nil
}

func inferFlatTranspose(c *ir.Call) (ir.Type, error) {
	from, to, err := one(c)
	if err != nil {
		return 0, err
	}
	var sizes [2]int64
	for i, name := range []string{"rows", "columns"} {
		a := c.Get(name)
		if a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrInt || c.Ctx().AttrInfo(a).Int < 1 {
			return 0, c.Errorf("requires attribute '%s', a positive number", name)
		}
		sizes[i] = c.Ctx().AttrInfo(a).Int
	}
	if len(from.Shape) != 1 || c.ArgType(0) != c.Type || sizes[0] > from.Shape[0] || sizes[0]*sizes[1] != from.Shape[0] || scales(to) > 0 {
		return 0, c.Errorf("takes a vector of one dimension with %d x %d lanes and gives such a one, not %s to %s", sizes[0], sizes[1], quote(c, c.ArgType(0)), quote(c, c.Type))
	}
	return c.Type, nil
}
