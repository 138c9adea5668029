package tensor

import (
	"slices"
	"strconv"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/text"
)

// Takes reports the tensors of this dialect: of known rank, without an encoding, of numbers of at most
// 64 bits.
func Takes(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	return info.Kind == ir.KindTensor && !info.Unranked && info.Layout == 0 && isNumber(c, info.Elem)
}

func isNumber(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	switch {
	case t == ir.Index, t == ir.F16, t == ir.BF16, t == ir.F32, t == ir.F64:
		return true
	}
	return info.Kind == ir.KindInteger && info.Width >= 1 && info.Width <= 64 && info.Sign == ir.Signless
}

// Shape is the extents that a tensor type says, Dynamic for those that are open.
func Shape(c *ir.Context, t ir.Type) []int64 { return c.Info(t).Shape }

// Elem is the type of the elements of a tensor type.
func Elem(c *ir.Context, t ir.Type) ir.Type { return c.Info(t).Elem }

func isOpen(shape []int64) bool { return slices.Contains(shape, ir.Dynamic) }

// open counts the extents that are.
func open(shape []int64) (n int) {
	for _, d := range shape {
		if d == ir.Dynamic {
			n++
		}
	}
	return n
}

func spell(c *ir.Context, t ir.Type) string { return text.TypeString(c, t) }

// extentText spells an extent.
func extentText(n int64) string {
	if n == ir.Dynamic {
		return "?"
	}
	return strconv.FormatInt(n, 10)
}

// agreed is the extent that two have in common, as far as it is known.
func agreed(a, b int64) (n int64, ok bool) {
	switch {
	case a == ir.Dynamic:
		return b, true
	case b == ir.Dynamic || a == b:
		return a, true
	}
	return 0, false
}

// Broadcast is the shape to which shapes are stretched, dimensions aligned at the last; where two
// extents do not fit it gives them.
func Broadcast(shapes ...[]int64) (shape []int64, a, b int64, ok bool) {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	shape = make([]int64, rank)
	for d := range shape {
		shape[d] = 1
		for _, s := range shapes {
			at := d - (rank - len(s))
			if at < 0 || s[at] == 1 {
				continue
			}
			if shape[d] == 1 {
				shape[d] = s[at]
				continue
			}
			n, ok := agreed(shape[d], s[at])
			if !ok {
				return nil, shape[d], s[at], false
			}
			shape[d] = n
		}
	}
	return shape, 0, 0, true
}

// checkTensor checks that an operand is a tensor of numbers.
func checkTensor(c *ir.Call, i int) error {
	if t := c.ArgType(i); !Takes(c.Ctx(), t) {
		return c.Errorf("operand #%d is %s, not a tensor of known rank of numbers of at most 64 bits", i, spell(c.Ctx(), t))
	}
	return nil
}

// checkOperands checks a number of operands, the first ones tensors and the others of type index.
func checkOperands(c *ir.Call, tensors, n int) error {
	if len(c.Args) != n {
		return c.Errorf("takes %d operands, has %d", n, len(c.Args))
	}
	for i := range c.Args {
		if i < tensors {
			if err := checkTensor(c, i); err != nil {
				return err
			}
		} else if c.ArgType(i) != ir.Index {
			return c.Errorf("operand #%d is %s, not index", i, spell(c.Ctx(), c.ArgType(i)))
		}
	}
	return nil
}

// result checks the type that the text gives against what follows from the operands: a tensor of elem and
// shape. Without one it is that.
func result(c *ir.Call, shape []int64, elem ir.Type) (ir.Type, error) {
	want := c.Ctx().Tensor(shape, elem)
	if c.Type != ir.NoType && c.Type != want {
		return 0, c.Errorf("gives %s, not %s", spell(c.Ctx(), want), spell(c.Ctx(), c.Type))
	}
	return want, nil
}

// checkResult checks a type that only the text says: a tensor with as many open extents as there are
// operands for them.
func checkResult(c *ir.Call, extents []ir.Value) (*ir.TypeInfo, error) {
	if c.Type == ir.NoType || !Takes(c.Ctx(), c.Type) {
		return nil, c.Errorf("gives a tensor of known rank of numbers of at most 64 bits")
	}
	info := c.Ctx().Info(c.Type)
	if n := open(info.Shape); n != len(extents) {
		return nil, c.Errorf("gives %s, of which %d extents are open, and has %d operands for them", spell(c.Ctx(), c.Type), n, len(extents))
	}
	return info, nil
}

// intsOf reads an attribute that is a list of numbers.
func intsOf(c *ir.Call, name string) ([]int64, error) {
	a := c.Get(name)
	if a == 0 || c.Ctx().KindOf(a) != ir.AttrDenseArray {
		return nil, c.Errorf("has an attribute %s, a list of numbers", name)
	}
	return c.Ctx().Ints(a), nil
}

// dimOf reads an attribute that is the number of a dimension.
func dimOf(c *ir.Call, rank int) (int, error) {
	a := c.Get("dim")
	if a == 0 || c.Ctx().KindOf(a) != ir.AttrInt {
		return 0, c.Errorf("has an attribute dim, a number")
	}
	d := c.Ctx().AttrInfo(a).Int
	if d < 0 || d >= int64(rank) {
		return 0, c.Errorf("names dimension %d of %d, which are numbered from 0", d, rank)
	}
	return int(d), nil
}

// typeLowering: from level affine on a tensor is the memory that holds it.
var typeLowering = &ir.TensorLowering{Level: Level, Takes: Takes, TypeLowering: ir.TypeLowering{
	Parts:  func(c *ir.Context, t ir.Type) []ir.Type { return []ir.Type{MemoryOf(c, t)} },
	Unpack: func(b *ir.Builder, v ir.Value) []ir.Value { return []ir.Value{b.Op(Unpack, v)} },
	Pack:   func(b *ir.Builder, _ ir.Type, parts []ir.Value) ir.Value { return BuildKept(b, parts[0]) },
	Split:  splitVal,
	Join:   joinVal,
}}

// MemoryOf is the type of the memory that holds tensors of a type.
func MemoryOf(c *ir.Context, t ir.Type) ir.Type { return c.MemRef(Shape(c, t), Elem(c, t)) }

// splitVal makes memory of a value of a running program.
func splitVal(c *ir.Context, t ir.Type, v ir.Val) []ir.Val {
	shape, elems, err := c.TensorOf(t, v)
	if err != nil {
		return []ir.Val{{Ref: ir.Poison}}
	}
	strides, _, _ := strided.RowMajor(shape)
	b := interp.NewBuffer(c, Elem(c, t), len(elems), false)
	b.Static = true
	for i, x := range elems {
		b.Store(i, x)
	}
	return []ir.Val{(&interp.MemRef{Buf: b, Sizes: shape, Strides: strides}).Val()}
}

// joinVal is its inverse.
func joinVal(c *ir.Context, t ir.Type, parts []ir.Val) ir.Val {
	r := parts[0].Ref.(*interp.MemRef)
	elems := make(ir.Vector, 0, r.Len())
	r.Each(func(at int) { elems = append(elems, r.Buf.Load(at)) })
	return c.TensorVal(t, append([]int64{}, r.Sizes...), elems)
}
