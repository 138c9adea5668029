package poly

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// related tells whether a relation has a pair, for given values of the parameters.
type related struct {
	pieces [][]bound // of conjunctions of which one has to hold, if all are linear
	slow   presburger.Set
	params map[string]presburger.Int
	pair   []int64
}

// A bound is a row, a constant and coefficients, that is 0 or not negative.
type bound struct {
	row   []int64
	equal bool
}

// Rows and pairs within these limits have no sum that overflows.
const (
	limitRow  = 1 << 20
	limitPair = 1 << 31
)

func newRelated(m presburger.Map, params map[string]presburger.Int) *related {
	r := &related{slow: m.Wrap(), params: params}
	for _, b := range m.Basics() {
		piece, ok := bounds64(b, params)
		if !ok {
			r.pieces = nil
			return r
		}
		r.pieces = append(r.pieces, piece)
	}
	return r
}

// bounds64 reads a conjunction without floors.
func bounds64(b presburger.Basic, params map[string]presburger.Int) (out []bound, ok bool) {
	if len(b.Divs) > 0 {
		return nil, false
	}
	out = []bound{}
	for i, rows := range [][][]presburger.Int{b.Eq, b.Ge} {
		for _, r := range rows {
			sum := r[0]
			for p, name := range b.Params {
				sum = sum.Add(r[1+p].Mul(params[name]))
			}
			row := make([]int64, 1, len(r)-len(b.Params))
			if row[0], ok = sum.Int64(); !ok || row[0] > 1<<60 || row[0] < -1<<60 {
				return nil, false
			}
			for _, x := range r[1+len(b.Params):] {
				v, ok := x.Int64()
				if !ok || v > limitRow || v < -limitRow {
					return nil, false
				}
				row = append(row, v)
			}
			out = append(out, bound{row, i == 0})
		}
	}
	return out, true
}

// has reports whether x and e are related.
func (r *related) has(x, e []int64) (bool, error) {
	r.pair = append(append(r.pair[:0], x...), e...)
	fast := r.pieces != nil
	for _, v := range r.pair {
		fast = fast && v <= limitPair && v >= -limitPair
	}
	if !fast {
		return r.slow.Contains(ints(r.pair), r.params)
	}
	for _, piece := range r.pieces {
		if holds(piece, r.pair) {
			return true, nil
		}
	}
	return false, nil
}

func holds(piece []bound, at []int64) bool {
	for _, b := range piece {
		sum := b.row[0]
		for i, k := range b.row[1:] {
			sum += k * at[i]
		}
		if sum < 0 || b.equal && sum != 0 {
			return false
		}
	}
	return true
}
