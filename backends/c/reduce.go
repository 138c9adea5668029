package c

import (
	"slices"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// reduction combines the values of the iterations of a parallel loop, which are printed from the
// first to the last, in the order of scf.ReduceChunk: variables hold the chunk so far, and arrays
// what chunks before it make, one element for each bit of their number that is set.
type reduction struct {
	*function
	ts               []ir.Type
	regions          []ir.Region
	vals, part       []val
	fields, parts    [][]field
	begun            string // the chunk has a value
	in, chunks, tops string // iterations in it, chunks before it, parts that they make
}

// simple reports that the values may be combined from the first to the last.
func (r *reduction) simple() bool {
	return !slices.ContainsFunc(r.regions, func(region ir.Region) bool { return !scf.IsExact(r.g, region) })
}

// declare writes the variables.
func (r *reduction) declare(inits []val) {
	r.vals, r.fields = r.declareAll("x", r.ts)
	r.declareWith(r.ts, r.fields, inits)
	if r.simple() {
		return
	}
	r.begun, r.in, r.chunks, r.tops = r.variable("begun"), r.variable("in"), r.variable("chunks"), r.variable("top")
	r.line("int %s = 1, %s = 0, %s = 0;", r.begun, r.in, r.tops)
	r.line("uint64_t %s = 0;", r.chunks)
	_, parts := r.declareAll("part", r.ts)
	for i, list := range parts {
		element := slices.Clone(list)
		for k, x := range list {
			r.line("%s[64];", x.declared())
			element[k].name = x.name + "[" + r.tops + "]"
		}
		r.parts = append(r.parts, element)
		r.part = append(r.part, r.fromCarried(r.ts[i], element))
	}
}

// combine makes x of x and y.
func (r *reduction) combine(x, y []val) {
	next := make([]val, len(x))
	for i, region := range r.regions {
		next[i] = r.bodyWith(region, []val{x[i], y[i]})[0]
	}
	r.assign(r.ts, r.fields, next)
}

// add takes the values of an iteration.
func (r *reduction) add(ys []val) {
	if r.simple() {
		r.combine(r.vals, ys)
		return
	}
	r.line("if (%s) {", r.begun)
	r.block(func() { r.combine(r.vals, ys) })
	r.line("} else {")
	r.block(func() {
		r.assign(r.ts, r.fields, ys)
		r.line("%s = 1;", r.begun)
	})
	r.line("}")
	r.line("if (++%s == %d) {", r.in, scf.ReduceChunk)
	r.block(func() {
		bits := r.variable("bits")
		r.line("for (uint64_t %s = %s; %s & 1; %s >>= 1) {", bits, r.chunks, bits, bits)
		r.block(r.join)
		r.line("}")
		r.assign(r.ts, r.parts, r.vals)
		r.line("%s++;", r.tops)
		r.line("%s++;", r.chunks)
		r.line("%s = 0;", r.in)
		r.line("%s = 0;", r.begun)
	})
	r.line("}")
}

// join combines the last part with what there is.
func (r *reduction) join() {
	r.line("%s--;", r.tops)
	r.combine(r.part, r.vals)
}

// finish combines the rest.
func (r *reduction) finish() {
	if r.simple() {
		return
	}
	r.line("if (!%s) {", r.begun)
	r.block(func() {
		r.line("%s--;", r.tops)
		r.assign(r.ts, r.fields, r.part)
	})
	r.line("}")
	r.line("while (%s > 0) {", r.tops)
	r.block(r.join)
	r.line("}")
}
