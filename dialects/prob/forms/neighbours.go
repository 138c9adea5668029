package forms

import (
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
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

// neighbours are the ops' form of adj and num; starts[i] is the first element of area i in adj.
type neighbours struct{ adj, num, starts kit.View }

// neighbours checks adj and num, and fills starts.
func Neighbours(k kit.Ops, w kit.Workspace, adj, num kit.View) (g neighbours, ok ir.Value) {
	g = neighbours{adj, num, w.Vector(k, 0, num.N)}
	acc := k.Fold(num.N, []ir.Value{k.Num(0), k.Num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		x := num.Load(k, i)
		g.starts.Store(k, acc[0], i)
		return []ir.Value{k.Plus(acc[0], x), k.Least(acc[1], k.Flag(k.Whole(x, 0)))}
	})
	areas := k.ToFloat(num.N)
	named := k.Fold(adj.N, []ir.Value{k.Num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		x := adj.Load(k, i)
		return []ir.Value{k.Least(acc[0], k.Flag(k.And(k.Whole(x, 1), k.Cmp(arith.OLE, x, areas))))}
	})
	return g, k.And(k.And(k.Positive(acc[1]), k.Positive(named[0])), k.Cmp(arith.OEQ, acc[0], k.ToFloat(adj.N)))
}

// of folds over the neighbours of area i: element at of adj says that j is one.
func (g neighbours) of(k kit.Ops, i ir.Value, inits []ir.Value, body func(j, at ir.Value, acc []ir.Value) []ir.Value) []ir.Value {
	start := k.ToIndex(g.starts.Load(k, i))
	return k.Fold(k.ToIndex(g.num.Load(k, i)), inits, func(m ir.Value, acc []ir.Value) []ir.Value {
		at := arith.AddI(k.B, start, m)
		return body(arith.SubI(k.B, k.ToIndex(g.adj.Load(k, at)), k.B.Index(1)), at, acc)
	})
}

// Each folds over all elements of adj, where the lists are valid.
func (g neighbours) Each(k kit.Ops, inits []ir.Value, body func(i, j, at ir.Value, acc []ir.Value) []ir.Value) []ir.Value {
	return k.Fold(g.num.N, inits, func(i ir.Value, acc []ir.Value) []ir.Value {
		return g.of(k, i, acc, func(j, at ir.Value, acc []ir.Value) []ir.Value { return body(i, j, at, acc) })
	})
}

// Weight is the sum of the weights that area i gives its neighbour j.
func (g neighbours) Weight(k kit.Ops, weights kit.View, i, j ir.Value) ir.Value {
	return g.of(k, i, []ir.Value{k.Num(0)}, func(to, at ir.Value, acc []ir.Value) []ir.Value {
		same := arith.CmpI(k.B, arith.EQ, to, j)
		return []ir.Value{k.Plus(acc[0], k.Pick(same, weights.Load(k, at), k.Num(0)))}
	})[0]
}

// Islands is how many parts without a link between them the map has.
func Islands(adj, num []float64) int {
	root := make([]int, len(num))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	left := len(num)
	EachNeighbour(adj, num, func(i, j, _ int) {
		if a, b := find(i), find(j); a != b {
			root[max(a, b)] = min(a, b)
			left--
		}
	})
	return left
}

// Islands is the number of parts as ops; root is a work vector.
func (g neighbours) Islands(k kit.Ops, root kit.View) ir.Value {
	b := k.B
	k.Each(b.Index(0), g.num.N, func(i ir.Value) { root.Store(k, k.ToFloat(i), i) })
	up := func(i ir.Value) ir.Value { return k.ToIndex(root.Load(k, i)) }
	find := func(i ir.Value) ir.Value {
		return k.Repeat([]ir.Value{i}, func(s []ir.Value) ir.Value { return arith.CmpI(b, arith.NE, up(s[0]), s[0]) },
			func(s []ir.Value) []ir.Value {
				next := up(up(s[0]))
				root.Store(k, k.ToFloat(next), s[0])
				return []ir.Value{next}
			})[0]
	}
	return g.Each(k, []ir.Value{k.ToFloat(g.num.N)}, func(i, j, _ ir.Value, acc []ir.Value) []ir.Value {
		x, y := find(i), find(j)
		root.Store(k, k.ToFloat(b.Op(arith.Minsi, x, y)), b.Op(arith.Maxsi, x, y))
		joined := arith.CmpI(b, arith.NE, x, y)
		return []ir.Value{k.Sub(acc[0], k.Flag(joined))}
	})[0]
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
