package tensors

import "github.com/irc-lang/irc/ir"

// A slice is a rectangular part of a tensor: numbers, or operands where they are Dynamic.
type slice struct {
	offsets, sizes, strides []ir.Bound
}

// sliceOf reads the part that operands from before on and attributes say.
func sliceOf(x *ir.Context, attr ir.Attr, args []ir.Value, before int) (s slice, ok bool) {
	seg := x.Ints(x.Get(attr, "operandSegmentSizes"))
	if len(seg) != before+3 {
		return s, false
	}
	rest := args[before:]
	for i, to := range []*[]ir.Bound{&s.offsets, &s.sizes, &s.strides} {
		static, n := x.Ints(x.Get(attr, []string{"static_offsets", "static_sizes", "static_strides"}[i])), int(seg[before+i])
		if n < 0 || n > len(rest) || open(static) != n {
			return s, false
		}
		*to, rest = ir.MixedBounds(static, rest[:n]), rest[n:]
	}
	return s, len(rest) == 0
}

// checkSlice checks a part of a tensor, and that the type of what is taken out or put there fits.
func checkSlice(c *ir.Call, before int, whole, part *ir.TypeInfo) error {
	s, ok := sliceOf(c.Ctx(), c.Attr, c.Args, before)
	rank := len(whole.Shape)
	if !ok || len(s.offsets) != rank || len(s.sizes) != rank || len(s.strides) != rank {
		return c.Errorf("expects %d offsets, sizes and strides: a number or an operand for each dimension", rank)
	}
	if err := indices(c, c.Args[before:]); err != nil {
		return err
	}
	if part.Elem != whole.Elem {
		return c.Errorf("has a part of another type of elements than the tensor")
	}
	static := c.Ctx().Ints(c.Get("static_sizes"))
	if _, ok := keptDims(static, part.Shape); !ok {
		return c.Errorf("has a part whose shape is not that of the sizes, dimensions of one left out or not")
	}
	for d := range whole.Shape {
		if o, size := s.offsets[d], s.sizes[d]; o.Value == 0 && o.Const < 0 || size.Value == 0 && size.Const < 0 {
			return c.Errorf("has a negative offset or size in dimension %d", d)
		}
	}
	return nil
}

// keptDims says which dimensions of the sizes a shape keeps: those left out are 1.
func keptDims(sizes, shape []int64) (kept []int, ok bool) {
	for d, n := range sizes {
		left := len(sizes) - d
		switch need := len(shape) - len(kept); {
		case need > 0 && shape[len(kept)] == n && (n != 1 || left == need || need > 0 && !canDrop(sizes[d:], shape[len(kept):])):
			kept = append(kept, d)
		case n != 1:
			return nil, false
		}
	}
	return kept, len(kept) == len(shape)
}

// canDrop reports that the first size, which is 1, may be left out and the rest still give a shape.
func canDrop(sizes, shape []int64) bool {
	k := 0
	for _, n := range sizes[1:] {
		if k < len(shape) && shape[k] == n {
			k++
		} else if n != 1 {
			return false
		}
	}
	return k == len(shape)
}

func inferExtractSlice(c *ir.Call) (ir.Type, error) {
	whole, err := operand(c, 0, "the source")
	if err != nil {
		return 0, err
	}
	part, err := ranked(c, "the result", c.Type)
	if err != nil {
		return 0, err
	}
	return c.Type, checkSlice(c, 1, whole, part)
}

func inferInsertSlice(c *ir.Call) (ir.Type, error) {
	part, err := operand(c, 0, "the source")
	if err != nil {
		return 0, err
	}
	whole, err := operand(c, 1, "the destination")
	if err != nil {
		return 0, err
	}
	return c.ArgType(1), checkSlice(c, 2, whole, part)
}
