package simplify

import (
	"cmp"
	"math"
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
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

// of is the cost of a set: how its number of points grows. A set of no point costs nothing.
func (s *search) costOf(set p.Set) (cost, error) {
	key := set.String()
	if c, ok := s.costs[key]; ok {
		return c, nil
	}
	in, err := set.IntersectParams(s.program.Context)
	if err != nil {
		return nil, err
	}
	n, err := in.AlignParams(s.program.Params...).Card()
	if err != nil {
		return nil, err
	}
	x, err := n.Complexity()
	if err != nil {
		return nil, err
	}
	c := s.order.plus(x.Monomials(), nil)
	s.costs[key] = c
	return c, nil
}

func (s *search) costOfAll(sets []p.Set) (c cost, err error) {
	for _, set := range sets {
		one, err := s.costOf(set)
		if err != nil {
			return nil, err
		}
		c = s.order.plus(c, one)
	}
	return c, nil
}
