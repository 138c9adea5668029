package input

import (
	"math"
	"strconv"

	"github.com/irc-lang/irc/ir/diag"
)

func itoa(n int) string { return strconv.Itoa(n) }

// matrix computes matrix(data, nrow, ncol, byrow).
func (p *rParser) matrix(m map[string]rArg, at diag.Span) *rValue {
	if _, ok := m["data"]; !ok {
		m["data"] = rArg{v: &rValue{vals: []float64{math.NaN()}, miss: []bool{true}}}
	}
	v := p.numbers(m, "data", at)
	_, hasRows := m["nrow"]
	_, hasCols := m["ncol"]
	rows, cols := len(v.vals), 1
	switch {
	case hasRows && hasCols:
		rows, cols = p.count(m, "nrow", at), p.count(m, "ncol", at)
	case hasRows:
		rows = p.count(m, "nrow", at)
		cols = (len(v.vals) + rows - 1) / max(rows, 1)
	case hasCols:
		cols = p.count(m, "ncol", at)
		rows = (len(v.vals) + cols - 1) / max(cols, 1)
	}
	out := p.shape(v, []int{rows, cols}, at)
	if _, ok := m["byrow"]; ok {
		out.rowMajor = p.single(p.numbers(m, "byrow", at), at) != 0
	}
	return out
}

// rep computes rep(x, times, each, length.out).
func (p *rParser) rep(m map[string]rArg, at diag.Span) *rValue {
	v := p.numbers(m, "x", at)
	v = &rValue{vals: v.vals, miss: v.miss}
	if _, ok := m["each"]; ok {
		n := p.count(m, "each", at)
		v = p.replicate(v, func(int) int { return n }, at)
	}
	if _, ok := m["length.out"]; ok {
		n := p.count(m, "length.out", at)
		if n < len(v.vals) {
			out := &rValue{vals: v.vals[:n]}
			if v.miss != nil {
				out.miss = v.miss[:n]
			}
			return out
		}
		return p.cycle(v, n, at)
	}
	times, ok := m["times"]
	if !ok {
		return v
	}
	t := p.numbers(m, "times", at)
	if len(t.vals) == 1 {
		n := p.count(m, "times", at)
		if n > 0 && len(v.vals) > maxGenerated/n {
			p.allow(at, maxGenerated+1)
		}
		if n == 0 || len(v.vals) == 0 {
			return &rValue{}
		}
		return p.cycle(v, n*len(v.vals), at)
	}
	if len(t.vals) != len(v.vals) {
		p.fail(times.at, "", "times has %d elements, x has %d", len(t.vals), len(v.vals))
	}
	return p.replicate(v, func(i int) int {
		n := t.vals[i]
		if n != math.Trunc(n) || n < 0 || n > maxGenerated {
			p.fail(times.at, "", "times must be whole numbers from 0 to %d", maxGenerated)
		}
		return int(n)
	}, at)
}

// replicate repeats each element count(i) times.
func (p *rParser) replicate(v *rValue, count func(int) int, at diag.Span) *rValue {
	out := &rValue{}
	if v.miss != nil {
		out.miss = []bool{}
	}
	for i, x := range v.vals {
		for n := p.allow(at, count(i)); n > 0; n-- {
			out.vals = append(out.vals, x)
			if v.miss != nil {
				out.miss = append(out.miss, v.miss[i])
			}
		}
	}
	return out
}

// seq computes seq(from, to, by, length.out), with a single argument 1:n.
func (p *rParser) seq(m map[string]rArg, at diag.Span) *rValue {
	get := func(name string, otherwise float64) (float64, bool) {
		if _, ok := m[name]; !ok {
			return otherwise, false
		}
		return p.single(p.numbers(m, name, at), at), true
	}
	from, hasFrom := get("from", 1)
	to, hasTo := get("to", 1)
	by, hasBy := get("by", 1)
	if _, ok := m["length.out"]; ok {
		return p.seqLength(m, at, from, to, by, hasFrom, hasTo, hasBy)
	}
	if hasFrom && !hasTo && !hasBy {
		from, to = 1, from
	}
	if hasBy && (by == 0 || (to-from)*by < 0) {
		p.fail(m["by"].at, "", "the step %g does not lead from %g to %g", by, from, to)
	}
	return p.sequence(at, from, to, by)
}

// seqLength computes seq where the number of elements is given.
func (p *rParser) seqLength(m map[string]rArg, at diag.Span, from, to, by float64, hasFrom, hasTo, hasBy bool) *rValue {
	n := p.count(m, "length.out", at)
	switch {
	case hasFrom && hasTo && hasBy:
		p.fail(at, "", "seq has too many arguments: leave out by or length.out")
	case hasTo && hasFrom && n > 1:
		by = (to - from) / float64(n-1)
	case hasTo && !hasFrom:
		from = to - by*float64(n-1)
	}
	v := &rValue{vals: make([]float64, p.allow(at, n))}
	for i := range v.vals {
		v.vals[i] = from + float64(i)*by
	}
	return v
}
