package input

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// maxDims bounds the dimensions of an array.
const maxDims = 16

// A jsonReader reads JSON token by token: numbers keep their text, and a name
// that occurs twice is seen.
type jsonReader struct {
	*builder
	dec  *json.Decoder
	base int // offset of the decoder's input in the source
}

func newJSONReader(b *builder) *jsonReader {
	base := len(b.src.Text) - len(strings.TrimPrefix(b.src.Text, "\ufeff"))
	dec := json.NewDecoder(strings.NewReader(b.src.Text[base:]))
	dec.UseNumber()
	return &jsonReader{b, dec, base}
}

// parseJSON reads one object.
func parseJSON(b *builder) {
	if plain, ok := readPlainJSON(b.src.Text, len(b.src.Text)-len(trimBOM(b.src.Text))); ok {
		for _, v := range plain {
			b.add(v.name, b.src.Span(v.start, v.end), v.a)
		}
		return
	}
	parseJSONTokens(b)
}

// parseJSONTokens reads whatever JSON allows, and finds the words for the rest.
func parseJSONTokens(b *builder) {
	r := newJSONReader(b)
	tok, at, ok := r.token()
	if !ok {
		return
	}
	if tok == json.Delim('[') && strings.HasPrefix(strings.TrimLeft(r.src.Text[r.offset():], " \t\r\n"), "{") {
		r.errs.Add(diag.Errorf(at, "these are several sets of values, and one is wanted").WithFix("keep one of them; -points takes many points, in JSON or CSV"))
		return
	}
	if tok != json.Delim('{') {
		r.errs.Add(diag.Errorf(at, "data in JSON are one object").WithFix(`write {"name": value, ...}`))
		return
	}
	if r.object() {
		r.end()
	}
}

// token reads a token and its place.
func (r *jsonReader) token() (json.Token, diag.Span, bool) {
	start := r.offset()
	text := r.src.Text
	for start < len(text) && strings.IndexByte(" \t\r\n,:", text[start]) >= 0 {
		start++
	}
	tok, err := r.dec.Token()
	if err != nil {
		r.failed(err, start)
		return nil, diag.Span{}, false
	}
	return tok, r.src.Span(start, max(r.offset(), start+1)), true
}

func (r *jsonReader) offset() int { return r.base + int(r.dec.InputOffset()) }

// failed reports an error of the decoder.
func (r *jsonReader) failed(err error, start int) {
	text := r.src.Text
	at := r.src.At(start)
	var se *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || start >= len(text):
		r.errs.Add(diag.Errorf(r.src.At(len(text)), "the JSON text ends too early").WithFix("look for a missing ] or }"))
		return
	case errors.As(err, &se):
		// Offsets of the decoder's errors have changed between versions; the start
		// of the token is always a good place.
	}
	d := diag.Errorf(at, "malformed JSON: %s", err)
	switch rest := text[start:]; {
	case strings.HasPrefix(rest, "NaN"), strings.HasPrefix(rest, "Inf"), strings.HasPrefix(rest, "-Inf"):
		d = diag.Errorf(at, "JSON has no literal for NaN and infinity").
			WithFix(`write null for a missing value, "Infinity" or "-Infinity" in quotes`)
	case strings.HasPrefix(rest, "NA"):
		d = diag.Errorf(at, "JSON has no NA").WithFix("write null for a missing value")
	case syntax.StartsTypographic(rest):
		d = diag.Errorf(at, "these are quotes of a word processor, and JSON has straight ones").WithFix(`write "`)
	case strings.HasPrefix(rest, "."):
		d.WithFix("write a digit before the point: 0.5")
	case strings.HasPrefix(rest, "]"), strings.HasPrefix(rest, "}"):
		d.WithFix("remove the comma before the closing bracket")
	}
	r.errs.Add(d)
}

// end checks that nothing follows.
func (r *jsonReader) end() {
	rest := r.src.Text[r.offset():]
	if t := strings.TrimLeft(rest, " \t\r\n"); t != "" {
		at := r.offset() + len(rest) - len(t)
		r.errs.Add(diag.Errorf(r.src.At(at), "the data end before this").WithFix("remove what follows the last }"))
	}
}

