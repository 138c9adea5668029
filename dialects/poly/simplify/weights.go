package simplify

import (
	"math/big"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A weight may be an affine function of the instance, as i - j is in (i - j) * A[j]. It is the sum of two parts: one is
// the same for all of an answer, the other is the same wherever the rest of the body is. Each of the two products, or of
// the sums, then shares what the rest does. Ramps, triangle windows and gap costs are such weights.

// apart divides the affine ones of some operands into such parts; an operand is itself where there are none. Each has its
// parts in a list.
func (t *trial) apart(list []*Expr) [][]*Expr {
	out := make([][]*Expr, len(list))
	for i, e := range list {
		out[i] = []*Expr{e}
		w := e
		if e.Kind == Negative {
			w = e.Args[0]
		}
		if !w.Affine || w.Kind != Apply {
			continue
		}
		n := t.red.dims()
		rest := p.Orthogonal(nil, n)
		for k, o := range list {
			if k == i {
				continue
			}
			share := unwind.Must(o.share(n))
			rest = p.MeetLattices(rest, share, n)
		}
		parts := t.parts(w, rest)
		if len(parts) < 2 {
			continue
		}
		if out[i] = parts; e.Kind == Negative {
			out[i] = []*Expr{t.minus(parts[0]), t.minus(parts[1])}
		}
	}
	return out
}

// parts are the two parts of a weight: the first is constant along the vectors between the instances of an answer, the
// second along those of a lattice. There are none if one of them is all of it, or if they are not integers.
func (t *trial) parts(e *Expr, rest [][]p.Int) []*Expr {
	f, ok := affineOf(e.Value, t.program.Params)
	if !ok {
		return nil
	}
	first := 1 + len(f.params)
	w := f.rows[0][first:]
	var rows [][]p.Int
	var values []p.Int
	for _, v := range t.fibre {
		rows, values = append(rows, v), append(values, p.NewInt(0))
	}
	for _, v := range rest {
		rows, values = append(rows, v), append(values, dot(w, v))
	}
	u, ok := solve(rows, values, len(w))
	if !ok || isZero(u) {
		return nil
	}
	one, two := append([]p.Int(nil), f.rows[0]...), make([]p.Int, len(f.rows[0]))
	for i := range w {
		one[first+i], two[first+i] = u[i], w[i].Sub(u[i])
	}
	if isZero(two) {
		return nil
	}
	part := func(row []p.Int) *Expr {
		g := f
		g.rows = [][]p.Int{row}
		return &Expr{Kind: Linear, Row: row, Affine: true, Value: g.graph(), Client: e.Client}
	}
	return []*Expr{part(one), part(two)}
}

// solve finds integers whose products with rows have given values, those that these leave free being 0; ok is false if none
// are found.
func solve(rows [][]p.Int, values []p.Int, n int) (out []p.Int, ok bool) {
	m := make([][]*big.Rat, len(rows))
	for i, r := range rows {
		for _, x := range append(append([]p.Int(nil), r...), values[i]) {
			k, small := x.Int64()
			if !small {
				return nil, false
			}
			m[i] = append(m[i], new(big.Rat).SetInt64(k))
		}
	}
	at := make([]int, 0, n) // the row of each pivot, by their order
	cols := make([]int, 0, n)
	for c := 0; c < n; c++ {
		i := len(at)
		for i < len(m) && m[i][c].Sign() == 0 {
			i++
		}
		if i == len(m) {
			continue
		}
		k := len(at)
		m[i], m[k] = m[k], m[i]
		for j := range m {
			if j == k || m[j][c].Sign() == 0 {
				continue
			}
			q := new(big.Rat).Quo(m[j][c], m[k][c])
			for d := range m[j] {
				m[j][d] = new(big.Rat).Sub(m[j][d], new(big.Rat).Mul(q, m[k][d]))
			}
		}
		at, cols = append(at, k), append(cols, c)
	}
	for _, r := range m[len(at):] {
		if r[n].Sign() != 0 {
			return nil, false
		}
	}
	out = make([]p.Int, n)
	for i, k := range at {
		x := new(big.Rat).Quo(m[k][n], m[k][cols[i]])
		if !x.IsInt() || !x.Num().IsInt64() {
			return nil, false
		}
		out[cols[i]] = p.NewInt(x.Num().Int64())
	}
	return out, true
}
