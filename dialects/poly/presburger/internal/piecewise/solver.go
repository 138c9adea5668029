package piecewise

import (
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// solver keeps the values of variables that are known.
type solver struct {
	c    *conj.Conj
	np   int
	vals []*Quasi
}

// known reports that a row uses only variables with values, but for column except.
func (s *solver) known(r lp.Row, except int) bool {
	for k := 1; k < len(r); k++ {
		if k == except || r[k].IsZero() {
			continue
		}
		if i := k - 1 - s.c.N; i >= 0 {
			if !s.known(s.c.Divs[i].Num, 0) {
				return false
			}
		} else if s.vals[k-1] == nil {
			return false
		}
	}
	return true
}

// value is that of variable i, or nil.
func (s *solver) value(i int) *Quasi {
	col := 1 + i
	for _, r := range s.c.Eq {
		if !r[col].IsZero() && s.known(r, col) {
			return s.rest(r, col)
		}
	}
	class := conj.Residue{Stride: lp.NewInt(1)}
	for a, low := range s.c.Ge {
		if low[col].Sign() >= 0 || !s.known(low, col) {
			continue
		}
		for b, high := range s.c.Ge { // f - k x >= 0 and k x + c - f >= 0
			if a == b || lp.Parallel(low, high) >= 0 {
				continue
			}
			room := low[0].Add(high[0])
			if room.Cmp(low[col].Neg()) < 0 {
				return s.rest(low, col)
			}
			if class.Num == nil {
				class = s.class(i)
			}
			if room.Cmp(low[col].Neg().Mul(class.Stride)) < 0 {
				return s.inClass(low, col, class)
			}
		}
	}
	return nil
}

// class is the residue class of variable i by the equations, as a function of variables
// with values.
func (s *solver) class(i int) conj.Residue {
	x := s.c.Residue(i)
	if x.Num == nil || x.Stride.IsZero() || !(&solver{&conj.Conj{N: s.c.N, Divs: x.Divs}, s.np, s.vals}).known(x.Num, 0) {
		return conj.Residue{Stride: lp.NewInt(1), Num: lp.Row{{}}}
	}
	return x
}

// inClass is the greatest x of a residue class with f - k x >= 0, the row: x = r + m q with
// the greatest q such that f - k r - k m q >= 0.
func (s *solver) inClass(low lp.Row, col int, class conj.Residue) *Quasi {
	k := low[col].Neg()
	f := low.Clone()
	f[col] = lp.Int{}
	t := s.substitution()
	at := Quasi{N: s.np, Den: t.den.Mul(class.Den)}
	at.Num = t.row(class.Num, class.Divs)
	at.Divs = t.to.Divs
	at = at.Normal().Rounded()
	t = s.substitution()
	most := Quasi{N: s.np, Den: t.den}
	most.Num = t.row(f, s.c.Divs)
	most.Divs = t.to.Divs
	q := linearSum(lp.NewInt(1), most.Normal(), k.Neg(), at).Times(lp.Rat{Num: lp.NewInt(1), Den: k.Mul(class.Stride)}).Rounded()
	x := linearSum(lp.NewInt(1), at, class.Stride, q)
	return &x
}

// rest is floor(f / k) where a row is f - k x, or k x - f.
func (s *solver) rest(r lp.Row, col int) *Quasi {
	f, k := r.Clone(), r[col]
	f[col] = lp.Int{}
	if k.Sign() > 0 {
		f.Negate()
	}
	t := s.substitution()
	out := Quasi{N: s.np, Den: k.Abs().Mul(t.den)}
	out.Num = t.row(f, s.c.Divs)
	out.Divs = t.to.Divs
	out = out.Normal().Rounded()
	return &out
}

// substitution puts the values in that there are; others are not used.
func (s *solver) substitution() *substitution {
	var vals []Quasi
	for _, v := range s.vals {
		if v == nil {
			vals = append(vals, Constant(s.np, lp.Rat{Den: lp.NewInt(1)}))
		} else {
			vals = append(vals, *v)
		}
	}
	return substitute(s.np, vals)
}

// explicit solves for one value after another: an equation gives it, or two bounds
// that have room for one integer, k x <= f <= k x + c with c < k: x = floor(f / k); or
// with c < k m, where the equations say that x has a residue modulo m.
// What the values say of the arguments is the domain. ok is false if that does not
// give all.
func explicit(c *conj.Conj, np int, w *lp.Work) (out []Piece, ok bool) {
	c, free := unknownsAt(c, np)
	m := np + free
	s := &solver{c: c, np: m, vals: make([]*Quasi, c.N)}
	for i := range np {
		v := Variable(m, i)
		s.vals[i] = &v
	}
	for progress := true; progress; {
		w.Step(c.Width() * len(c.Ge))
		progress = false
		for i := m; i < c.N; i++ {
			if s.vals[i] == nil {
				s.vals[i] = s.value(i)
				progress = progress || s.vals[i] != nil
			}
		}
	}
	for i := range free { // what exists is left to the domain
		v := Variable(m, np+i)
		s.vals[np+i] = &v
	}
	var all []Quasi
	for _, v := range s.vals {
		if v == nil {
			return nil, false
		}
		all = append(all, *v)
	}
	var arguments []Quasi
	for i := range m {
		if i < np {
			arguments = append(arguments, Variable(np, i))
		} else {
			arguments = append(arguments, Constant(np, lp.Rat{Den: lp.NewInt(1)})) // not used
		}
	}
	var p Piece
	for _, v := range all[m:] {
		p.Vals = append(p.Vals, substitute(np, arguments).quasi(v))
	}
	when := substitute(m, all).conj(c, false)
	if !when.Empty {
		when = when.Exist(np, free).Simplify()
	}
	p.When = conj.Alive([]*conj.Conj{when}, w)
	return []Piece{p}, true
}

// unknownsAt makes unknown divs variables, before variable at, and counts them.
func unknownsAt(c *conj.Conj, at int) (*conj.Conj, int) {
	var from []int // columns
	for i := range at {
		from = append(from, 1+i)
	}
	var divs []conj.Div
	for i, d := range c.Divs {
		if !d.Known() {
			from = append(from, c.DivCol(i))
		} else {
			divs = append(divs, d)
		}
	}
	free := len(from) - at
	if free == 0 {
		return c, 0
	}
	for i := at; i < c.N; i++ {
		from = append(from, 1+i)
	}
	for i, d := range c.Divs {
		if d.Known() {
			from = append(from, c.DivCol(i))
		}
	}
	moved := func(r lp.Row) lp.Row {
		out := make(lp.Row, 1+len(from))
		out[0] = r[0]
		for i, k := range from {
			out[1+i] = r[k]
		}
		return out
	}
	out := &conj.Conj{N: c.N + free}
	for _, d := range divs {
		out.Divs = append(out.Divs, conj.Div{Num: moved(d.Num), Den: d.Den})
	}
	for _, r := range c.Eq {
		out.Eq = append(out.Eq, moved(r))
	}
	for _, r := range c.Ge {
		out.Ge = append(out.Ge, moved(r))
	}
	return out, free
}
