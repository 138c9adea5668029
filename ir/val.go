package ir

import (
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir/internal/value"
)

// A Val is a value of a running program: of the interpreter and of constant
// folding. Integers are zero-extended to 64 bits, floats are the pattern of
// their own format; everything else is in Ref.
type Val = value.Val

// Poison is the Ref of a value that stands for deferred undefined behaviour.
var Poison = value.Poison

// Vector is the Ref of a vector or tensor: its elements in row-major order.
type Vector = value.Vector

// A Tensor is the Ref of a tensor whose type leaves an extent open: how large it is, and its
// elements in row-major order. One whose type says all extents is the Vector of its elements.
type Tensor = value.Tensor

// A Packed is the Ref of a large constant, a tensor of known shape whose elements stay where they are: a value takes
// several times the bytes of a number. Only ops of interp.TakesPacked meet one.
type Packed = value.Packed

// A Trap is immediate undefined behaviour met by Eval or the interpreter.
type Trap = value.Trap

// F64Val makes an f64.
func F64Val(x float64) Val { return value.F64Val(x) }

// IntVal makes an integer of the given width.
func IntVal(n int64, width int) Val { return value.IntVal(n, width) }

// BoolVal makes an i1.
func BoolVal(b bool) Val { return value.BoolVal(b) }

// FloatVal makes a float of type t, rounded to it.
func FloatVal(x float64, t Type) Val { return value.FloatVal(x, t) }

// Trapf makes a trap.
func Trapf(format string, args ...any) error { return value.Trapf(format, args...) }

// IsTrap reports whether an error is a trap of the program, not a failure of ours.
func IsTrap(err error) bool { return value.IsTrap(err) }

// ErrNoValue says that a constant has no value that can be computed with.
var ErrNoValue = errors.New("no value to compute with")

// ValOf returns the value of a constant's attribute.
func (c *Context) ValOf(a Attr) (Val, error) {
	switch x := c.attrs.At(a); x.Kind {
	case AttrInt:
		w := c.Info(x.Type).Width
		if x.Long || w > 64 {
			return Val{}, ErrNoValue
		}
		return IntVal(int64(x.Bits), w), nil
	case AttrFloat:
		return Val{Bits: x.Bits}, nil
	case AttrDense, AttrOther:
		return c.denseVal(a, maxDense)
	case AttrDefined:
		return c.literalVal(a)
	}
	return Val{}, ErrNoValue
}

// maxDense bounds the elements of a constant that folds compute with.
const maxDense = 1 << 16

// mostSplat bounds the elements of a constant whose bytes are not there, one for each.
const mostSplat = 1 << 27

// WholeVal is ValOf for programs that run, of tensors of any size; the error says why there is no value.
func (c *Context) WholeVal(a Attr) (Val, error) {
	if k := c.KindOf(a); k == AttrDense || k == AttrOther {
		if k == AttrDense && c.AttrInfo(a).Splat {
			return c.denseVal(a, mostSplat)
		}
		return c.denseVal(a, 1<<62)
	}
	return c.ValOf(a)
}

// denseVal is the vector of the elements of an attribute, of most at most.
func (c *Context) denseVal(a Attr, most int64) (Val, error) {
	if n, ok := elementCount(c.Info(c.TypeOf(a)).Shape); !ok || n > most {
		return Val{}, ErrNoValue
	}
	a, err := c.Elements(a)
	if err != nil {
		return Val{}, err
	}
	info := c.AttrInfo(a)
	shaped := c.Info(info.Type)
	n, _ := elementCount(shaped.Shape)
	if shaped.Scalable != nil || c.Info(shaped.Elem).Width > 64 {
		return Val{}, ErrNoValue
	}
	raw := c.Elems(a)
	out := make(Vector, n)
	w := c.Info(shaped.Elem).Width
	for i := range out {
		x := raw[0]
		if !info.Splat {
			x = raw[i]
		}
		out[i] = IntVal(int64(x), w)
	}
	return Val{Ref: out}, nil
}

