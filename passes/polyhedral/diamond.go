package polyhedral

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Bounds of the functions that diamond tries.
const (
	mostSlope = 8  // times the first member
	mostReach = 16 // of what a dependence goes back by
)

// diamond tiles a permutable band by its second member and by a multiple of the first one less the second: of a stencil whose
// first loop is over time and whose second one is skewed by it, by time + i and by time - i. Such tiles have nothing
// to wait for where the first ones are, so that all cores have work from the beginning, however few rounds of time there
// are (Bandishti, Pananilath and Bondhugula, "Tiling stencil computations to maximize parallelism", 2012). It is nil where no
// dependence-respecting difference is found. Sizes are those of the members; points of a tile keep the order of the band.
func diamond(w *systems.Ordering, n *schedule.Node, sizes []int) *schedule.Node {
	b := n.Band()
	if len(sizes) < 2 || sizes[0] == 0 || sizes[1] == 0 || slices.ContainsFunc(b.Members, func(m schedule.Member) bool { return m.Coincident }) {
		return nil
	}
	for slope := 1; slope <= mostSlope; slope++ {
		second := differenceOf(w, b.Members[:2], slope)
		if second.Maps() == nil {
			continue
		}
		out := b
		out.Members = append([]schedule.Member{{Function: b.Members[1].Function}, {Function: second}}, b.Members[2:]...)
		tiles := unwind.Must(schedule.NewBand(out, n.Child(0)).Tile(sizes))
		return schedule.NewBand(tiles.Band(), n)
	}
	return nil
}

// differenceOf is slope times the first of two members less the second, plus a number for each statement by which no
// instance has a smaller value than one that has to come before it; the zero Map if there are no such numbers.
func differenceOf(w *systems.Ordering, members []schedule.Member, slope int) (out presburger.Map) {
	both := unwind.Must(members[0].Function.FlatRangeProduct(members[1].Function))
	shifted := func(by int) presburger.Map {
		f := unwind.Must(presburger.ParseMap(fmt.Sprintf("{ [x, y] -> [%d x - y + %d] }", slope, by)))
		return unwind.Must(f.Compose(both))
	}
	plain := shifted(0)
	parts := plain.Maps()
	least := make([][]*int, len(parts)) // of what the function grows by from an instance to one that has to come after it
	for i, from := range parts {
		least[i] = make([]*int, len(parts))
		for j, to := range parts {
			least[i][j] = leastGrowth(w, from, to)
			if least[i][j] != nil && *least[i][j] < -mostReach {
				return out
			}
		}
	}
	shifts, ok := potentials(least)
	if !ok {
		return out
	}
	for i, part := range parts {
		whole := shifted(shifts[i])
		in, _ := part.Tuples()
		for _, m := range whole.Maps() {
			if of, _ := m.Tuples(); of == in {
				out = out.Union(m)
			}
		}
	}
	return out
}

// leastGrowth is the least difference of a function from an instance, of which it is from, to one that has to come after it, of which
// it is to: nil if there is none, and less than -mostReach if there is no least one.
func leastGrowth(w *systems.Ordering, from, to presburger.Map) *int {
	pairs := unwind.Must(to.Compose(unwind.Must(w.Order.Compose(from.Inverse()))))
	growth := pairs.Deltas()
	if unwind.Must(growth.IsEmpty()) {
		return nil
	}
	row := make([]presburger.Int, 1+len(growth.Params())+1)
	row[len(row)-1] = presburger.NewInt(1)
	f := unwind.Must(presburger.AffOf(growth, row, presburger.NewInt(1), nil))
	o, err := growth.MinVal(f)
	least := -mostReach - 1
	if n, ok := o.Value.Num.Int64(); err == nil && o.Status == presburger.Optimal && ok {
		least = int(max(n, int64(least)))
	}
	unwind.Check(err)
	return &least
}

// potentials are numbers p from 0 on such that p[j] - p[i] >= -least[i][j], as of shortest paths (Bellman 1958; Ford 1956); there are
// none if a cycle is negative.
func potentials(least [][]*int) (p []int, ok bool) {
	p = make([]int, len(least))
	for range len(least) + 1 {
		changed := false
		for i := range least {
			for j, d := range least[i] {
				if d != nil && p[j]-p[i] < -*d {
					p[j], changed = p[i]-*d, true
				}
			}
		}
		if !changed {
			return p, true
		}
	}
	return nil, false
}
