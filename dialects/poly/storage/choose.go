package storage

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// maxOrders is the greatest number of dimensions all of whose orders are tried.
const maxOrders = 4

// Choose finds a mapping for the elements of an extent such that no two that conflict have
// one place; ok is false where each has to keep its own.
func Choose(conflicts presburger.Map, extent presburger.Set) (storage presburger.Map, ok bool, err error) {
	defer unwind.To(&err)
	c := &chooser{distances: conflicts.Deltas(), n: extent.Tuple().Len(), found: map[question]modulus{}}
	c.measure(extent)
	best, ok, err := c.best()
	if err != nil || !ok {
		return storage, false, err
	}
	storage, err = best.storage(extent.Tuple().Name())
	return storage, err == nil, err
}

// A modulus folds a dimension, unless it is 0: then indices are kept.
type modulus int64

// folding has the modulus of each dimension.
type folding []modulus

// maxModulus bounds the places of a dimension that is folded.
const maxModulus = 1 << 20

// A question is for the modulus of a dimension, after others.
type question struct {
	dim   int
	after uint64 // dimensions, a bit each
}

type chooser struct {
	distances presburger.Set // of conflicting elements
	n         int
	sizes     []modulus // of the extent, 0 where it is not constant
	found     map[question]modulus
}

// measure finds the sizes of the extent that are the same for all parameters.
func (c *chooser) measure(extent presburger.Set) {
	apart := extent.CrossMap(extent).Deltas()
	for d := range c.n {
		m := greatest(apart, d)
		c.sizes = append(c.sizes, m)
	}
}

// greatest is one more than the greatest value of a dimension of a set of distances, or 0 if
// that is not bounded for all values of the parameters.
func greatest(distances presburger.Set, d int) modulus {
	if len(distances.Basics()) == 0 {
		return 1
	}
	at := unwind.Must(presburger.IdentityMultiAff(distances))
	most := unwind.Must(distances.MaxVal(at.At(d)))
	switch most.Status {
	case presburger.Empty:
		return 1
	case presburger.Optimal:
		if v, ok := most.Value.Num.Int64(); ok && v < maxModulus {
			return modulus(v + 1)
		}
	}
	return 0
}

// modulus of a dimension, for elements that are equal in those before.
func (c *chooser) modulus(q question) modulus {
	if m, ok := c.found[q]; ok {
		return m
	}
	s := c.distances
	for d := range c.n {
		if q.after&(1<<d) != 0 {
			s = s.Fix(d, presburger.NewInt(0))
		}
	}
	m := greatest(s, q.dim)
	c.found[q] = m
	return m
}

// best is the folding with the fewest dimensions that keep their indices, of those the one
// with the fewest places in the others, of those the first.
func (c *chooser) best() (best folding, ok bool, err error) {
	defer unwind.To(&err)
	leastKept, leastPlaces := c.score(make(folding, c.n))
	try := func(order []int) {
		f := make(folding, c.n)
		var after uint64
		for _, d := range order {
			m := c.modulus(question{d, after})
			if after |= 1 << d; c.sizes[d] == 0 || m < c.sizes[d] {
				f[d] = m
			}
		}
		if kept, places := c.score(f); kept < leastKept || kept == leastKept && places < leastPlaces {
			best, ok, leastKept, leastPlaces = f, true, kept, places
		}
	}
	orders(c.n, try)
	return best, ok, nil
}

// score counts the dimensions of sizes that depend on the parameters, and the places in the
// others.
func (c *chooser) score(f folding) (kept int, places float64) {
	places = 1
	for d, m := range f {
		switch {
		case m != 0:
			places *= float64(m)
		case c.sizes[d] != 0:
			places *= float64(c.sizes[d])
		default:
			kept++
		}
	}
	return kept, places
}

// orders calls f for all orders of a few dimensions, or for the given one of many.
func orders(n int, f func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if n > maxOrders {
		f(order)
		return
	}
	var from func(k int)
	from = func(k int) {
		if k == n {
			f(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			from(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	from(0)
}

// storage is the mapping of an array; dimensions of one place are left out.
func (f folding) storage(array string) (presburger.Map, error) {
	from := variables(len(f))
	var to []string
	for d, m := range f {
		switch m {
		case 0:
			to = append(to, from[d])
		case 1:
		default:
			to = append(to, fmt.Sprintf("%s mod %d", from[d], m))
		}
	}
	return presburger.ParseMap("{ " + array + "[" + strings.Join(from, ", ") + "] -> [" + strings.Join(to, ", ") + "] }")
}
