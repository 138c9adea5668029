package jsontext

import (
	"io"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
)

// An Array is numbers row by row. Dims are nil for one number.
type Array struct {
	Dims   []int
	Values []float64
}

// A Stream writes JSON, or numbers in lines, of which there may be too much to be held.
type Stream struct {
	Out io.Writer
	buf []byte
	err error
}

// blockOfNumbers is how much is written at a time.
const blockOfNumbers = 1 << 16

// Raw adds what is JSON, or not, already.
func (w *Stream) Raw(s string) {
	if w.buf = append(w.buf, s...); len(w.buf) >= blockOfNumbers {
		w.Flush()
	}
}

// Flush writes what waits, and tells the first error.
func (w *Stream) Flush() error {
	if w.err == nil {
		_, w.err = w.Out.Write(w.buf)
	}
	w.buf = w.buf[:0]
	return w.err
}

// Value adds a value that is small.
func (w *Stream) Value(v any) {
	data, err := Encode(v)
	if w.Raw(string(data)); w.err == nil {
		w.err = err
	}
}

// Arrays adds an object of arrays, by their names.
func (w *Stream) Arrays(list map[string]Array) {
	mark := "{"
	for _, name := range slices.Sorted(maps.Keys(list)) {
		w.Raw(mark)
		w.Value(name)
		w.Raw(":")
		w.Array(list[name].Dims, list[name].Values)
		mark = ","
	}
	if mark == "{" {
		w.Raw(mark)
	}
	w.Raw("}")
}

// Strings adds a list of strings.
func (w *Stream) Strings(list iter.Seq[string]) {
	w.Raw("[")
	first := true
	for s := range list {
		if !first {
			w.Raw(",")
		}
		if first = false; isPlain(s) {
			w.buf = append(append(append(w.buf, '"'), s...), '"')
		} else {
			w.Value(s)
		}
	}
	w.Raw("]")
}

// isPlain reports a string that JSON has as it is.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == '"' || s[i] == '\\' {
			return false
		}
	}
	return true
}

// number adds what Number makes of one.
func (w *Stream) number(x float64) {
	abs := math.Abs(x)
	switch {
	case !(abs <= math.MaxFloat64) || x == 0:
		w.Value(Number(x))
		return
	case abs >= 1e-6 && abs < 1e21:
		w.buf = strconv.AppendFloat(w.buf, x, 'f', -1, 64)
	default:
		b := strconv.AppendFloat(w.buf, x, 'e', -1, 64)
		if n := len(b); b[n-2] == '0' && (b[n-3] == '-' || b[n-3] == '+') { // e-09 is e-9
			b = append(b[:n-2], b[n-1])
		}
		w.buf = b
	}
	w.Raw("")
}

// Array adds the elements of an array from one on, in nested lists.
func (w *Stream) Array(dims []int, values []float64) {
	if len(dims) == 0 {
		w.number(values[0])
		return
	}
	w.Raw("[")
	n := len(values) / max(dims[0], 1)
	for i := range dims[0] {
		if i > 0 {
			w.Raw(",")
		}
		w.Array(dims[1:], values[i*n:(i+1)*n])
	}
	w.Raw("]")
}

// Names gives the names of the elements of an array, row by row.
func (a Array) Names(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var each func(dims []int, before []byte) bool
		each = func(dims []int, before []byte) bool {
			if len(dims) == 0 {
				return yield(string(append(before, ']')))
			}
			for i := range dims[0] {
				mark := byte(',')
				if len(dims) == len(a.Dims) {
					mark = '['
				}
				if !each(dims[1:], strconv.AppendInt(append(before, mark), int64(i+1), 10)) {
					return false
				}
			}
			return true
		}
		if len(a.Dims) == 0 {
			yield(name)
			return
		}
		each(a.Dims, append(make([]byte, 0, len(name)+32), name...))
	}
}
