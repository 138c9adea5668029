package simplify

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A cost is monomials in the parameters, of which none divides another, the largest first.
type cost [][]int

// An order says which of two monomials, exponents of the parameters, is the larger.
type order func(a, b []int) int

// byDegree takes the total degree, then the parameters in the order of their declaration.
func byDegree(a, b []int) int {
	return cmp.Or(cmp.Compare(sum(a), sum(b)), slices.Compare(a, b))
}

// bySizes takes the value at sizes of the parameters.
func bySizes(sizes []float64) order {
	value := func(m []int) (v float64) {
		for i, e := range m {
			v += float64(e) * math.Log(math.Max(1, sizes[i]))
		}
		return v
	}
	return func(a, b []int) int { return cmp.Or(cmp.Compare(value(a), value(b)), byDegree(a, b)) }
}

func sum(m []int) (n int) {
	for _, e := range m {
		n += e
	}
	return n
}

// plus is the monomials of both, without those that divide another.
func (o order) plus(a, b cost) cost {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y []int) int { return o(y, x) })
	var out cost
	for _, m := range all {
		if !slices.ContainsFunc(out, func(k []int) bool { return divides(m, k) }) {
			out = slices.DeleteFunc(out, func(k []int) bool { return divides(k, m) })
			out = append(out, m)
		}
	}
	return out
}

func divides(a, b []int) bool {
	for i := range a {
		if a[i] > b[i] {
			return false
		}
	}
	return true
}

// compare says which cost is the larger: that with the larger monomial where they differ first.
func (o order) compare(a, b cost) int {
	for i := range min(len(a), len(b)) {
		if c := o(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// A size is the cost of a set, how its number of points grows, and that number at sizes of some dozens.
type size struct {
	cost   cost
	points float64
}

// sizeOf is the size of a set. One of no point costs nothing.
func (s *search) sizeOf(set p.Set) (_ size, err error) {
	defer unwind.To(&err)
	key := set.String()
	if x, ok := s.sizes[key]; ok {
		return x, nil
	}
	in := unwind.Must(set.IntersectParams(s.program.Context))
	n := unwind.Must(in.AlignParams(s.program.Params...).Card())
	x := unwind.Must(n.Complexity())
	out := size{cost: s.order.plus(x.Monomials(), nil)}
	if s.some != nil {
		v := unwind.Must(n.At(s.some))
		out.points, _ = new(big.Float).SetInt(v.Big()).Float64()
	}
	s.sizes[key] = out
	return out, nil
}

func (s *search) costOf(set p.Set) cost {
	x := unwind.Must(s.sizeOf(set))
	return x.cost
}

// sizeOfAll is the size of several sets together.
func (s *search) sizeOfAll(sets []p.Set) (out size) {
	for _, set := range sets {
		x := unwind.Must(s.sizeOf(set))
		out.cost, out.points = s.order.plus(out.cost, x.cost), out.points+x.points
	}
	return out
}

// typical are values of the parameters that a context allows, of some dozens where it does; nil if
// there are none.
func typical(program *Program) map[string]p.Int {
	in := program.Context.AlignParams(program.Params...)
	for _, name := range program.Params {
		large := unwind.Must(p.ParseSet("[" + name + "] -> { : " + name + " >= 64 }"))
		both := unwind.Must(in.Intersect(large))
		if empty, err := both.IsEmpty(); err != nil || !empty {
			in = both
		}
	}
	at, ok := unwind.Must2(in.Sample())
	if !ok {
		return nil
	}
	return at.Params
}
