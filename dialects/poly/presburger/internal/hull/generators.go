package hull

import (
	"math/bits"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// projected cuts vectors after n entries and leaves out those that were seen before.
func projected(rays, lines []lp.Row, n int) ([]lp.Row, []lp.Row) {
	basis := make([][]lp.Int, 0, len(lines))
	for _, l := range lines {
		basis = append(basis, l[:n])
	}
	var keep []lp.Row
	seen := map[uint64][]lp.Row{}
next:
	for _, r := range rays {
		r = r[:n]
		if r.IsZero(0) {
			continue
		}
		r.Divide(r.Content(0))
		h := lp.Row(r).Hash(0)
		for _, s := range seen[h] {
			if s.Equal(r) {
				continue next
			}
		}
		seen[h] = append(seen[h], r)
		keep = append(keep, r)
	}
	var out []lp.Row
	for _, l := range lp.HermiteNormalForm(basis) {
		out = append(out, l)
	}
	return keep, out
}

// A doubleCone is a polyhedral cone by its generators, to which one constraint after another
// is added: the double description method (Motzkin and others, 1953; Fukuda and Prodon,
// "Double description method revisited", 1996).
type doubleCone struct {
	n     int
	lines []lp.Row
	rays  []extremeRay
	count int // inequalities
	work  *lp.Work
}

// An extremeRay is a ray with the inequalities for which it is 0, as a set of bits.
type extremeRay struct {
	v    lp.Row
	zero []uint64
}

// newDoubleCone is all of n dimensions.
func newDoubleCone(n int, w *lp.Work) *doubleCone {
	k := &doubleCone{n: n, work: w}
	for i := range n {
		l := make(lp.Row, n)
		l[i] = lp.NewInt(1)
		k.lines = append(k.lines, l)
	}
	return k
}

// add intersects with a x >= 0.
func (k *doubleCone) add(a lp.Row) {
	k.work.Step((len(k.lines) + len(k.rays)) * len(a))
	for i, l := range k.lines {
		if v := lp.Dot(a, l); !v.IsZero() {
			k.takeLine(i, v, a)
			return
		}
	}
	k.cut(a)
}

// takeLine uses line i, on which a is v, to make a zero on everything else.
func (k *doubleCone) takeLine(i int, v lp.Int, a lp.Row) {
	l := k.lines[i]
	if v.Sign() < 0 {
		l.Negate()
		v = v.Neg()
	}
	k.lines = append(k.lines[:i], k.lines[i+1:]...)
	flatten := func(r lp.Row) {
		u := lp.Dot(a, r)
		if u.IsZero() {
			return
		}
		g := u.GCD(v)
		r.Combine(v.Quo(g), u.Quo(g).Neg(), l)
		r.Divide(r.Content(0))
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
func (k *doubleCone) cut(a lp.Row) {
	values := make([]lp.Int, len(k.rays))
	var plus, minus, zero []int
	for i, r := range k.rays {
		values[i] = lp.Dot(a, r.v)
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
	k.number(func(r extremeRay) bool { return lp.Dot(a, r.v).IsZero() })
}

// between is the combination of two rays, on which a function is v > 0 and u < 0, on
// which it is 0.
func between(r, s lp.Row, v, u lp.Int) lp.Row {
	g := v.GCD(u)
	out := r.Clone()
	out.Combine(u.Quo(g).Neg(), v.Quo(g), s)
	out.Divide(out.Content(0))
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
	k.work.Step(len(k.rays))
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

// Generators are those of the relaxation of c without its divs; c has a point. They are
// found on the lattice of solutions of its equations, where bounds are tight.
func Generators(c *conj.Conj, w *lp.Work) (rays, lines []lp.Row) {
	p, l, ok := c.Coordinates()
	if !ok {
		return nil, nil
	}
	k := newDoubleCone(1+p.N, w)
	first := p.Row() // the denominator is at least 0
	first[0] = lp.NewInt(1)
	k.add(first)
	for _, r := range p.Ge {
		k.add(r)
	}
	for _, r := range k.rays {
		rays = append(rays, homogeneous(l, r.v))
	}
	for _, r := range k.lines {
		lines = append(lines, homogeneous(l, r))
	}
	if len(c.Divs) == 0 {
		return rays, lines
	}
	return projected(rays, lines, 1+c.N)
}

// homogeneous is the vector that has coordinates y behind its denominator.
func homogeneous(l conj.Coordinates, y lp.Row) lp.Row {
	out := make(lp.Row, 1+len(l.Base))
	out[0] = y[0]
	for i, b := range l.Base {
		out[1+i] = b.Mul(y[0])
	}
	for j, g := range l.Gens {
		if !y[1+j].IsZero() {
			out[1:].Combine(lp.NewInt(1), y[1+j], g)
		}
	}
	return out
}
