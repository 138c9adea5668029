package codegen

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// Sets here are over the parameters and tuples without a name.

func tuple(n int) presburger.Tuple { return presburger.NewTuple("", make([]string, n)...) }

func (g *generator) set(bs ...presburger.Basic) presburger.Set {
	return presburger.SetOf(bs...).WithTotal(g.budget)
}

func dimsOf(s presburger.Set) int { return s.Tuple().Len() }

// seq lists n numbers from first on.
func seq(first, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = first + i
	}
	return out
}

// permute makes dimension i of the result that of number from[i] of a conjunction, those
// of In before those of Out, or a new one where it is -1.
func permute(b presburger.Basic, from []int) presburger.Basic {
	np, n := len(b.Params), b.In.Len()+b.Out.Len()
	move := func(r []integer) []integer {
		if r == nil {
			return nil
		}
		out := make([]integer, 0, 1+np+len(from)+len(b.Divs))
		out = append(out, r[:1+np]...)
		for _, f := range from {
			if f < 0 {
				out = append(out, zero)
			} else {
				out = append(out, r[1+np+f])
			}
		}
		return append(out, r[1+np+n:]...)
	}
	out := presburger.Basic{Params: b.Params, Out: tuple(len(from))}
	for _, d := range b.Divs {
		out.Divs = append(out.Divs, presburger.Div{Num: move(d.Num), Den: d.Den})
	}
	for _, r := range b.Eq {
		out.Eq = append(out.Eq, move(r))
	}
	for _, r := range b.Ge {
		out.Ge = append(out.Ge, move(r))
	}
	return out
}

// lift is the union of conjunctions with k new dimensions before dimension at.
func (g *generator) lift(bs []presburger.Basic, at, k int) presburger.Set {
	out := make([]presburger.Basic, len(bs))
	for i, b := range bs {
		from := slices.Insert(seq(0, b.In.Len()+b.Out.Len()), at, slices.Repeat([]int{-1}, k)...)
		out[i] = permute(b, from)
	}
	return g.set(out...)
}

// blank is the conjunction of all points of n dimensions.
func (g *generator) blank(n int) presburger.Basic {
	return presburger.Basic{Params: g.params, Out: tuple(n)}
}

// entry is the index of dimension i in a row.
func (g *generator) entry(i int) int { return 1 + len(g.params) + i }

// rowSum is a row of a conjunction as a sum; dimensions without a value are left out.
func (g *generator) rowSum(b presburger.Basic, r []integer, values []sum) sum {
	out := sum{con: r[0]}
	for i, p := range g.params {
		if k := r[1+i]; k.Sign() != 0 {
			out = out.plus(k, nameSum(p))
		}
	}
	for i, v := range values {
		if k := r[g.entry(i)]; k.Sign() != 0 {
			out = out.plus(k, v)
		}
	}
	for i, d := range b.Divs {
		if k := r[g.entry(b.Out.Len()+i)]; k.Sign() != 0 {
			out = out.plus(k, g.rowSum(b, d.Num, values).floor(d.Den))
		}
	}
	return out
}

// isBound reports that an inequality is one of the two that define a div.
func (g *generator) isBound(b presburger.Basic, r []integer) bool {
	for i, d := range b.Divs {
		col := g.entry(b.Out.Len() + i)
		if d.Den.Sign() == 0 || r[col].Abs().Cmp(d.Den) != 0 {
			continue
		}
		sign := one
		if r[col].Sign() > 0 {
			sign = one.Neg()
		}
		same := true
		for k := range r {
			want := zero
			switch {
			case k == col:
				want = d.Den.Neg()
			case k < len(d.Num):
				want = d.Num[k]
			}
			got := r[k].Mul(sign)
			if k == 0 && sign.Sign() < 0 {
				got = got.Add(d.Den).Sub(one)
			}
			same = same && got.Cmp(want) == 0
		}
		if same {
			return true
		}
	}
	return false
}

// conditionsOf are the constraints of a conjunction, but for those of divs and those that
// hold for any values; never says that one holds for none.
func (g *generator) conditionsOf(b presburger.Basic, values []sum) (out []Expr, never bool) {
	for _, r := range b.Eq {
		if s := g.rowSum(b, r, values); !s.isConst() {
			out = append(out, s.isZero())
		} else if s.con.Sign() != 0 {
			return nil, true
		}
	}
	for _, r := range b.Ge {
		if g.isBound(b, r) {
			continue
		}
		if s := g.rowSum(b, r, values); !s.isConst() {
			out = append(out, s.nonNegative())
		} else if s.con.Sign() < 0 {
			return nil, true
		}
	}
	return out, false
}

// condition is that of a union, as conditions that all hold: none where it always holds;
// never says that it does not.
func (g *generator) condition(s presburger.Set, values []sum) (all []Expr, never bool) {
	var alternatives []Expr
	for _, b := range s.Basics() {
		cs, never := g.conditionsOf(b, values)
		if never {
			continue
		}
		if len(cs) == 0 {
			return nil, false
		}
		all = cs
		alternatives = append(alternatives, apply(And, cs...))
	}
	switch len(alternatives) {
	case 0:
		return nil, true
	case 1:
		return all, false
	}
	return []Expr{apply(Or, alternatives...)}, false
}

// guarded is code where a condition holds.
func (g *generator) guarded(s presburger.Set, sc scope, body []Node) []Node {
	cond, never := g.condition(s, sc.values)
	return g.where(cond, never, body)
}

func (g *generator) where(cond []Expr, never bool, body []Node) []Node {
	switch {
	case never || len(body) == 0:
		return nil
	case len(cond) == 0:
		return body
	}
	g.count()
	return []Node{&If{Cond: apply(And, cond...), Then: &Block{body}}}
}
