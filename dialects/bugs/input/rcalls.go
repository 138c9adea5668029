package input

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// rParams are the names of the parameters of the functions that data may use.
var rParams = map[string][]string{
	"c": nil, "list": nil, "data.frame": nil,
	"structure":  {".Data", ".Dim", "dim", "levels", ".Label", "class"},
	"as.integer": {"x"}, "as.numeric": {"x"}, "as.double": {"x"}, "as.vector": {"x"}, "as.logical": {"x"},
	"rep":     {"x", "times", "length.out", "each"},
	"rep.int": {"x", "times"}, "rep_len": {"x", "length.out"},
	"seq": {"from", "to", "by", "length.out"}, "seq.int": {"from", "to", "by", "length.out"},
	"seq_len": {"length.out"},
	"matrix":  {"data", "nrow", "ncol", "byrow", "dimnames"},
	"array":   {"data", "dim", "dimnames"},
	"numeric": {"length"}, "integer": {"length"},
}

// apply computes a call; the parenthesis is the current token.
func (p *rParser) apply(name string, at diag.Span) *rValue {
	params, known := rParams[name]
	if !known {
		var names []string
		for n := range rParams {
			names = append(names, n)
		}
		sort.Strings(names)
		fix := "data may use " + strings.Join(names, ", ")
		if near := diag.Nearest(name, names); near != "" {
			fix = "did you mean " + near + "?"
		}
		p.fail(at, fix, "unknown function %s", syntax.Clip(name))
	}
	args := p.args(name == "c")
	switch name {
	case "c":
		return p.concat(args)
	case "list":
		return &rValue{not: aList, parts: args}
	case "data.frame":
		return recycled(&rValue{not: aList, parts: args, frame: true})
	}
	m := p.match(name, params, args)
	switch name {
	case "structure":
		return p.structure(m, at)
	case "rep", "rep.int", "rep_len":
		return p.rep(m, at)
	case "seq", "seq.int":
		return p.seq(m, at)
	case "matrix":
		return p.matrix(m, at)
	case "array":
		v := p.numbers(m, "data", at)
		return p.shape(v, p.dims(p.numbers(m, "dim", at), at), at)
	case "seq_len":
		n := p.count(m, "length.out", at)
		if n == 0 {
			return &rValue{}
		}
		return p.sequence(at, 1, float64(n), 1)
	case "numeric", "integer":
		return &rValue{vals: make([]float64, p.allow(at, p.count(m, "length", at)))}
	}
	return convert(name, p.numbers(m, "x", at))
}

// convert computes as.integer and the like, which drop dimensions.
func convert(name string, v *rValue) *rValue {
	out := &rValue{vals: v.vals, miss: v.miss, scalar: v.scalar}
	if name == "as.integer" {
		out.vals = make([]float64, len(v.vals))
		for i, x := range v.vals {
			out.vals[i] = math.Trunc(x)
		}
	}
	return out
}

// concat computes c(...).
func (p *rParser) concat(args []rArg) *rValue {
	if len(args) == 1 && args[0].isNumbers() {
		return &rValue{vals: args[0].v.vals, miss: args[0].v.miss}
	}
	out := &rValue{vals: make([]float64, 0, len(args))}
	for _, a := range args {
		switch a.v.not {
		case "":
		case aNull:
			continue
		case aText:
			out.not = aText
			out.texts = append(out.texts, a.v.texts...)
			continue
		default:
			out.not = a.v.not
			return out
		}
		if a.v.miss != nil && out.miss == nil {
			out.miss = make([]bool, len(out.vals), cap(out.vals))
		}
		out.vals = append(out.vals, a.v.vals...)
		if out.miss != nil {
			if a.v.miss != nil {
				out.miss = append(out.miss, a.v.miss...)
			} else {
				out.miss = append(out.miss, make([]bool, len(a.v.vals))...)
			}
		}
	}
	return out
}

// match assigns arguments to parameters as R does: by name, by the beginning of
// a name, then by position. structure ignores other attributes.
func (p *rParser) match(fn string, params []string, args []rArg) map[string]rArg {
	m := map[string]rArg{}
	var rest []rArg
	for _, a := range args {
		if a.name == "" {
			rest = append(rest, a)
			continue
		}
		full := ""
		for _, q := range params {
			if q == a.name {
				full = q
				break
			}
			if full == "" && strings.HasPrefix(q, a.name) {
				full = q
			}
		}
		switch {
		case full == "" && fn == "structure":
			continue
		case full == "" && fn == "seq" && a.name == "along.with", full == "":
			p.fail(a.at, "", "%s has no argument %s", fn, syntax.Clip(a.name))
		}
		m[full] = a
	}
	for _, q := range params {
		if _, ok := m[q]; !ok && len(rest) > 0 {
			m[q], rest = rest[0], rest[1:]
		}
	}
	if len(rest) > 0 {
		p.fail(rest[0].at, "", "too many arguments of %s", fn)
	}
	return m
}

