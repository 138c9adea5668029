package polyhedral

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// byStride orders the members of permutable bands that have no loops inside: that comes last along
// which the accesses go from one element to the next, or stay where they are, so that memory is used
// line by line and vectors are loaded whole. Any order of such members is legal; the others keep
// theirs. A band whose members do not determine the instances stays as it is.
func byStride(sys *poly.System, tree *schedule.Node) *schedule.Node {
	s := &strides{sys}
	return edit(tree, nil, func(n *schedule.Node, outer []schedule.Member) (*schedule.Node, bool) {
		if b := n.Band(); isInnermost(n) && b.Permutable && len(b.Members) > 1 {
			if last, ok := s.last(outer, b.Members); ok {
				m := b.Members[last]
				b.Members = append(slices.Delete(slices.Clone(b.Members), last, last+1), m)
				return schedule.NewBand(b, n.Child(0)), true
			}
		}
		return n, false
	})
}

// A strides weighs the accesses of a system along the members of a band.
type strides struct{ sys *poly.System }

// What an access costs along a loop, by what is loaded for each round.
const (
	costSame  = 0
	costNext  = 1
	costOther = 8
)

// last is the member along which the accesses cost least, the last of these.
func (s *strides) last(outer, band []schedule.Member) (best int, ok bool) {
	costs := make([]float64, len(band))
	members := append(slices.Clip(outer), band...)
	for _, part := range band[0].Function.Maps() {
		in, _ := part.Tuples()
		st := s.sys.Statement(in.Name())
		if st == nil {
			continue
		}
		rows, ok := coefficients(members, st)
		if !ok {
			return 0, false
		}
		if st.Domain.Tuple().Len() < len(rows) {
			continue // it is in some rounds alone
		}
		for k := range band {
			along, ok := direction(rows, len(outer)+k)
			if !ok {
				return 0, false
			}
			costs[k] += cost(st.Write, along)
			for _, r := range st.Reads {
				costs[k] += cost(r.Map, along)
			}
		}
	}
	// Of equal costs the innermost member wins, so that a band changes only for a gain.
	for k, c := range costs {
		if c <= costs[best] {
			best = k
		}
	}
	return best, best < len(band)-1
}

// coefficients are those of the coordinates of a statement in each member, a row each.
func coefficients(members []schedule.Member, st *poly.Stmt) (rows [][]float64, ok bool) {
	for _, m := range members {
		for _, part := range m.Function.Maps() {
			if in, _ := part.Tuples(); in.Name() != st.Name {
				continue
			}
			r, ok := systems.Linear(part)
			if !ok || len(r) != 1 {
				return nil, false
			}
			rows = append(rows, r[0])
		}
	}
	return rows, len(rows) == len(members)
}

// direction is how the coordinates change where member k grows by one and the others stay: the
// solution of the equations of all members.
func direction(rows [][]float64, k int) ([]float64, bool) {
	n := len(rows)
	if n == 0 || len(rows[0]) != n {
		return nil, false
	}
	a := mat.NewDense(n, n, slices.Concat(rows...))
	e := mat.NewVecDense(n, nil)
	e.SetVec(k, 1)
	var v mat.VecDense
	if err := v.SolveVec(a, e); err != nil {
		return nil, false
	}
	return v.RawVector().Data, true
}

// cost is that of an access along a direction.
func cost(m presburger.Map, along []float64) float64 {
	rows, ok := systems.Linear(m)
	if !ok {
		return costOther
	}
	out := float64(costSame)
	for i, r := range rows {
		by := 0.0
		for d, x := range r {
			by += x * along[d]
		}
		// The solver works in floating point: rounding recovers the integers.
		switch by = math.Round(by*1e6) / 1e6; {
		case by == 0:
		// The last dimension is contiguous: a step of one there leads to the next element.
		case i == len(rows)-1 && math.Abs(by) == 1:
			out = max(out, costNext)
		default:
			out = costOther
		}
	}
	return out
}
