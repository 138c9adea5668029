package input

import (
	"math"
	"strings"

	"github.com/irc-lang/irc/ir/decimal"
)

// A plainJSON reads an object of numbers and full arrays of numbers and nulls, which
// is what large data are, straight from the text. It gives up at whatever else it
// meets: the token reader then reads the text, or says what is wrong with it.
type plainJSON struct {
	text string
	pos  int
}

type plainValue struct {
	name       string
	start, end int // of the name
	a          *Array
}

// maxPlainNames bounds the values that are kept until all have been read.
const maxPlainNames = 10000

// readPlainJSON returns the values in order; ok is false if it gave up.
func readPlainJSON(text string, pos int) (out []plainValue, ok bool) {
	r := &plainJSON{text, pos}
	if !r.byte('{') {
		return nil, false
	}
	for first := true; !r.byte('}'); first = false {
		if !first && !r.byte(',') {
			return nil, false
		}
		r.space()
		start := r.pos
		name, ok := r.name()
		if !ok {
			return nil, false
		}
		v := plainValue{name: name, start: start, end: r.pos, a: &Array{}}
		if !r.byte(':') {
			return nil, false
		}
		if r.space(); !r.value(v.a) {
			return nil, false
		}
		if out = append(out, v); len(out) > maxPlainNames {
			return nil, false
		}
	}
	r.space()
	return out, r.pos == len(r.text)
}

func (r *plainJSON) space() {
	for r.pos < len(r.text) {
		switch r.text[r.pos] {
		case ' ', '\n', '\r', '\t':
			r.pos++
		default:
			return
		}
	}
}

// byte passes a byte after white space.
func (r *plainJSON) byte(c byte) bool {
	if r.space(); r.pos < len(r.text) && r.text[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

// name reads a string without escapes, of printable ASCII.
func (r *plainJSON) name() (string, bool) {
	if r.pos >= len(r.text) || r.text[r.pos] != '"' {
		return "", false
	}
	for i := r.pos + 1; i < len(r.text); i++ {
		switch c := r.text[i]; {
		case c == '"':
			s := r.text[r.pos+1 : i]
			r.pos = i + 1
			return s, true
		case c < ' ' || c > '~' || c == '\\':
			return "", false
		}
	}
	return "", false
}

func (r *plainJSON) value(a *Array) bool {
	if r.pos < len(r.text) && r.text[r.pos] == '[' {
		rest := r.text[r.pos:]
		if n := strings.IndexByte(rest, '"'); n >= 0 {
			rest = rest[:n]
		}
		a.Values = make([]float64, 0, strings.Count(rest, ",")+1) // commas of rows as well as of elements are between two
		return r.array(a, 0)
	}
	return r.element(a)
}

// array reads rows, or elements, up to the closing bracket.
func (r *plainJSON) array(a *Array, depth int) bool {
	r.pos++
	if r.space(); r.pos >= len(r.text) || depth >= maxDims {
		return false
	}
	first := len(a.Dims) == depth
	if first {
		a.Dims = append(a.Dims, -1)
	}
	nested := r.text[r.pos] == '['
	if nested != (depth+1 < len(a.Dims)) && !(first && nested) {
		return false
	}
	n := 0
	for {
		if nested {
			if r.pos >= len(r.text) || r.text[r.pos] != '[' || !r.array(a, depth+1) {
				return false
			}
		} else if !r.element(a) {
			return false
		}
		n++
		if r.space(); r.pos >= len(r.text) {
			return false
		}
		c := r.text[r.pos]
		r.pos++
		if c == ']' {
			break
		}
		if c != ',' {
			return false
		}
		r.space()
	}
	if a.Dims[depth] < 0 {
		a.Dims[depth] = n
	}
	return a.Dims[depth] == n
}

// element reads a number or null.
func (r *plainJSON) element(a *Array) bool {
	rest := r.text[r.pos:]
	x, n := decimal.Scan(rest)
	gap := n == 0
	switch {
	case gap && strings.HasPrefix(rest, "null"):
		x, n = math.NaN(), 4
	case gap || leadingZero(rest):
		return false
	}
	r.pos += n
	a.Values = append(a.Values, x)
	if gap && a.Missing == nil {
		a.Missing = make([]bool, len(a.Values)-1, cap(a.Values))
	}
	if a.Missing != nil {
		a.Missing = append(a.Missing, gap)
	}
	return true
}

// leadingZero reports a number such as 01.
func leadingZero(s string) bool {
	if s[0] == '-' {
		s = s[1:]
	}
	return len(s) > 1 && s[0] == '0' && s[1]-'0' <= 9
}