// numbers is the argument of a parameter, which must be there and be numbers.
func (p *rParser) numbers(m map[string]rArg, name string, at diag.Span) *rValue {
	a, ok := m[name]
	if !ok {
		p.fail(at, "", "the argument %s is missing", name)
	}
	if a.v.not == aNull {
		return &rValue{}
	}
	if a.v.not != "" {
		p.fail(a.at, "write numbers", "the argument %s is %s where numbers are wanted", name, a.v.not)
	}
	return a.v
}

// count is an argument that is a whole number, not negative.
func (p *rParser) count(m map[string]rArg, name string, at diag.Span) int {
	v := p.single(p.numbers(m, name, at), at)
	if v != math.Trunc(v) || v < 0 || v > maxGenerated {
		p.fail(m[name].at, "", "%s must be a whole number from 0 to %d", name, maxGenerated)
	}
	return int(v)
}

// dims converts a vector to dimensions.
func (p *rParser) dims(v *rValue, at diag.Span) []int {
	if len(v.vals) == 0 || len(v.vals) > maxDims {
		p.fail(at, "", "an array has 1 to %d dimensions, found %d", maxDims, len(v.vals))
	}
	out := make([]int, len(v.vals))
	for i, x := range v.vals {
		if x != math.Trunc(x) || x < 0 || x > 1<<31 {
			p.fail(at, "", "a dimension is %g where a whole number is wanted", x)
		}
		out[i] = int(x)
	}
	return out
}

// structure computes structure(.Data, .Dim): the lengths must agree. Text is
// kept as it is, so that text in ignored places does no harm.
//
// The order of the elements: structure(.Data = .., .Dim = ..) in a list is OpenBUGS's
// notation and goes row by row. R's dput never names the first argument, nor does
// OpenBUGS write dim: what either tells is R's, and goes column by column.
func (p *rParser) structure(m map[string]rArg, at diag.Span) *rValue {
	if a, ok := m[".Data"]; ok && a.v.not != "" && a.v.not != aNull {
		if c, ok := m["class"]; ok && a.v.not == aList && slices.Contains(textsOf(c), "data.frame") {
			a.v.frame = true
		}
		return a.v
	}
	v := *p.numbers(m, ".Data", at)
	for _, name := range []string{".Label", "levels"} {
		if l, ok := m[name]; ok && slices.Contains(textsOf(m["class"]), "factor") {
			v.levels = textsOf(l)
		}
	}
	d, ok := m[".Dim"]
	v.rowMajor = p.inList && ok && m[".Data"].name != ""
	if !ok {
		d, ok = m["dim"]
	}
	if !ok || d.v.not == aNull {
		return &v
	}
	if d.v.not != "" {
		p.fail(d.at, "write c(rows, columns)", ".Dim is %s where numbers are wanted", d.v.not)
	}
	v.dim = p.dims(d.v, d.at)
	if ir.Elements(v.dim) != len(v.vals) {
		p.fail(d.at, "write NA for missing values, or correct .Dim", "the dimensions %s do not fit %d values", dimString(v.dim), len(v.vals))
	}
	return &v
}

// dimString shows dimensions as 2 x 3.
func dimString(dim []int) string {
	parts := lists.Map(dim, itoa)
	return strings.Join(parts, " x ")
}

// shape gives dimensions to values, repeating them to fill the array.
func (p *rParser) shape(v *rValue, dim []int, at diag.Span) *rValue {
	n := ir.Elements(dim)
	if n < 0 || n > max(maxGenerated, len(v.vals)) || n > 0 && len(v.vals) == 0 || len(v.vals) > n || n > 0 && n%len(v.vals) != 0 {
		p.fail(at, "write NA for missing values, or correct the dimensions", "the dimensions %s do not fit %d values", dimString(dim), len(v.vals))
	}
	return &rValue{vals: p.cycle(v, n, at).vals, miss: p.cycle(v, n, at).miss, dim: dim}
}

// cycle repeats a vector up to n elements.
func (p *rParser) cycle(v *rValue, n int, at diag.Span) *rValue {
	if n == len(v.vals) {
		return v
	}
	if len(v.vals) == 0 {
		p.fail(at, "", "nothing to repeat")
	}
	out := &rValue{vals: make([]float64, p.allow(at, n))}
	for i := range out.vals {
		out.vals[i] = v.vals[i%len(v.vals)]
	}
	if v.miss != nil {
		out.miss = make([]bool, n)
		for i := range out.miss {
			out.miss[i] = v.miss[i%len(v.miss)]
		}
	}
	return out
}
