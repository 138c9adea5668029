package input

import (
	"errors"
	"io"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/decimal"
	"github.com/irc-lang/irc/ir/diag"
)

// A Point is values for names, such as a draw of a sampler, or a vector of numbers.
type Point struct {
	Data   *Data
	Vector []float64 // instead of Data, where vectors are wanted
}

// A PointReader reads points one after the other, each only when it is asked for. So neither a long file nor
// a pipe that goes on is ever held as a whole:
//
//   - JSON: an array of objects, objects one after the other (a line each, or not),
//     or one object; each is like a file of initial values.
//   - CSV with one draw a line and columns such as tau.c, alpha[3], mu[2,1], whose
//     largest indices give the shape.
//   - An R dump or OpenBUGS list is one point.
type PointReader struct {
	in      *pointInput
	vectors bool // arrays of numbers are points
	next    func() (Point, diag.List, error)

	array, some bool     // JSON: points are elements; there was one
	cols        []column // CSV
	layout      *layout  // CSV
	at          map[string]diag.Span
}

// NewPointReader reads from r; the name tells the kind, as it does for data. With
// vectors a point may also be a JSON array of numbers.
func NewPointReader(name string, r io.Reader, vectors bool) *PointReader {
	p := &PointReader{in: &pointInput{name: name, r: r}, vectors: vectors}
	p.next = p.first
	return p
}

// Next returns the next point; the error is io.EOF at the end, or that of the reader.
// After errors in the list there are no more points.
func (p *PointReader) Next() (Point, diag.List, error) {
	x, list, err := p.next()
	if err != nil || list.Err() != nil {
		p.next = func() (Point, diag.List, error) { return Point{}, nil, io.EOF }
	}
	return x, list, err
}

// ParsePoints reads all points of a text.
func ParsePoints(src *diag.Source) (out []*Data, list diag.List) {
	p := NewPointReader(src.Name, strings.NewReader(src.Text), false)
	for {
		x, more, err := p.Next()
		list = append(list, more...)
		if err != nil {
			return out, list
		}
		if x.Data != nil {
			out = append(out, x.Data)
		}
	}
}

// first tells the kind by the first line that says something.
func (p *PointReader) first() (Point, diag.List, error) {
	in := p.in
	if err := in.head(); err != nil {
		return Point{}, nil, err
	}
	if d := syntax.WideText(diag.NewSource(in.name, string(in.buf[:min(len(in.buf), 512)]))); d != nil {
		return Point{}, diag.List{d}, nil
	}
	kind := DetectKind(in.name, string(in.buf[in.pos:]))
	if kind == Unknown && p.oneColumn() {
		kind = CSV
	}
	switch kind {
	case JSON:
		p.next = p.json
		if err := in.space(); err != nil && err != io.EOF {
			return Point{}, nil, err
		}
		if p.array = in.peek() == '[' && !(p.vectors && p.flat()); p.array {
			in.pos++
		}
	case CSV:
		p.next = p.head
	default:
		p.next = p.whole
	}
	return p.next()
}

// oneColumn reports a name in a line and a number in the next, which has no comma to be
// known by.
func (p *PointReader) oneColumn() bool {
	in := p.in
	for {
		lines := strings.SplitAfterN(skipRSpace(string(in.buf[in.pos:])), "\n", 3)
		if len(lines) > 2 || in.fill() != nil {
			if len(lines) == 1 {
				return false
			}
			number := strings.Trim(lines[1], " \t\r\n")
			_, n := decimal.Scan(number)
			return n == len(number) || number == "NA"
		}
	}
}

// flat reports that the array that begins here has a number first: it is a point.
func (p *PointReader) flat() bool {
	in := p.in
	for k := 1; ; k++ { // from pos, which fill moves
		for in.pos+k >= len(in.buf) {
			if in.fill() != nil {
				return false
			}
		}
		if c := in.buf[in.pos+k]; !isBlank(c) {
			return c != '[' && c != '{' && c != ']'
		}
	}
}

// whole reads one point of the rest.
func (p *PointReader) whole() (Point, diag.List, error) {
	for {
		if err := p.in.fill(); err == io.EOF {
			break
		} else if err != nil {
			return Point{}, nil, err
		}
	}
	d, list := ParseData(p.in.source(p.in.pos, len(p.in.buf)), Unknown)
	p.next = func() (Point, diag.List, error) { return Point{}, nil, io.EOF }
	return Point{Data: d}, list, nil
}

