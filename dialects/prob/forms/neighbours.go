package forms

import (
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// What laws of areas on a map share: num[i] is how many neighbours area i has, and adj lists
// those of area 1, then those of area 2, and so on, counted from 1.

// NeighboursInvalid says what is wrong with adj and num, "" for nothing.
func NeighboursInvalid(adj, num []float64) string {
	sum := 0.0
	for i, x := range num {
		if !kit.IsInteger(x) || x < 0 {
			return fmt.Sprintf("num[%d] must be a whole number, 0 or more", i+1)
		}
		sum += x
	}
	if sum != float64(len(adj)) {
		return fmt.Sprintf("num[] adds up to %v, and adj[] has %d elements: they must be equal", sum, len(adj))
	}
	for k, x := range adj {
		if !kit.IsInteger(x) || x < 1 || x > float64(len(num)) {
			return fmt.Sprintf("element %d of adj[] must be the number of an area, 1 to %d", k+1, len(num))
		}
	}
	return ""
}

// EachNeighbour gives each element of adj: element k says that j is a neighbour of i.
func EachNeighbour(adj, num []float64, do func(i, j, k int)) {
	k := 0
	for i, n := range num {
		for range int(n) {
			do(i, int(adj[k])-1, k)
			k++
		}
	}
}

// A Map is adj and num; starts[i] is the first element of area i in adj.
type Map[T, B, I any] struct {
	k                kit.Arrays[T, B, I]
	adj, num, starts kit.Part[T, I]
}

// Neighbours checks adj and num, and fills the work vector starts.
func Neighbours[T, B, I any](k kit.Arrays[T, B, I], adj, num, starts kit.Part[T, I]) (g Map[T, B, I], ok B) {
	acc := k.Fold(num.Len(), []T{k.Num(0), k.Num(1)}, func(i I, acc []T) []T {
		x := num.Load(i)
		starts.Store(acc[0], i)
		return []T{k.Plus(acc[0], x), k.Least(acc[1], kit.Flag(k, kit.Whole(k, x, 0)))}
	})
	areas := k.ToFloat(num.Len())
	named := k.Fold(adj.Len(), []T{k.Num(1)}, func(i I, acc []T) []T {
		x := adj.Load(i)
		return []T{k.Least(acc[0], kit.Flag(k, k.And(kit.Whole(k, x, 1), k.Holds(arith.OLE, x, areas))))}
	})
	ok = k.And(kit.Positive(k, acc[1]), kit.Positive(k, named[0]))
	return Map[T, B, I]{k, adj, num, starts}, k.And(ok, k.Holds(arith.OEQ, acc[0], k.ToFloat(adj.Len())))
}

// of folds over the neighbours of area i: element at of adj says that j is one.
func (g Map[T, B, I]) of(i I, inits []T, body func(j, at I, acc []T) []T) []T {
	k, start := g.k, g.k.ToIndex(g.starts.Load(i))
	return k.Fold(k.ToIndex(g.num.Load(i)), inits, func(m I, acc []T) []T {
		at := k.IndexAdd(start, m)
		return body(k.IndexSub(k.ToIndex(g.adj.Load(at)), k.Index(1)), at, acc)
	})
}

// Each folds over all elements of adj, where the lists are valid.
func (g Map[T, B, I]) Each(inits []T, body func(i, j, at I, acc []T) []T) []T {
	return g.k.Fold(g.num.Len(), inits, func(i I, acc []T) []T {
		return g.of(i, acc, func(j, at I, acc []T) []T { return body(i, j, at, acc) })
	})
}

// Weight is the sum of the weights that area i gives its neighbour j.
func (g Map[T, B, I]) Weight(weights kit.Part[T, I], i, j I) T {
	k := g.k
	return g.of(i, []T{k.Num(0)}, func(to, at I, acc []T) []T {
		return []T{k.Plus(acc[0], k.Pick(k.Equal(to, j), weights.Load(at), k.Num(0)))}
	})[0]
}

// Islands is how many parts without a link between them the map has; root is a work vector,
// where each area names one of its part, at most itself.
func (g Map[T, B, I]) Islands(root kit.Part[T, I]) T {
	k := g.k
	k.Each(k.Index(0), g.num.Len(), func(i I) { root.Store(k.ToFloat(i), i) })
	up := func(x T) T { return root.Load(k.ToIndex(x)) }
	find := func(i I) T {
		return k.Repeat([]T{k.ToFloat(i)}, func(s []T) B { return k.Holds(arith.OLT, up(s[0]), s[0]) },
			func(s []T) []T {
				next := up(up(s[0]))
				root.Store(next, k.ToIndex(s[0]))
				return []T{next}
			})[0]
	}
	return g.Each([]T{k.ToFloat(g.num.Len())}, func(i, j, _ I, acc []T) []T {
		x, y := find(i), find(j)
		less, more := kit.Lesser(k, x, y), kit.Greater(k, x, y)
		root.Store(less, k.ToIndex(more))
		return []T{k.Sub(acc[0], kit.Flag(k, k.Holds(arith.OLT, less, more)))}
	})[0]
}

// Envelope stores for each area the least number, at most its own, of an area that it is a
// neighbour of, by what either lists: before it the row of a matrix of the map is 0.
func (g Map[T, B, I]) Envelope(first kit.Part[T, I]) {
	k := g.k
	k.Each(k.Index(0), g.num.Len(), func(i I) { first.Store(k.ToFloat(i), i) })
	g.Each(nil, func(i, j, _ I, _ []T) []T {
		less, more := k.IndexMin(i, j), k.IndexMax(i, j)
		first.Store(kit.Lesser(k, first.Load(more), k.ToFloat(less)), more)
		return nil
	})
}

// WeightsDiffer says where two areas give each other other weights, "" if nowhere.
func WeightsDiffer(adj, num, weights []float64) string {
	sums := map[[2]int]float64{}
	EachNeighbour(adj, num, func(i, j, k int) { sums[[2]int{i, j}] += weights[k] })
	why := ""
	EachNeighbour(adj, num, func(i, j, k int) {
		x, y := sums[[2]int{i, j}], sums[[2]int{j, i}]
		switch {
		case why != "":
		case i == j:
			why = fmt.Sprintf("area %d must not be a neighbour of itself", i+1)
		case !(weights[k] > 0) || math.IsInf(weights[k], 1):
			why = fmt.Sprintf("weight %d must be positive and finite", k+1)
		case y == 0:
			why = fmt.Sprintf("area %d lists %d as a neighbour, and %d does not list %d", i+1, j+1, j+1, i+1)
		case !(math.Abs(x-y) <= kit.SymmetrySlack*x):
			why = fmt.Sprintf("areas %d and %d must give each other the same weight, and these are %v and %v", i+1, j+1, x, y)
		}
	})
	return why
}
