package presburger

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Generators are those of the rational relaxation of one conjunction: its points are
// the sums of a convex combination of the vertices, a nonnegative one of the rays and
// any one of the lines. A vector is homogeneous: a denominator, which is 0 for a ray or
// a line, then numerators of the parameters, the dimensions of In and of Out. What
// exists in the conjunction is projected out.
type Generators struct {
	In, Out Tuple
	Rays    [][]Int // and the vertices
	Lines   [][]Int
}

// Generators returns the generators of each conjunction that has an integer point, of
// a set, over its parameters in their order.
func (s Set) Generators() ([]Generators, error) { return s.rel().generators() }

// Generators returns the generators of each conjunction that has an integer point.
func (m Map) Generators() ([]Generators, error) { return m.rel().generators() }

func (r *relation) generators() ([]Generators, error) {
	return run(r.budget, func(w *work) (out []Generators) {
		for _, p := range r.parts {
			for _, c := range p.conjs {
				if c.hasPoint(w) {
					rays, lines := c.generators(w)
					out = append(out, Generators{Tuple{p.in}, Tuple{p.out}, export(rays), export(lines)})
				}
			}
		}
		return out
	})
}

// Coefficients returns the affine functions c + a x that are at least 0 on the whole
// rational relaxation of a set in one space: as a set of tuples of c, the coefficients
// of the parameters, and those of the dimensions (isl: basic_set_coefficients). That is
// Farkas' lemma with its multipliers eliminated: such a function is one that is at least
// 0 at each vertex, does not fall along a ray, and does not change along a line
// (Schrijver, "Theory of Linear and Integer Programming", 7.1 and 7.2).
func (s Set) Coefficients() (Set, error) {
	gs, err := s.Generators()
	if err != nil || len(gs) == 0 {
		return Set{}, err
	}
	for _, g := range gs {
		if !g.Out.Equal(gs[0].Out) {
			return Set{}, fmt.Errorf("presburger: Coefficients wants a set in one space, not %s and %s", gs[0].Out.t.text(), g.Out.t.text())
		}
	}
	dims := append([]string{"c"}, s.Params()...)
	b := Basic{Out: NewTuple("", append(dims, gs[0].Out.Dims()...)...)}
	for _, g := range gs {
		for _, v := range g.Rays {
			b.Ge = append(b.Ge, append([]Int{{}}, v...))
		}
		for _, v := range g.Lines {
			b.Eq = append(b.Eq, append([]Int{{}}, v...))
		}
	}
	return SetOf(b).WithBudget(s.Budget()).RemoveRedundancies()
}

// String writes the vertices as quotients, then rays and lines.
func (g Generators) String() string {
	var vertices, rays, lines []string
	for _, r := range g.Rays {
		if r[0].isZero() {
			rays = append(rays, fmt.Sprint(r[1:]))
			continue
		}
		v := make([]string, len(r)-1)
		for i, x := range r[1:] {
			v[i] = rat(x, r[0]).String()
		}
		vertices = append(vertices, "["+strings.Join(v, " ")+"]")
	}
	for _, l := range g.Lines {
		lines = append(lines, fmt.Sprint(l[1:]))
	}
	var out []string
	for _, kind := range []struct {
		name    string
		vectors []string
	}{{"vertices", vertices}, {"rays", rays}, {"lines", lines}} {
		if len(kind.vectors) > 0 {
			slices.Sort(kind.vectors)
			out = append(out, kind.name+" "+strings.Join(kind.vectors, " "))
		}
	}
	return strings.Join(out, ", ")
}

// generators are those of the relaxation of c without its divs; c has a point. They are
// found on the lattice of solutions of its equations, where bounds are tight.
func (c *conj) generators(w *work) (rays, lines []row) {
	p, l, ok := c.coordinates()
	if !ok {
		return nil, nil
	}
	k := newDoubleCone(1+p.n, w)
	first := p.row() // the denominator is at least 0
	first[0] = Int{v: 1}
	k.add(first)
	for _, r := range p.ge {
		k.add(r)
	}
	for _, r := range k.rays {
		rays = append(rays, l.homogeneous(r.v))
	}
	for _, r := range k.lines {
		lines = append(lines, l.homogeneous(r))
	}
	if len(c.divs) == 0 {
		return rays, lines
	}
	return projected(rays, lines, 1+c.n)
}

// homogeneous is the vector that has coordinates y behind its denominator.
func (l coordinates) homogeneous(y row) row {
	out := make(row, 1+len(l.base))
	out[0] = y[0]
	for i, b := range l.base {
		out[1+i] = b.Mul(y[0])
	}
	for j, g := range l.gens {
		if !y[1+j].isZero() {
			out[1:].combine(Int{v: 1}, y[1+j], g)
		}
	}
	return out
}

// projected cuts vectors after n entries and leaves out those that were seen before.
func projected(rays, lines []row, n int) ([]row, []row) {
	basis := make([][]Int, 0, len(lines))
	for _, l := range lines {
		basis = append(basis, l[:n])
	}
	var keep []row
	seen := map[uint64][]row{}
next:
	for _, r := range rays {
		r = r[:n]
		if r.isZero(0) {
			continue
		}
		r.divide(r.content(0))
		h := row(r).hash(0)
		for _, s := range seen[h] {
			if s.equal(r) {
				continue next
			}
		}
		seen[h] = append(seen[h], r)
		keep = append(keep, r)
	}
	var out []row
	for _, l := range HermiteNormalForm(basis) {
		out = append(out, l)
	}
	return keep, out
}

