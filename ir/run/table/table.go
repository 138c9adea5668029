package table

import (
	"fmt"
	"math"
	"unsafe"
)

// A Kind is what the values of a column are and how they lie in memory.
type Kind uint8

// The kinds. Integers are signed.
const (
	I1 Kind = iota // a byte, 0 or 1
	I8
	I16
	I32
	I64
	Index // 64 bits
	Date  // 32 bits: days since 1970-01-01, in the Gregorian calendar
	F32
	F64
	String
)

var kinds = [...]struct {
	name string
	size int // bytes of a value
}{I1: {"i1", 1}, I8: {"i8", 1}, I16: {"i16", 2}, I32: {"i32", 4}, I64: {"i64", 8}, Index: {"index", 8},
	Date: {"date", 4}, F32: {"f32", 4}, F64: {"f64", 8}, String: {"string", 1}}

// String is the name of a kind, as in the text form of types.
func (k Kind) String() string { return kinds[k].name }

// Size is how many bytes a value takes; of strings, a byte of text.
func (k Kind) Size() int { return kinds[k].size }

// Integer reports numbers without a fraction, dates too.
func (k Kind) Integer() bool { return k >= I8 && k <= Date }

// bits is the width of an integer.
func (k Kind) bits() int { return 8 * kinds[k].size }

// A Want asks for a column of a file.
type Want struct {
	Name     string
	Kind     Kind
	Nullable bool // it may have nulls
}

// A Column is the values of a column, one for each row.
type Column struct {
	Want
	Data    []byte  // the values, aligned to 8 bytes; of strings their text, one after the other
	Offsets []int64 // of strings: where each begins in Data and, at the end, where the last one ends
	Valid   []byte  // of a nullable column: 1 where there is a value, 0 where Data has 0 or no text
}

// NewColumn is a column without rows.
func NewColumn(w Want) *Column {
	c := &Column{Want: w}
	if w.Kind == String {
		c.Offsets = []int64{0}
	}
	return c
}

// A Table is columns of one length.
type Table struct {
	Rows    int
	Columns []*Column
}

// Rows is how many values a column has.
func (c *Column) Rows() int {
	if c.Kind == String {
		return max(len(c.Offsets)-1, 0)
	}
	return len(c.Data) / c.Kind.Size()
}

// Null reports that a row has no value.
func (c *Column) Null(row int) bool { return c.Nullable && c.Valid[row] == 0 }

// Text is a row of a string column; it shares the column's memory.
func (c *Column) Text(row int) []byte { return c.Data[c.Offsets[row]:c.Offsets[row+1]] }

// Values is the data of a column as numbers of its size; it shares the column's memory.
func Values[T int8 | int16 | int32 | int64 | float32 | float64](c *Column) []T {
	var zero T
	if c.Kind == String || int(unsafe.Sizeof(zero)) != c.Kind.Size() {
		panic(fmt.Sprintf("table: the values of a column of %s are seen as %T", c.Kind, zero))
	}
	if len(c.Data) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(c.Data))), len(c.Data)/c.Kind.Size())
}

// Alloc is zero memory of n bytes for the values of a column, aligned to 8 bytes, with room for
// more of them.
func Alloc(n, room int) []byte {
	words := make([]uint64, (max(n, room)+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))[:n]
}

// Reserve makes room for more bytes at the end of values, aligned as Alloc does; room is how
// many there will be in the end, as far as one knows.
func Reserve(data []byte, more, room int) []byte {
	if data != nil && cap(data)-len(data) >= more {
		return data
	}
	out := Alloc(len(data), max(len(data)+more, room, 2*cap(data)))
	copy(out, data)
	return out
}

// Limits are the smallest and the largest value of an integer of some bits.
func Limits(bits int) (low, high int64) {
	return math.MinInt64 >> (64 - bits), math.MaxInt64 >> (64 - bits)
}