// json reads a value and what stands before it.
func (p *PointReader) json() (Point, diag.List, error) {
	in := p.in
	err := in.space()
	if err != nil && err != io.EOF {
		return Point{}, nil, err
	}
	fail := func(fix, format string, args ...any) (Point, diag.List, error) {
		d := diag.Errorf(in.source(in.pos, min(in.pos+maxLine, len(in.buf))).At(0), format, args...)
		return Point{}, diag.List{d.WithFix("%s", fix)}, nil
	}
	if !p.array {
		if err == io.EOF && p.some {
			return Point{}, nil, io.EOF
		}
		return p.value()
	}
	switch c := in.peek(); {
	case err == io.EOF:
		return fail("look for a missing ] or }", "the JSON text ends too early")
	case c == ']':
		in.pos++
		p.next = p.end
		return p.next()
	case p.some && c != ',':
		return fail("write a comma between points", "expected `,` or `]` after a point")
	case p.some:
		in.pos++
		if err := in.space(); err != nil && err != io.EOF {
			return Point{}, nil, err
		}
		if in.peek() == ']' {
			return fail("remove the comma before the closing bracket", "a point is missing before `]`")
		}
	}
	return p.value()
}

// end wants nothing more.
func (p *PointReader) end() (Point, diag.List, error) {
	err := p.in.space()
	if err == nil {
		d := diag.Errorf(p.in.source(p.in.pos, len(p.in.buf)).At(0), "the points end before this").WithFix("remove what follows the last ]")
		return Point{}, diag.List{d}, nil
	}
	return Point{}, nil, err
}

// value reads an object, or a vector.
func (p *PointReader) value() (Point, diag.List, error) {
	in := p.in
	c := in.peek()
	end, err := in.value()
	if err != nil {
		return Point{}, nil, err
	}
	src := in.source(in.pos, end)
	in.pass(end)
	p.some = true
	switch {
	case c == '[' && p.vectors:
		a := &Array{}
		r := &plainJSON{text: src.Text}
		if strings.TrimSpace(src.Text[1:]) == "]" { // a model without parameters
			return Point{Vector: []float64{}}, nil, nil
		}
		if !r.value(a) || r.pos != len(r.text) || len(a.Dims) != 1 || a.Missing != nil {
			return Point{}, diag.List{diag.Errorf(src.At(0), "a point on the unconstrained scale is an array of numbers").WithFix("write [[0.1, 0.2], [0.3, 0.4], ...]")}, nil
		}
		return Point{Vector: append([]float64{}, a.Values...)}, nil, nil
	case c != '{' && c != 0:
		fix := `write {"name": value, ...}`
		if p.array {
			return Point{}, diag.List{diag.Errorf(src.At(0), "a point is an object with the values of the parameters").WithFix("%s", fix)}, nil
		}
		return Point{}, diag.List{diag.Errorf(src.At(0), "points are an array of objects").WithFix(`write [{"name": value, ...}, ...]`)}, nil
	}
	b := &builder{src: src, data: NewData(), errs: &syntax.Reporter{}}
	parseJSON(b)
	return Point{Data: b.data}, b.errs.Sorted(), nil
}

// head reads the columns' names.
func (p *PointReader) head() (Point, diag.List, error) {
	src, err := p.in.line()
	if err == io.EOF {
		src, err = p.in.source(p.in.pos, len(p.in.buf)), nil
	}
	if err != nil {
		return p.lineError(err)
	}
	b := &builder{src: src, data: NewData(), errs: &syntax.Reporter{}}
	cols, ok := newCSVReader(b).head()
	ok = ok && b.errs.Errors == 0
	for i := range cols {
		if c := &cols[i]; ok && !c.isElement() {
			b.errs.Add(diag.Errorf(c.at, "a column of points is one element, without an empty index").
				WithFix("write %s[1], %s[2] and so on", syntax.Clip(c.name), syntax.Clip(c.name)))
			ok = false
		}
	}
	if !ok {
		return Point{}, b.errs.Sorted(), nil
	}
	p.cols, p.layout, p.at = cols, newLayout(cols, b.errs), map[string]diag.Span{}
	if b.errs.Errors > 0 {
		return Point{}, b.errs.Sorted(), nil
	}
	for _, n := range p.layout.names {
		p.at[n] = p.layout.shape[n].at
	}
	p.next = p.row
	x, list, err := p.next()
	return x, append(b.errs.Sorted(), list...), err
}

// row makes a point of a line; names and places are shared.
func (p *PointReader) row() (Point, diag.List, error) {
	src, err := p.in.line()
	if err != nil {
		return p.lineError(err)
	}
	cells := make([]cell, len(p.cols))
	b := &builder{src: src, errs: &syntax.Reporter{}}
	if c := newCSVReader(b); !c.more() || !c.row(p.cols, func(i int, v cell) { cells[i] = v }) {
		return Point{}, b.errs.Sorted(), nil
	}
	names := p.layout.names
	d := &Data{Names: names[:len(names):len(names)], arrays: make(map[string]*Array, len(names)), at: p.at}
	for _, n := range names {
		d.arrays[n] = p.layout.array(n, [][]cell{cells})
	}
	return Point{Data: d}, nil, nil
}

func (p *PointReader) lineError(err error) (Point, diag.List, error) {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return Point{}, diag.List{d}, nil
	}
	return Point{}, nil, err
}
