package syntax

import (
	"encoding/json"
	"slices"

	"github.com/irc-lang/irc/ir/diag"
)

// ParsePoints reads assignments of values to names, such as draws of a sampler:
// a JSON array of objects (or one object), each like an inits file; or CSV with
// one draw a line and columns such as tau.c, alpha[3], mu[2,1], whose largest
// indices give the shape; or an R dump or OpenBUGS list, which is one point.
func ParsePoints(src *diag.Source) ([]*Data, diag.List) {
	kind := DetectKind(src.Name, src.Text)
	b := &builder{src: src, data: NewData(), errs: &reporter{}}
	switch kind {
	case JSON:
		return jsonPoints(b), b.errs.sorted()
	case CSV:
		return csvPoints(b), b.errs.sorted()
	}
	d, list := ParseData(src, kind)
	return []*Data{d}, list
}

func jsonPoints(b *builder) []*Data {
	r := newJSONReader(b)
	tok, at, ok := r.token()
	if !ok {
		return nil
	}
	switch tok {
	case json.Delim('{'):
		if r.object() {
			r.end()
		}
		return []*Data{b.data}
	case json.Delim('['):
	default:
		b.errs.add(diag.Errorf(at, "points are an array of objects").WithFix(`write [{"name": value, ...}, ...]`))
		return nil
	}
	var points []*Data
	for r.dec.More() {
		tok, at, ok := r.token()
		if !ok {
			return points
		}
		if tok != json.Delim('{') {
			b.errs.add(diag.Errorf(at, "a point is an object with the values of the parameters").WithFix(`write {"name": value, ...}`))
			return points
		}
		b.data = NewData()
		if !r.object() {
			return points
		}
		points = append(points, b.data)
	}
	if _, _, ok := r.token(); ok {
		r.end()
	}
	return points
}

// csvPoints makes a point of each row; names and places are shared.
func csvPoints(b *builder) []*Data {
	f, ok := readCSV(b)
	if !ok {
		return nil
	}
	for i := range f.cols {
		if c := &f.cols[i]; !c.isElement() {
			b.errs.add(diag.Errorf(c.at, "a column of points is one element, without an empty index").
				WithFix("write %s[1], %s[2] and so on", clip(c.name), clip(c.name)))
			return nil
		}
	}
	l := newLayout(f.cols, b.errs)
	if b.errs.errors > 0 {
		return nil
	}
	at := map[string]diag.Span{}
	for _, n := range l.names {
		at[n] = l.shape[n].at
	}
	points := make([]*Data, len(f.rows))
	for i := range f.rows {
		points[i] = &Data{Names: slices.Clip(l.names), arrays: make(map[string]*Array, len(l.names)), at: at}
		for _, n := range l.names {
			points[i].arrays[n] = l.array(n, f.rows[i:i+1])
		}
	}
	return points
}
