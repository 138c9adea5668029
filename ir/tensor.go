package ir

import (
	"encoding/binary"
	"fmt"
	"slices"
)

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