// AttrOf returns the attribute of a value of type t, or 0 if it has none.
func (c *Context) AttrOf(v Val, t Type) Attr {
	info := c.Info(t)
	switch {
	case v.IsPoison():
		return 0
	case info.Kind == KindInteger || info.Kind == KindIndex:
		if info.Width > 64 {
			return 0
		}
		return c.IntAttr(v.Int(info.Width), t)
	case info.Kind == KindFloat:
		return c.FloatBits(v.Bits, t)
	case info.Kind == KindVector || info.Kind == KindTensor:
		return c.denseAttr(v, t, info.Elem)
	case info.Def != nil:
		return c.literal(v, t, info.Def)
	}
	return 0
}

func (c *Context) denseAttr(v Val, t, elem Type) Attr {
	vec, ok := v.Ref.(Vector)
	if !ok || len(vec) == 0 || c.Info(elem).Width > 64 || c.Info(elem).Width == 0 {
		return 0
	}
	size, splat := c.ElemSize(elem), true
	for _, x := range vec {
		if x.Ref != nil {
			return 0
		}
		splat = splat && x.Bits == vec[0].Bits
	}
	if splat {
		vec = vec[:1]
	}
	var buf []byte
	for _, x := range vec {
		buf = AppendElem(buf, x.Bits, size)
	}
	return c.Attr(AttrInfo{Kind: AttrDense, Type: t, Splat: splat, Str: string(buf)})
}

// PackedVal is WholeVal of elements that stay where they are.
func (c *Context) PackedVal(a Attr) (Val, error) {
	a, err := c.Elements(a)
	if err != nil {
		return Val{}, err
	}
	info := c.AttrInfo(a)
	shaped := c.Info(info.Type)
	n, ok := elementCount(shaped.Shape)
	if !ok || c.Info(shaped.Elem).Width > MaxWidth {
		return Val{}, ErrNoValue
	}
	return Val{Ref: value.NewPacked(info.Str, info.Splat, c.ElemSize(shaped.Elem), int(n), c.Info(shaped.Elem).Width)}, nil
}

// IsTensor reports a tensor type whose rank is known.
func (c *Context) IsTensor(t Type) bool {
	info := c.Info(t)
	return info.Kind == KindTensor && !info.Unranked
}

// Tensor returns the tensor type of a shape, in which Dynamic stands for an extent that is open.
func (c *Context) Tensor(shape []int64, elem Type) Type {
	return c.Type(TypeInfo{Kind: KindTensor, Shape: shape, Elem: elem})
}

// TensorVal is the value of type t, a tensor, with the given extents and elements, in row-major order.
func (c *Context) TensorVal(t Type, shape []int64, elems Vector) Val {
	if info := c.Info(t); !info.Unranked && !slices.Contains(info.Shape, Dynamic) {
		return Val{Ref: elems}
	}
	return Val{Ref: &Tensor{Shape: shape, Elems: elems}}
}

// TensorOf is what a value of type t, a tensor, holds: its extents, and its elements in row-major
// order. A value that has other extents than its type says is a trap, as is poison.
func (c *Context) TensorOf(t Type, v Val) (shape []int64, elems Vector, err error) {
	info := c.Info(t)
	switch x := v.Ref.(type) {
	case Vector:
		return info.Shape, x, nil
	case *Packed:
		return info.Shape, x.All(), nil
	case *Tensor:
		if !info.Unranked && !fitsShape(x.Shape, info.Shape) {
			return nil, nil, Trapf("a tensor of shape %v where the type says %s", x.Shape, shapeText(info.Shape))
		}
		return x.Shape, x.Elems, nil
	}
	if v.IsPoison() {
		return nil, nil, Trapf("a tensor that is poison")
	}
	return nil, nil, fmt.Errorf("ir: %T is no tensor", v.Ref)
}

func fitsShape(shape, of []int64) bool {
	if len(shape) != len(of) {
		return false
	}
	for i, n := range of {
		if n != Dynamic && n != shape[i] {
			return false
		}
	}
	return true
}

// shapeText spells a shape as lists of numbers do, with ? for what is open.
func shapeText(shape []int64) string {
	out := "["
	for i, n := range shape {
		if i > 0 {
			out += " "
		}
		if n == Dynamic {
			out += "?"
		} else {
			out += fmt.Sprint(n)
		}
	}
	return out + "]"
}
