package ir

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Val is a value of a running program: of the interpreter and of constant
// folding. Integers are zero-extended to 64 bits, floats are the pattern of
// their own format; everything else is in Ref.
type Val struct {
	Bits uint64
	Ref  any // nil, Poison, Vector, or what a dialect puts there (a memref ...)
}

// Poison is the Ref of a value that stands for deferred undefined behaviour.
var Poison = new(poison)

type poison struct{ _ byte }

// Vector is the Ref of a vector or tensor: its elements in row-major order.
type Vector []Val

// IsPoison reports a poison value.
func (v Val) IsPoison() bool { return v.Ref == Poison }

// Values of the scalar types.
func (v Val) F64() float64 { return math.Float64frombits(v.Bits) }
func (v Val) F32() float32 { return math.Float32frombits(uint32(v.Bits)) }
func (v Val) Bool() bool   { return v.Bits&1 == 1 }

// Int reads the value as a signed integer of the given width.
func (v Val) Int(width int) int64 {
	if width >= 64 {
		return int64(v.Bits)
	}
	return int64(v.Bits<<(64-width)) >> (64 - width)
}

// F64Val, IntVal and BoolVal make scalar values.
func F64Val(x float64) Val { return Val{Bits: math.Float64bits(x)} }

// IntVal makes an integer of the given width.
func IntVal(n int64, width int) Val {
	if width >= 64 {
		return Val{Bits: uint64(n)}
	}
	return Val{Bits: uint64(n) & (1<<width - 1)}
}

// BoolVal makes an i1.
func BoolVal(b bool) Val {
	if b {
		return Val{Bits: 1}
	}
	return Val{}
}

// FloatVal makes a float of type t, rounded to it.
func FloatVal(x float64, t Type) Val { return Val{Bits: FloatToBits(x, t)} }

// Float reads a float of type t.
func (v Val) Float(t Type) float64 { return BitsToFloat(v.Bits, t) }

// A Trap is immediate undefined behaviour met by Eval or the interpreter.
type Trap struct{ Reason string }

func (t *Trap) Error() string { return t.Reason }

// Trapf makes a trap.
func Trapf(format string, args ...any) error { return &Trap{fmt.Sprintf(format, args...)} }

// IsTrap reports whether an error is a trap of the program, not a failure of ours.
func IsTrap(err error) bool {
	var t *Trap
	return errors.As(err, &t)
}

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

// A Tensor is the Ref of a tensor whose type leaves an extent open: how large it is, and its
// elements in row-major order. One whose type says all extents is the Vector of its elements.
type Tensor struct {
	Shape []int64
	Elems Vector
}

// A Packed is the Ref of a large constant, a tensor of known shape whose elements stay where they are: a value takes
// several times the bytes of a number. Only ops of interp.TakesPacked meet one.
type Packed struct {
	Elems string // the bytes, little end first, one element alone if Splat
	Splat bool
	Size  int // of an element
	Len   int
	width int
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
	return Val{Ref: &Packed{info.Str, info.Splat, c.ElemSize(shaped.Elem), int(n), c.Info(shaped.Elem).Width}}, nil
}

// At is element i.
func (p *Packed) At(i int64) Val {
	if p.Splat {
		i = 0
	}
	at := i * int64(p.Size)
	var b [8]byte
	copy(b[:], p.Elems[at:at+int64(p.Size)])
	return IntVal(int64(binary.LittleEndian.Uint64(b[:])), p.width)
}

// All are the elements as values.
func (p *Packed) All() Vector {
	out := make(Vector, p.Len)
	for i := range out {
		out[i] = p.At(int64(i))
	}
	return out
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
	return Val{Ref: &Tensor{shape, elems}}
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
