package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir"
)

// An Array is one of numbers: its type of elements, its extents, and the elements as they lie in memory.
type Array struct {
	Elem  ir.Type
	Shape []int64
	Data  []byte
}

const magic = "\x93NUMPY"

// kinds are the types of elements by NumPy's names; names is the other way.
var kinds = map[string]ir.Type{"<f8": ir.F64, "<f4": ir.F32, "<f2": ir.F16, "<i8": ir.I64, "<i4": ir.I32, "<i2": ir.I16, "|i1": ir.I8, "|b1": ir.I1}

var names = func() map[ir.Type]string {
	out := map[ir.Type]string{}
	for name, t := range kinds {
		out[t] = name
	}
	return out
}()

// Size is how many bytes an element has.
func Size(c *ir.Context, elem ir.Type) int { return max(c.Info(elem).Width/8, 1) }

var (
	descr   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'descr':\s*'([^']*)'`) })
	fortran = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'fortran_order':\s*(True|False)`) })
	shape   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'shape':\s*\(([0-9, L]*)\)`) })
)

// Read reads a file.
func Read(c *ir.Context, file []byte) (*Array, error) {
	head, data, err := split(file)
	if err != nil {
		return nil, err
	}
	d, f, s := descr().FindStringSubmatch(head), fortran().FindStringSubmatch(head), shape().FindStringSubmatch(head)
	if d == nil || f == nil || s == nil {
		return nil, fmt.Errorf("is no array of numbers: its header is %q", strings.TrimSpace(head))
	}
	elem, ok := kinds[d[1]]
	if !ok {
		return nil, fmt.Errorf("has elements %q, not floats of 16 to 64 bits, integers with a sign or truths with the little end first: x.astype('<f4') makes some", d[1])
	}
	if f[1] == "True" {
		return nil, fmt.Errorf("has its elements in Fortran's order: numpy.ascontiguousarray(x) has them in row-major order")
	}
	if elem == ir.I1 { // to NumPy each byte but 0 is true
		data = slices.Clone(data)
		for i := range data {
			data[i] = min(data[i], 1)
		}
	}
	a := &Array{Elem: elem, Shape: []int64{}, Data: data}
	n := int64(1)
	for _, part := range strings.FieldsFunc(s[1], func(r rune) bool { return r == ',' || r == ' ' || r == 'L' }) {
		extent, err := strconv.ParseInt(part, 10, 64)
		if err != nil || extent > 0 && n > int64(len(data))/extent {
			return nil, fmt.Errorf("says extents (%s), and has %d bytes", s[1], len(data))
		}
		a.Shape, n = append(a.Shape, extent), n*extent
	}
	if n*int64(Size(c, elem)) != int64(len(data)) {
		return nil, fmt.Errorf("says extents (%s), and has %d bytes", s[1], len(data))
	}
	return a, nil
}

// split gives the header and the elements.
func split(file []byte) (head string, data []byte, err error) {
	if len(file) < 10 || !bytes.HasPrefix(file, []byte(magic)) {
		return "", nil, fmt.Errorf("is no .npy file")
	}
	if v := file[6]; v < 1 || v > 3 {
		return "", nil, fmt.Errorf("is of version %d of the .npy format, and 1 to 3 are known", v)
	}
	at, n := 10, int64(binary.LittleEndian.Uint16(file[8:]))
	if file[6] > 1 && len(file) >= 12 {
		at, n = 12, int64(binary.LittleEndian.Uint32(file[8:]))
	}
	if n > int64(len(file)-at) {
		return "", nil, fmt.Errorf("ends within its header")
	}
	return string(file[at : at+int(n)]), file[at+int(n):], nil
}

// Write makes a file of version 1.0.
func Write(a *Array) []byte {
	dims := ""
	for _, n := range a.Shape {
		dims += fmt.Sprintf("%d, ", n)
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", names[a.Elem], dims)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	out := append([]byte(magic), 1, 0, 0, 0)
	binary.LittleEndian.PutUint16(out[8:], uint16(len(head)))
	return append(append(out, head...), a.Data...)
}

// Bits are those of element i.
func (a *Array) Bits(i, size int) uint64 {
	var b [8]byte
	copy(b[:], a.Data[i*size:(i+1)*size])
	return binary.LittleEndian.Uint64(b[:])
}
