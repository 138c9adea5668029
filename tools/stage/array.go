package stage

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/run/npy"
	"github.com/irc-lang/irc/ir/text"
)

// An Array is what a Tensor is on plain values: extents, and the elements in row-major order. A program does not change those that it is
// given; those that it gives share no memory with them.
type Array[T Element] struct {
	Shape []int // the extent of each dimension, 0 or more; none is of one element
	Data  []T   // the elements, as many as the product of the extents
}

// ArrayOf is an Array of elements in row-major order, which it keeps. A call checks that they are as many as the extents say.
func ArrayOf[T Element](data []T, shape ...int) Array[T] { return Array[T]{shape, data} }

// ReadArray is the array of a file of NumPy's format, .npy, whose elements are T. Those of an int are int64 there. The error says what is
// wrong with the file, or that its elements are of another type.
func ReadArray[T Element](file []byte) (a Array[T], err error) {
	c := ir.NewContext(dialects.All...)
	x, err := npy.Read(c, file)
	if err != nil {
		return a, fmt.Errorf("stage: the file %w", err)
	}
	if x.Elem != elemType[T]() {
		return a, fmt.Errorf("stage: the file has elements of type %s, and those of %T are %s", text.TypeString(c, x.Elem), a, text.TypeString(c, elemType[T]()))
	}
	a.write(x.Shape, x.Data)
	return a, nil
}

// A plainArray is a pointer to an Array.
type plainArray interface {
	elem() kind
	read() (shape []int64, bytes []byte) // which are those of the Array
	write(shape []int64, bytes []byte)   // which are copied
}

func (*Array[T]) elem() kind { return kindOf[T]() }

func (a *Array[T]) read() (shape []int64, bytes []byte) {
	shape = make([]int64, len(a.Shape))
	for i, n := range a.Shape {
		shape[i] = int64(n)
	}
	return shape, bytesOf(a.Data)
}

func (a *Array[T]) write(shape []int64, bytes []byte) {
	a.Shape = make([]int, len(shape))
	for i, n := range shape {
		a.Shape[i] = int(n)
	}
	a.Data = make([]T, len(bytes)/(kindOf[T]().width()/8))
	copy(bytesOf(a.Data), bytes)
}

// isArray reports an Array, in what can be set.
func isArray(v reflect.Value) bool {
	_, ok := v.Addr().Interface().(plainArray)
	return ok
}

// bytesOf is the memory of elements.
func bytesOf[T Element](data []T) []byte {
	if len(data) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), len(data)*int(unsafe.Sizeof(data[0])))
}

// arrayOf makes a value of a direct run, which keeps the bytes.
func arrayOf[T Element](shape []int64, bytes []byte) *npy.Array {
	return &npy.Array{Elem: elemType[T](), Shape: shape, Data: bytes}
}

// elements is an Array as memory of a program.
func elements(c *ir.Context, a plainArray) ir.Val {
	shape, bytes := a.read()
	strides, _, _ := strided.RowMajor(shape)
	return (&interp.MemRef{Buf: interp.Over(c, a.elem().typ(c), bytes), Sizes: shape, Strides: strides}).Val()
}

// contents are the extents and the elements, of so many bytes, of memory that a program gives.
func contents(r *interp.MemRef, size int) (shape []int64, bytes []byte) {
	shape = r.Sizes
	strides, n, _ := strided.RowMajor(shape)
	if slices.Equal(strides, r.Strides) {
		at, _ := r.Buf.Span(int(r.Offset))
		return shape, r.Buf.Memory.Bytes()[at:][:int(n)*size]
	}
	r.Each(func(at int) { bytes = ir.AppendElem(bytes, r.Buf.Load(at).Bits, size) })
	return shape, bytes
}
