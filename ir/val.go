package ir

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir/internal/intern"
	"github.com/irc-lang/irc/ir/internal/value"
)

// A Val is a value of a running program: of the interpreter and of constant
// folding. Integers are zero-extended to 64 bits, floats are the pattern of
// their own format; everything else is in Ref.
//
//	Bits uint64 // of a number
//	Ref  any    // of anything else; of what is poison it is Poison
//
// Its methods: Int(width) is a number as one with a sign, Float(t) that of a float of type t, Bool that of an i1, and
// IsPoison asks. IntVal, FloatVal, F64Val and BoolVal make one.
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

// valOf returns the value of a constant's attribute.
func (c *Context) valOf(a Attr) (Val, error) {
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
		return c.elements.val(a, maxDense)
	case AttrDefined:
		return c.defs.value(c, a)
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
			return c.elements.val(a, mostSplat)
		}
		return c.elements.val(a, 1<<62)
	}
	return c.valOf(a)
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
		return c.elements.attr(v, t, info.Elem)
	case info.Def != nil:
		return c.defs.literal(c, v, t, info.Def)
	}
	return 0
}

// IllFormed says in a sentence's end what is wrong with a value of a type, of one result; "" if nothing is, or nothing is known
// of the type. An Eval that gives such a value is wrong: what folds and what runs would differ.
func IllFormed(c *Context, v Val, t Type) string {
	info := c.Info(t)
	scalar := info.Kind == KindInteger || info.Kind == KindIndex || info.Kind == KindFloat
	switch {
	case v.IsPoison():
	case scalar && v.Ref != nil:
		return fmt.Sprintf("gives a value with a Ref, a %T, for a number", v.Ref)
	case scalar && info.Width < 64 && v.Bits>>info.Width != 0:
		return fmt.Sprintf("gives the bits %#x for a number of %d bits: the others must be 0 (ir.IntVal)", v.Bits, info.Width)
	case info.Kind == KindVector && info.Scalable == nil:
		lanes, ok := v.Ref.(Vector)
		if !ok || int64(len(lanes)) != Elements(info.Shape) {
			return fmt.Sprintf("gives a value with a Ref, a %T of %d elements, for a vector of %d: an ir.Vector of as many is wanted", v.Ref, len(lanes), Elements(info.Shape))
		}
		for _, l := range lanes {
			if why := IllFormed(c, l, info.Elem); why != "" {
				return why
			}
		}
	}
	return ""
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

// sparsePrefix begins the text of an attribute that gives a few elements, all others
// are zero. Its List holds two dense arrays, unless the elements are no numbers of up to 64 bits:
// the indices, those of an element side by side, and the values, one each or one for all.
const sparsePrefix = "sparse<"

// elided is the key that stands in the place of elements which were not printed.
const elided = "__elided__"

// maxSpread bounds the bytes that a sparse attribute is spread to.
const maxSpread = 1 << 31

// NoElements says why an attribute has no elements that can be computed with. It is an
// ErrNoValue.
type NoElements struct {
	Reason, Fix string // what is wrong, and what to do about it
}

func (e *NoElements) Error() string { return e.Reason + "; " + e.Fix }

// Is makes it an ErrNoValue.
func (e *NoElements) Is(target error) bool { return target == ErrNoValue }

// Elements is the AttrDense that an attribute of elements stands for: itself, the bytes of a
// resource, what a sparse one is spread to. Where there is none the error, a *NoElements,
// says why. Whoever wants the elements of an attribute asks this first.
func (c *Context) Elements(a Attr) (Attr, error) {
	return c.elements.of(a)
}

// Elem is element i, in row-major order, of an AttrDense or of a dense array, as raw bits.
func (c *Context) Elem(a Attr, i int64) uint64 {
	info := c.AttrInfo(a)
	t := info.Type
	if info.Kind == AttrDense {
		t = c.Info(t).Elem
	}
	size := int64(c.ElemSize(t))
	if info.Splat {
		i = 0
	}
	var b [8]byte
	copy(b[:], info.Str[i*size:(i+1)*size])
	return binary.LittleEndian.Uint64(b[:])
}

// elements are the elements of attributes, as bytes and as values. What an attribute of elements stands for
// never changes: what was found once is kept.
type elements struct {
	c     *Context // whose types and attributes they are
	found sync.Map // Attr -> found
}

// found is what was found for an attribute.
type found struct {
	dense Attr
	err   error
}

// of is Context.Elements.
func (e *elements) of(a Attr) (Attr, error) {
	c := e.c
	switch c.KindOf(a) {
	case AttrDense:
		return a, nil
	case AttrOther:
	case AttrDenseText:
		return 0, &NoElements{"has elements that are no numbers of up to 64 bits", "no engine computes with them"}
	default:
		return 0, &NoElements{"has a value that is no elements", "write it as dense<[...]>"}
	}
	if had, ok := e.found.Load(a); ok {
		return had.(found).dense, had.(found).err
	}
	f := found{}
	info := c.AttrInfo(a)
	switch {
	case strings.HasPrefix(info.Str, intern.ResourcePrefix):
		f.dense, f.err = e.resource(info)
	case strings.HasPrefix(info.Str, sparsePrefix):
		f.dense, f.err = e.sparse(info)
	default:
		f.err = &NoElements{"has the value " + info.Str + ", which is no elements", "write it as dense<[...]>"}
	}
	e.found.Store(a, f)
	return f.dense, f.err
}

// resource checks the bytes of a resource against the type.
func (e *elements) resource(info *AttrInfo) (Attr, error) {
	key := strings.TrimSuffix(info.Str[len(intern.ResourcePrefix):], ">")
	no := func(why, fix string, args ...any) (Attr, error) {
		return 0, &NoElements{"has the value dense_resource<" + key + ">, " + why, fmt.Sprintf(fix, args...)}
	}
	switch {
	case key == elided:
		return no("whose elements were left out when it was printed", "print it without -elide-elementsattrs-if-larger")
	case len(info.List) == 0:
		return no("whose data the file lacks", "give it at the end of the file: {-# dialect_resources: { builtin: { %s: \"0x...\" } } #-}", key)
	}
	n, size, ok := e.size(info.Type)
	if !ok {
		return no("whose type is not one of numbers of whole bytes and known shape", "use elements of i1, i8, i16, i32, i64 or floats of up to 64 bits")
	}
	data := e.c.AttrInfo(info.List[0]).Str[4:]
	if uint64(len(data)) != uint64(n)*uint64(size) {
		return no(fmt.Sprintf("whose %d bytes do not fill its type", len(data)), "%d elements of %d bytes each take %d, after the 4 of the alignment", n, size, n*int64(size))
	}
	if e.c.Info(info.Type).Elem == I1 && strings.Trim(data, "\x00\x01") != "" {
		return no("of which a byte is neither 0 nor 1", "an i1 of a resource is one byte")
	}
	return e.dense(info.Type, data), nil
}

// size is the number of elements of a type, and the bytes of each. ok is false if such bytes are not
// numbers that all their bits say, or the shape is not known.
func (e *elements) size(t Type) (n int64, size int, ok bool) {
	c := e.c
	info := c.Info(t)
	if info.Kind != KindTensor && info.Kind != KindVector || info.Unranked {
		return 0, 0, false
	}
	elem := c.Info(info.Elem)
	if elem.Kind != KindInteger && elem.Kind != KindIndex && elem.Kind != KindFloat || elem.Width > MaxWidth {
		return 0, 0, false
	}
	size = c.ElemSize(info.Elem)
	n, ok = elementCount(info.Shape)
	return n, size, ok && (info.Elem == I1 || elem.Width == 8*size) && n <= (1<<62)/int64(size)
}

// elementCount is the product of known extents, if it is no more than an int64 holds.
func elementCount(shape []int64) (n int64, ok bool) { return Product(shape...) }

// dense is the AttrDense of a type, tensor or vector, whose elements are bytes as Elems reads them.
func (e *elements) dense(t Type, data string) Attr {
	c := e.c
	size := c.ElemSize(c.Info(t).Elem)
	splat := len(data) > 0 && data[size:] == data[:len(data)-size]
	if splat {
		data = data[:size]
	}
	return c.Attr(AttrInfo{Kind: AttrDense, Type: t, Splat: splat, Str: data})
}

// sparse sets the elements that are given among zeros. Of two for one place the first counts, as in MLIR.
func (e *elements) sparse(info *AttrInfo) (Attr, error) {
	c := e.c
	shaped := c.Info(info.Type)
	if len(info.List) != 2 {
		return 0, &NoElements{"has sparse elements that are no numbers of up to 64 bits", "no engine computes with them"}
	}
	n, ok := elementCount(shaped.Shape)
	size := int64(c.ElemSize(shaped.Elem))
	if !ok || n > maxSpread/size {
		return 0, &NoElements{fmt.Sprintf("has sparse elements among more than %d bytes of zeros", int64(maxSpread)), "no engine computes with them"}
	}
	index, values := c.Ints(info.List[0]), c.AttrInfo(info.List[1]).Str
	data := c.NewBlob(int(n * size))
	rank, count := len(shaped.Shape), len(values)/int(size)
	if rank > 0 {
		count = len(index) / rank
	}
	for i := count - 1; i >= 0; i-- {
		at := int64(0)
		for d, x := range index[i*rank : (i+1)*rank] {
			at = at*shaped.Shape[d] + x
		}
		value := values
		if len(values) > int(size) {
			value = values[i*int(size):]
		}
		copy(data[at*size:(at+1)*size], value)
	}
	return e.dense(info.Type, intern.BlobString(data)), nil
}

// val is the vector of the elements of an attribute, of most at most.
func (e *elements) val(a Attr, most int64) (Val, error) {
	c := e.c
	if n, ok := elementCount(c.Info(c.TypeOf(a)).Shape); !ok || n > most {
		return Val{}, ErrNoValue
	}
	a, err := e.of(a)
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

// attr is the AttrDense of a value of type t, or 0 if it has none.
func (e *elements) attr(v Val, t, elem Type) Attr {
	c := e.c
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
