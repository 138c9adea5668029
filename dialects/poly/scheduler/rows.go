package scheduler

import (
	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A rowProgram is the integer program whose unknowns are one row of the schedule of some
// statements. What it minimizes comes first among the unknowns; constants and
// coefficients of parameters are at least 0, which leaves all schedules out that are
// moved, alike, and nothing else; a coefficient of a dimension is the difference of two
// unknowns, of which the negative one is avoided (as in isl, and unlike Pluto, which has
// no negative ones; compare Acharya and Bondhugula, "PLUTO+: near-complete modeling of
// affine transformations for parallelism and locality", 2015).
type rowProgram struct {
	*p.LexProgram
	np         int
	statements []int
	dims       map[int]int
	first      map[int]int // unknown of the constant, by statement
	size       int
	seen       map[string]bool // constraints
	known      map[int]row     // of other statements
}

// The unknowns that every row program starts with, in order of importance.
const (
	goal      = iota // what the algorithm minimizes first
	second           // and second
	ofParams         // sum of the coefficients of the parameters
	ofDims           // sum of the absolute coefficients of the dimensions
	numbering        // the number of these
)

// newRowProgram has extra unknowns behind the first ones.
func (s *search) newRowProgram(statements []int, extra int) *rowProgram {
	r := &rowProgram{np: s.np, statements: statements, dims: map[int]int{}, first: map[int]int{}, seen: map[string]bool{}}
	r.size = numbering + extra
	for _, i := range statements {
		r.first[i], r.dims[i] = r.size, s.statements[i].dims
		r.size += 1 + s.np + 2*r.dims[i]
	}
	r.LexProgram = p.NewLexProgram(r.size, s.budget)
	params, dims := r.zeros(), r.zeros()
	params[1+ofParams], dims[1+ofDims] = p.NewInt(-1), p.NewInt(-1)
	for _, i := range statements {
		for k := range s.np {
			params[1+r.first[i]+1+k] = p.NewInt(1)
		}
		for k := range 2 * r.dims[i] {
			dims[1+r.first[i]+1+s.np+k] = p.NewInt(1)
		}
	}
	unwind.Check(r.AddEq(params))
	unwind.Check(r.AddEq(dims))
	return r
}

// zeros is a constraint without anything.
func (r *rowProgram) zeros() []p.Int { return make([]p.Int, 1+r.size) }

// put adds sign times the row of a statement at a point x, homogeneous: a denominator,
// parameters, dimensions. Outer dimensions are last, so that least solutions use them.
func (r *rowProgram) put(c []p.Int, statement int, x []p.Int, sign int64) {
	if known, ok := r.known[statement]; ok {
		c[0] = c[0].Add(product(known, x).Mul(p.NewInt(sign)))
		return
	}
	at, one := 1+r.first[statement], p.NewInt(sign)
	for k := range 1 + r.np {
		c[at+k] = c[at+k].Add(one.Mul(x[k]))
	}
	r.putDims(c, statement, x[1+r.np:], sign)
}

// putDims adds sign times the product of the coefficients of the dimensions and x.
func (r *rowProgram) putDims(c []p.Int, statement int, x []p.Int, sign int64) {
	at, dims := 1+r.first[statement]+1+r.np, r.dims[statement]
	for k, v := range x {
		i := at + 2*(dims-1-k)
		v = v.Mul(p.NewInt(sign))
		c[i], c[i+1] = c[i].Sub(v), c[i+1].Add(v)
	}
}

// distance is the change of the schedule along a generator of a dependence.
func (r *rowProgram) distance(d *dependence, g []p.Int) []p.Int {
	c := r.zeros()
	dims, ok := r.dims[d.from]
	if !ok {
		dims = len(r.known[d.from]) - 1 - r.np
	}
	source, sink := d.sides(g, r.np, dims)
	r.put(c, d.to, sink, 1)
	r.put(c, d.from, source, -1)
	return c
}

// ge adds a constraint that is not there yet.
func (r *rowProgram) ge(c []p.Int) {
	trivial := c[0].Sign() >= 0
	for i := 1; trivial && i < len(c); i++ {
		trivial = c[i].Sign() >= 0 // as unknowns are not negative
	}
	if trivial {
		return
	}
	key := string(appendKey(nil, c))
	if !r.seen[key] {
		r.seen[key] = true
		r.AddGe(c)
	}
}

// eq adds an equation that is not there yet.
func (r *rowProgram) eq(c []p.Int) {
	key := "=" + string(appendKey(nil, c))
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	unwind.Check(r.AddEq(c))
}

// satisfy asks for distances that are at least 0 on all of a dependence.
func (r *rowProgram) satisfy(d *dependence) {
	for _, g := range d.lines {
		r.eq(r.distance(d, g))
	}
	for _, g := range d.rays {
		r.ge(r.distance(d, g))
	}
}

// row reads the row of a statement off a solution.
func (r *rowProgram) row(x []p.Int, statement int) row {
	at, dims := r.first[statement], r.dims[statement]
	out := append(make(row, 0, 1+r.np+dims), x[at:at+1+r.np]...)
	at += 1 + r.np
	for k := range dims {
		i := at + 2*(dims-1-k)
		out = append(out, x[i+1].Sub(x[i]))
	}
	return out
}

// rows are those of all statements.
func (r *rowProgram) rows(x []p.Int) map[int]row {
	out := map[int]row{}
	for _, i := range r.statements {
		out[i] = r.row(x, i)
	}
	return out
}