// A doubleCone is a polyhedral cone by its generators, to which one constraint after another
// is added: the double description method (Motzkin and others, 1953; Fukuda and Prodon,
// "Double description method revisited", 1996).
type doubleCone struct {
	n     int
	lines []row
	rays  []extremeRay
	count int // inequalities
	work  *work
}

// An extremeRay is a ray with the inequalities for which it is 0, as a set of bits.
type extremeRay struct {
	v    row
	zero []uint64
}

// newDoubleCone is all of n dimensions.
func newDoubleCone(n int, w *work) *doubleCone {
	k := &doubleCone{n: n, work: w}
	for i := range n {
		l := make(row, n)
		l[i] = Int{v: 1}
		k.lines = append(k.lines, l)
	}
	return k
}

// add intersects with a x >= 0.
func (k *doubleCone) add(a row) {
	k.work.step((len(k.lines) + len(k.rays)) * len(a))
	for i, l := range k.lines {
		if v := dot(a, l); !v.isZero() {
			k.takeLine(i, v, a)
			return
		}
	}
	k.cut(a)
}

// takeLine uses line i, on which a is v, to make a zero on everything else.
func (k *doubleCone) takeLine(i int, v Int, a row) {
	l := k.lines[i]
	if v.Sign() < 0 {
		l.negate()
		v = v.Neg()
	}
	k.lines = append(k.lines[:i], k.lines[i+1:]...)
	flatten := func(r row) {
		u := dot(a, r)
		if u.isZero() {
			return
		}
		g := u.GCD(v)
		r.combine(v.quo(g), u.quo(g).Neg(), l)
		r.divide(r.content(0))
	}
	for _, r := range k.lines {
		flatten(r)
	}
	for j := range k.rays {
		flatten(k.rays[j].v)
	}
	k.number(func(extremeRay) bool { return true })
	zero := make([]uint64, (k.count+63)/64)
	for b := range k.count - 1 {
		zero[b/64] |= 1 << (b % 64)
	}
	k.rays = append(k.rays, extremeRay{l, zero})
}

// number gives the new inequality a bit, in the rays for which it is 0.
func (k *doubleCone) number(isZero func(r extremeRay) bool) {
	b := k.count
	k.count++
	for j := range k.rays {
		r := &k.rays[j]
		if len(r.zero) <= b/64 {
			r.zero = append(r.zero[:len(r.zero):len(r.zero)], 0)
		}
		if isZero(*r) {
			r.zero[b/64] |= 1 << (b % 64)
		}
	}
}

// cut intersects where a is zero on all lines: rays on which it is negative go, and
// each pair of neighbours on different sides gives one on which it is 0.
func (k *doubleCone) cut(a row) {
	values := make([]Int, len(k.rays))
	var plus, minus, zero []int
	for i, r := range k.rays {
		values[i] = dot(a, r.v)
		switch values[i].Sign() {
		case 0:
			zero = append(zero, i)
		case 1:
			plus = append(plus, i)
		default:
			minus = append(minus, i)
		}
	}
	if len(minus) == 0 {
		return // nothing goes: the constraint is implied
	}
	var out []extremeRay
	for _, i := range zero {
		out = append(out, k.rays[i])
	}
	for _, i := range plus {
		out = append(out, k.rays[i])
	}
	for _, i := range plus {
		for _, j := range minus {
			if common, ok := k.neighbours(i, j); ok {
				out = append(out, extremeRay{between(k.rays[i].v, k.rays[j].v, values[i], values[j]), common})
			}
		}
	}
	k.rays = out
	k.number(func(r extremeRay) bool { return dot(a, r.v).isZero() })
}

// between is the combination of two rays, on which a function is v > 0 and u < 0, on
// which it is 0.
func between(r, s row, v, u Int) row {
	g := v.GCD(u)
	out := r.clone()
	out.combine(u.quo(g).Neg(), v.quo(g), s)
	out.divide(out.content(0))
	return out
}

// neighbours reports that two rays span a face of two dimensions: no other ray is 0
// wherever both are. common is where they are.
func (k *doubleCone) neighbours(i, j int) (common []uint64, ok bool) {
	r, s := k.rays[i].zero, k.rays[j].zero
	common = make([]uint64, (k.count+63)/64)
	n := 0
	for b := range common {
		common[b] = r[b] & s[b]
		n += bits.OnesCount64(common[b])
	}
	if n < k.n-len(k.lines)-2 {
		return nil, false
	}
	k.work.step(len(k.rays))
	for m, t := range k.rays {
		if m != i && m != j && isPart(common, t.zero) {
			return nil, false
		}
	}
	return common, true
}

// isPart reports that one set of bits is part of another.
func isPart(a, b []uint64) bool {
	for i, x := range a {
		if x&^b[i] != 0 {
			return false
		}
	}
	return true
}
