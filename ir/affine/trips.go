package affine

import "github.com/irc-lang/irc/ir"

// Trips is the number of rounds of a loop along dimension k, if it is the same whenever
// it runs. The bounds need not be: from n to n + 4 there are 4 rounds, if n + 4 does not
// wrap.
func (a Analysis) Trips(l ir.LoopLike, k int) (trips uint64, ok bool) {
	step, ok := a.Step(l, k)
	if !ok {
		return 0, false
	}
	w := a.width(l, k)
	lower, upper := a.bound(l.Lower[k], w, depth), a.bound(l.Upper[k], w, depth)
	low, ok1 := lower.Const()
	high, ok2 := upper.Const()
	if !ok1 || !ok2 {
		d := a.linearBound(l.Upper[k], w).Plus(^uint64(0), a.linearBound(l.Lower[k], w))
		c := signed(w, d.Const)
		if len(d.Terms) > 0 || !lower.plus(c) {
			return 0, false
		}
		low, high = 0, c
	}
	switch {
	case low > high || low == high && !l.Inclusive:
		return 0, true
	case !l.Inclusive:
		high--
	}
	trips = (uint64(high) - uint64(low)) / uint64(step) // fits without a sign
	return trips + 1, trips+1 != 0
}

// Step is the step of a loop along dimension k, if it is constant and positive.
func (a Analysis) Step(l ir.LoopLike, k int) (int64, bool) {
	step, ok := a.bound(l.Step[k], a.width(l, k), depth).Const()
	return step, ok && step > 0
}

// width is the number of bits of index k; 0 for what has no number.
func (a Analysis) width(l ir.LoopLike, k int) int { return widthOf(a.g, l.Indices[k]) }

func (a Analysis) linearBound(x ir.Bound, w int) Linear {
	if x.Value == 0 {
		return Linear{Width: w, Const: uint64(x.Const) & mask(w)}
	}
	return a.Linear(x.Value)
}