// object reads `"name": value` pairs up to the closing brace, or until more errors would
// not be shown.
func (r *jsonReader) object() bool {
	for {
		if r.errs.Full() {
			return false
		}
		tok, at, ok := r.token()
		if !ok {
			return false
		}
		name, isName := tok.(string)
		if !isName {
			return true // the decoder lets only the closing brace through
		}
		v := &jsonValue{jsonReader: r, name: name}
		if !v.read(0) {
			return false
		}
		a := &Array{Dims: v.dims, Values: v.values, Missing: v.missing}
		if v.wrong == nil || isGenerator(name) {
			r.add(name, at, a)
		} else {
			r.errs.Add(v.wrong)
		}
	}
}

// A jsonValue flattens nested arrays row by row and checks that they are full.
type jsonValue struct {
	*jsonReader
	name    string
	dims    []int // lengths; -1 where not known yet
	leaf    int   // depth of the numbers, plus 1; 0 where not known yet
	values  []float64
	missing []bool
	wrong   *diag.Diagnostic // the first error that leaves the text readable
}

func (v *jsonValue) complain(at diag.Span, fix, format string, args ...any) {
	if v.wrong == nil {
		v.wrong = diag.Errorf(at, format, args...).WithFix("%s", fix)
	}
}

// read reads a number or an array at a depth.
func (v *jsonValue) read(depth int) bool {
	tok, at, ok := v.token()
	if !ok {
		return false
	}
	switch t := tok.(type) {
	case json.Delim:
		if t == '{' {
			v.errs.Add(diag.Errorf(at, "the value of %s is an object", v.name).WithFix("write a number or nested arrays"))
			return false
		}
		return v.array(depth, at)
	case json.Number:
		x, err := strconv.ParseFloat(t.String(), 64)
		if err != nil {
			v.complain(at, "the largest is about 1.8e308", "the number %s is outside of the range of a double", syntax.Clip(t.String()))
		}
		v.put(depth, at, x, false)
	case bool:
		x := 0.0
		if t {
			x = 1
		}
		v.put(depth, at, x, false)
	case nil:
		v.put(depth, at, math.NaN(), true)
	case string:
		x, ok := map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "Inf": math.Inf(1),
			"-Infinity": math.Inf(-1), "-Inf": math.Inf(-1)}[t]
		if !ok {
			v.complain(at, "write numbers without quotes, and null for a missing value", "%s holds the text %q where a number is wanted", v.name, syntax.Clip(t))
		}
		v.put(depth, at, x, false)
	}
	return true
}

// put appends a number found at a depth.
func (v *jsonValue) put(depth int, at diag.Span, x float64, missing bool) {
	if v.leaf == 0 {
		v.leaf = depth + 1
	}
	if v.leaf != depth+1 || len(v.dims) > depth {
		v.complain(at, "give all rows the same form", "%s is ragged: a number where an array is wanted, or the other way round", v.name)
	}
	v.values = append(v.values, x)
	if missing && v.missing == nil {
		v.missing = make([]bool, len(v.values)-1, cap(v.values))
	}
	if v.missing != nil {
		v.missing = append(v.missing, missing)
	}
}

// array reads elements up to the closing bracket.
func (v *jsonValue) array(depth int, open diag.Span) bool {
	if depth >= maxDims {
		v.errs.Add(diag.Errorf(open, "%s has more than %d dimensions", v.name, maxDims))
		return false
	}
	if v.leaf != 0 && depth+1 >= v.leaf {
		v.complain(open, "give all rows the same form", "%s is ragged: an array where a number is wanted", v.name)
	}
	if len(v.dims) == depth {
		v.dims = append(v.dims, -1)
	}
	n := 0
	for v.dec.More() {
		if !v.read(depth + 1) {
			return false
		}
		n++
	}
	_, end, ok := v.token()
	if !ok {
		return false
	}
	if v.dims[depth] < 0 {
		v.dims[depth] = n
	} else if v.dims[depth] != n {
		v.complain(v.src.Span(open.Start, end.End), "fill short rows with null", "%s is ragged: length %d here, %d before", v.name, n, v.dims[depth])
	}
	return true
}
