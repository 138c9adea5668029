package faces

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

func isZero(r []p.Int) bool {
	return !slices.ContainsFunc(r, func(x p.Int) bool { return x.Sign() != 0 })
}

// defines reports one of the two bounds of a floor, 0 <= num - den e <= den - 1.
func defines(b *p.Basic, r []p.Int) bool {
	for i, d := range b.Divs {
		col := 1 + len(b.Params) + b.Out.Len() + i
		if d.Den.Sign() == 0 || r[col].Abs().Cmp(d.Den) != 0 {
			continue
		}
		sign := p.NewInt(int64(-r[col].Sign()))
		same := true
		for k := 1; k < len(r) && same; k++ {
			same = k == col || r[k].Cmp(d.Num[k].Mul(sign)) == 0
		}
		if same {
			return true
		}
	}
	return false
}

// rangeOf is the set of values that a row has on a conjunction, parameters being free.
func rangeOf(b p.Basic, r []p.Int) p.Set {
	vars := len(r) - 1
	out := p.Basic{Out: p.NewTuple("", ""), Divs: make([]p.Div, vars)}
	take := func(r []p.Int) []p.Int {
		return slices.Concat([]p.Int{r[0], {}}, r[1:])
	}
	for i := range out.Divs {
		out.Divs[i].Num = make([]p.Int, 2+vars)
	}
	for _, e := range b.Eq {
		out.Eq = append(out.Eq, take(e))
	}
	for _, g := range b.Ge {
		out.Ge = append(out.Ge, take(g))
	}
	value := take(r)
	value[1] = p.NewInt(-1)
	out.Eq = append(out.Eq, value)
	return p.SetOf(out)
}

// directions is a basis of the moves of the dimensions that keep the equations and the
// saturated facets, a floor moving as what it rounds does.
func (w *walker) directions(saturated uint64) ([][]p.Int, error) {
	whole := &w.l.Whole
	first := 1 + len(whole.Params)
	b := p.Basic{Out: whole.Out, Divs: make([]p.Div, len(whole.Divs))}
	width := 1 + whole.Out.Len() + len(whole.Divs)
	keep := func(r []p.Int) {
		row := make([]p.Int, width)
		copy(row[1:], r[first:])
		b.Eq = append(b.Eq, row)
	}
	for _, r := range whole.Eq {
		keep(r)
	}
	for _, k := range members(saturated) {
		keep(w.l.Facets[k])
	}
	for i, d := range whole.Divs {
		b.Divs[i].Num = make([]p.Int, width)
		if d.Den.Sign() > 0 {
			r := slices.Clone(d.Num)
			r[first+whole.Out.Len()+i] = d.Den.Neg()
			keep(r)
		}
	}
	return p.SetOf(b).WithBudget(w.budget).LinealitySpace()
}
