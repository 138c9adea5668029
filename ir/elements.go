package ir

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// ResourcePrefix begins the text of an attribute whose elements are a resource of the
// file. Its List holds a string, the bytes of the resource, unless the file lacks them: four of its
// alignment, little end first, and the elements.
const ResourcePrefix = "dense_resource<"

// SparsePrefix begins the text of an attribute that gives a few elements, all others
// are zero. Its List holds two dense arrays, unless the elements are no numbers of up to 64 bits:
// the indices, those of an element side by side, and the values, one each or one for all.
const SparsePrefix = "sparse<"

// Elided is the key that stands in the place of elements which were not printed.
const Elided = "__elided__"

// maxSpread bounds the bytes that a sparse attribute is spread to.
const maxSpread = 1 << 31

// NoElements says why an attribute has no elements that can be computed with. It is an
// ErrNoValue.
type NoElements struct{ Reason, Fix string }

func (e *NoElements) Error() string { return e.Reason + "; " + e.Fix }

// Is makes it an ErrNoValue.
func (e *NoElements) Is(target error) bool { return target == ErrNoValue }

// elements is what Elements found for an attribute.
type elements struct {
	dense Attr
	err   error
}

// Elements is the AttrDense that an attribute of elements stands for: itself, the bytes of a
// resource, what a sparse one is spread to. Where there is none the error, a *NoElements,
// says why. Whoever wants the elements of an attribute asks this first.
func (c *Context) Elements(a Attr) (Attr, error) {
	switch c.KindOf(a) {
	case AttrDense:
		return a, nil
	case AttrOther:
	case AttrDenseText:
		return 0, &NoElements{"has elements that are no numbers of up to 64 bits", "no engine computes with them"}
	default:
		return 0, &NoElements{"has a value that is no elements", "write it as dense<[...]>"}
	}
	if had, ok := c.elements.Load(a); ok {
		return had.(elements).dense, had.(elements).err
	}
	e := elements{}
	info := c.AttrInfo(a)
	switch {
	case strings.HasPrefix(info.Str, ResourcePrefix):
		e.dense, e.err = c.resourceElements(info)
	case strings.HasPrefix(info.Str, SparsePrefix):
		e.dense, e.err = c.sparseElements(info)
	default:
		e.err = &NoElements{"has the value " + info.Str + ", which is no elements", "write it as dense<[...]>"}
	}
	c.elements.Store(a, e)
	return e.dense, e.err
}

// resourceElements checks the bytes of a resource against the type.
func (c *Context) resourceElements(info *AttrInfo) (Attr, error) {
	key := strings.TrimSuffix(info.Str[len(ResourcePrefix):], ">")
	no := func(why, fix string, args ...any) (Attr, error) {
		return 0, &NoElements{"has the value dense_resource<" + key + ">, " + why, fmt.Sprintf(fix, args...)}
	}
	switch {
	case key == Elided:
		return no("whose elements were left out when it was printed", "print it without -elide-elementsattrs-if-larger")
	case len(info.List) == 0:
		return no("whose data the file lacks", "give it at the end of the file: {-# dialect_resources: { builtin: { %s: \"0x...\" } } #-}", key)
	}
	n, size, ok := c.denseSize(info.Type)
	if !ok {
		return no("whose type is not one of numbers of whole bytes and known shape", "use elements of i1, i8, i16, i32, i64 or floats of up to 64 bits")
	}
	data := c.AttrInfo(info.List[0]).Str[4:]
	if uint64(len(data)) != uint64(n)*uint64(size) {
		return no(fmt.Sprintf("whose %d bytes do not fill its type", len(data)), "%d elements of %d bytes each take %d, after the 4 of the alignment", n, size, n*int64(size))
	}
	if c.Info(info.Type).Elem == I1 && strings.Trim(data, "\x00\x01") != "" {
		return no("of which a byte is neither 0 nor 1", "an i1 of a resource is one byte")
	}
	return c.DenseAttr(info.Type, data), nil
}

// denseSize is the number of elements of a type, and the bytes of each. ok is false if such bytes are not
// numbers that all their bits say, or the shape is not known.
func (c *Context) denseSize(t Type) (n int64, size int, ok bool) {
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

// DenseAttr is the AttrDense of a type, tensor or vector, whose elements are bytes as Elems reads them.
func (c *Context) DenseAttr(t Type, data string) Attr {
	size := c.ElemSize(c.Info(t).Elem)
	splat := len(data) > 0 && data[size:] == data[:len(data)-size]
	if splat {
		data = data[:size]
	}
	return c.Attr(AttrInfo{Kind: AttrDense, Type: t, Splat: splat, Str: data})
}

// sparseElements sets the elements that are given among zeros. Of two for one place the first counts, as in MLIR.
func (c *Context) sparseElements(info *AttrInfo) (Attr, error) {
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
	return c.DenseAttr(info.Type, BlobString(data)), nil
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
