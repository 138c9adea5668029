package c

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// reduction combines the values of the iterations of a parallel loop, which are printed from the
// first to the last, in the order of scf.ReduceChunk: variables hold the chunk so far, of what is combined in lanes its first value and arrays
// the others, and arrays what chunks before it make, one element for each bit of their number that is set.
type reduction struct {
	*function
	ts               []ir.Type
	regions          []ir.Region
	vals, part       []val
	fields, parts    [][]field
	begun            string   // the chunk has a value
	in, chunks, tops string   // iterations in it, chunks before it, parts that they make
	waiting          []string // the values of a chunk, "" if they are combined at once
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
	for i, region := range r.regions {
		n := ""
		if scf.InLanes(r.g, region) {
			n = r.variable("values")
			r.line("%s[%d];", field{r.fields[i][0].typ, n}.declared(), scf.ReduceChunk)
		}
		r.waiting = append(r.waiting, n)
	}
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
	r.line("if (%s > 0) {", r.in)
	r.block(func() {
		next := slices.Clone(r.vals)
		for i, region := range r.regions {
			if r.waiting[i] == "" {
				next[i] = r.bodyWith(region, []val{r.vals[i], ys[i]})[0]
			} else {
				r.line("%s[%s] = %s;", r.waiting[i], r.in, r.toCarried(r.ts[i], ys[i])[0].text)
			}
		}
		r.assign(r.ts, r.fields, next)
	})
	r.line("} else if (%s) {", r.begun)
	r.block(func() { r.combine(r.vals, ys) })
	r.line("} else {")
	r.block(func() {
		r.assign(r.ts, r.fields, ys)
		r.line("%s = 1;", r.begun)
	})
	r.line("}")
	r.line("if (++%s == %d) {", r.in, scf.ReduceChunk)
	r.block(func() {
		r.joinLanes()
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

// joinLanes combines what waits for it: the upper half of the lanes with the lower one, and so on.
func (r *reduction) joinLanes() {
	for i, region := range r.regions {
		if r.waiting[i] == "" {
			continue
		}
		at := func(index string) val { return val{x: name(r.waiting[i] + "[" + index + "]")} }
		into := func(x, y string) {
			to := []field{{r.fields[i][0].typ, fmt.Sprintf("%s[%s]", r.waiting[i], x)}}
			r.assign(r.ts[i:i+1], [][]field{to}, r.bodyWith(region, []val{at(x), at(y)}))
		}
		n, w, k := r.variable("n"), r.variable("half"), r.variable("k")
		r.assign(r.ts[i:i+1], [][]field{{{r.fields[i][0].typ, r.waiting[i] + "[0]"}}}, r.vals[i:i+1])
		r.line("for (int %s = %d; %s < %s; %s++) {", k, scf.ReduceLanes, k, r.in, k)
		r.block(func() { into(fmt.Sprintf("%s %% %d", k, scf.ReduceLanes), k) })
		r.line("}")
		r.line("for (int %s = %s < %d ? %s : %d, %s; %s > 1; %s = %s) {", n, r.in, scf.ReduceLanes, r.in, scf.ReduceLanes, w, n, n, w)
		r.block(func() {
			r.line("for (%s = 1; 2 * %s < %s;) %s *= 2;", w, w, n, w)
			r.line("for (int %s = %s; %s < %s; %s++) {", k, w, k, n, k)
			r.block(func() { into(k+" - "+w, k) })
			r.line("}")
		})
		r.line("}")
		r.assign(r.ts[i:i+1], r.fields[i:i+1], []val{at("0")})
	}
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
	r.line("} else {")
	r.block(r.joinLanes)
	r.line("}")
	r.line("while (%s > 0) {", r.tops)
	r.block(r.join)
	r.line("}")
}
