package piecewise

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// A Quasi is a quasi-affine function of n integer variables: num / den, where num is
// a row over 1, the variables and the divs, all of which are known. Unlike those of
// a conj, the num of div i knows only the divs before it, so adding one changes none.
//
// Floors have one form (see floor), so that functions of one builder that are equal
// by arithmetic alone have equal rows.
type Quasi struct {
	N    int
	Divs []conj.Div
	Num  lp.Row
	Den  lp.Int
}

// Constant is v as a function of n variables.
func Constant(n int, v lp.Rat) Quasi {
	q := Quasi{N: n, Num: make(lp.Row, 1+n), Den: v.Den}
	q.Num[0] = v.Num
	return q
}

// Variable is the i-th of n variables.
func Variable(n, i int) Quasi {
	q := Constant(n, lp.Rat{Den: lp.NewInt(1)})
	q.Num[1+i] = lp.NewInt(1)
	return q
}

// Width is the length of a row.
func (q *Quasi) Width() int { return 1 + q.N + len(q.Divs) }

// Wide pads a row to the present width.
func (q *Quasi) Wide(r lp.Row) lp.Row {
	if len(r) == q.Width() {
		return r
	}
	return r.Grown(q.Width() - len(r))
}

// Floor is floor(num / den) as a row, adding a div where it is new. What is integral
// goes out of the floor, so that coefficients are more than -den/2 and at most den/2;
// common factors go; the first coefficient other than den/2 is positive, as floor(-x/d)
// = -floor((x + d - 1)/d); and a floor of a floor becomes one: floor((floor(a/b) + c) /
// d) = floor((a + b c) / (b d)).
func (q *Quasi) Floor(num lp.Row, den lp.Int) lp.Row {
	out := make(lp.Row, q.Width())
	num = num.Grown(q.Width() - len(num))
	two := lp.NewInt(2)
	for i, x := range num {
		if i > 0 {
			x = x.Mul(two).Add(den).Sub(lp.NewInt(1))
			out[i] = x.FloorDiv(den.Mul(two)) // rounded, a half down
		} else {
			out[i] = x.FloorDiv(den)
		}
		num[i] = num[i].Sub(out[i].Mul(den))
	}
	if num.IsZero(1) {
		return out // the constant is less than den
	}
	num, den = conj.ReduceDiv(num, den)
	for _, x := range num[1:] {
		if x.IsZero() || x.Mul(two).Equal(den) {
			continue
		}
		if x.Sign() < 0 {
			num = num.Negated()
			num[0] = num[0].Add(den).Sub(lp.NewInt(1))
			up := q.Floor(num, den)
			out = q.Wide(out)
			out.Combine(lp.NewInt(1), lp.NewInt(-1), q.Wide(up))
			return out
		}
		break
	}
	if l := num.Last(); l > q.N && num[l].IsOne() && lp.Row(num[1:l]).IsZero(0) {
		d := q.Divs[l-1-q.N]
		inner := d.Num.Clone()
		inner[0] = inner[0].Add(num[0].Mul(d.Den))
		in := q.Floor(inner, d.Den.Mul(den))
		in.Combine(lp.NewInt(1), lp.NewInt(1), q.Wide(out))
		return in
	}
	k := slices.IndexFunc(q.Divs, func(d conj.Div) bool {
		return d.Den.Equal(den) && d.Num.Equal(num[:len(d.Num)]) && num.IsZero(len(d.Num))
	})
	if k < 0 {
		q.Divs = append(q.Divs[:len(q.Divs):len(q.Divs)], conj.Div{Num: num, Den: den})
		k = len(q.Divs) - 1
	}
	out = q.Wide(out)
	c := 1 + q.N + k
	out[c] = out[c].Add(lp.NewInt(1))
	return out
}

// A substitution writes rows over variables and known divs as rows of a builder,
// times den: variable i has the value vals[i] / den, div i the value divs[i].
type substitution struct {
	to   *Quasi
	vals []lp.Row
	den  lp.Int
	divs []lp.Row
}

// substitute gives variables the values of functions of n variables.
func substitute(n int, values []Quasi) *substitution {
	s := &substitution{to: &Quasi{N: n, Den: lp.NewInt(1)}, den: lp.NewInt(1)}
	for _, v := range values {
		s.den = s.den.LCM(v.Den)
	}
	for _, v := range values {
		r := s.to.Adopt(v.Num, v.Divs)
		r = r.Clone()
		r.Scale(s.den.Quo(v.Den))
		s.vals = append(s.vals, r)
	}
	return s
}

// rename makes variable i of a row variable to[i] of n.
func rename(n int, to []int) *substitution {
	s := &substitution{to: &Quasi{N: n, Den: lp.NewInt(1)}, den: lp.NewInt(1)}
	for _, k := range to {
		r := make(lp.Row, 1+n)
		r[1+k] = lp.NewInt(1)
		s.vals = append(s.vals, r)
	}
	return s
}

// row writes one, times den; ds are the divs that it may use, known.
func (s *substitution) row(r lp.Row, ds []conj.Div) lp.Row {
	m := len(s.vals)
	out := make(lp.Row, s.to.Width())
	out[0] = r[0].Mul(s.den)
	add := func(x lp.Int, v lp.Row) {
		if !x.IsZero() {
			out = s.to.Wide(out)
			out.Combine(lp.NewInt(1), x, s.to.Wide(v))
		}
	}
	for i := range m {
		add(r[1+i], s.vals[i])
	}
	for i := 1 + m; i < len(r); i++ {
		if !r[i].IsZero() {
			add(r[i].Mul(s.den), s.div(i-1-m, ds))
		}
	}
	return s.to.Wide(out)
}

// div is the row of div i.
func (s *substitution) div(i int, ds []conj.Div) lp.Row {
	for len(s.divs) <= i {
		s.divs = append(s.divs, nil)
	}
	if s.divs[i] == nil {
		num := ds[i].Num
		num = num[:min(len(num), 1+len(s.vals)+i)]
		s.divs[i] = s.to.Floor(s.row(num, ds), ds[i].Den.Mul(s.den))
	}
	return s.divs[i]
}

// quasi substitutes in a function.
func (s *substitution) quasi(q Quasi) Quasi {
	s.divs = nil
	num := s.row(q.Num, q.Divs)
	out := *s.to
	out.Num, out.Den = num, q.Den.Mul(s.den)
	return out.Normal()
}

// conj substitutes in a conjunction whose divs are known. Where integral is set, the
// values must be integers, too.
func (s *substitution) conj(c *conj.Conj, integral bool) *conj.Conj {
	if c.Empty {
		return conj.Void(s.to.N)
	}
	s.divs = nil
	var eq, ge []lp.Row
	for _, r := range c.Eq {
		eq = append(eq, s.row(r, c.Divs))
	}
	for _, r := range c.Ge {
		ge = append(ge, s.row(r, c.Divs))
	}
	if integral && !s.den.IsOne() {
		for _, v := range s.vals { // v = den floor(v / den)
			f := s.to.Floor(v, s.den)
			f = f.Clone()
			f.Scale(s.den.Neg())
			f.Combine(lp.NewInt(1), lp.NewInt(1), s.to.Wide(v))
			eq = append(eq, f)
		}
	}
	out := conj.Universe(s.to.N)
	cols := s.to.into(out)
	for _, r := range eq {
		out.Eq = append(out.Eq, placed(out, r, s.to.N, cols))
	}
	for _, r := range ge {
		out.Ge = append(out.Ge, placed(out, r, s.to.N, cols))
	}
	return out.Simplify()
}

// Adopt writes a row over n variables and other divs as one of q.
func (q *Quasi) Adopt(r lp.Row, ds []conj.Div) lp.Row {
	return (&substitution{to: q, vals: q.variables(), den: lp.NewInt(1)}).row(r, ds)
}

func (q *Quasi) variables() []lp.Row {
	out := make([]lp.Row, q.N)
	for i := range out {
		out[i] = make(lp.Row, 1+q.N)
		out[i][1+i] = lp.NewInt(1)
	}
	return out
}

// Normal drops divs that are not used and common factors.
func (q Quasi) Normal() Quasi {
	out := Quasi{N: q.N}
	out.Num = out.Adopt(q.Num, q.Divs)
	out.Den = q.Den
	if g := out.Num.Content(0).GCD(out.Den); !g.IsOne() {
		out.Num = out.Num.Clone()
		out.Num.Divide(g)
		out.Den = out.Den.Quo(g)
	}
	return out
}

// into adds the divs to a conjunction whose first variables are those of q, and
// returns their columns.
func (q *Quasi) into(c *conj.Conj) []int {
	var cols []int
	for _, d := range q.Divs {
		num := placed(c, d.Num, q.N, cols)
		cols = append(cols, c.AddDiv(num, d.Den))
	}
	return cols
}

// linearSum is x a + y b for integers x and y.
func linearSum(x lp.Int, a Quasi, y lp.Int, b Quasi) Quasi {
	den := a.Den.LCM(b.Den)
	out := Quasi{N: a.N, Den: den}
	r := out.Adopt(a.Num, a.Divs)
	s := out.Adopt(b.Num, b.Divs)
	out.Num = out.Wide(r).Clone()
	out.Num.Combine(x.Mul(den.Quo(a.Den)), y.Mul(den.Quo(b.Den)), s)
	return out.Normal()
}

// Plus is q + p.
func (q Quasi) Plus(p Quasi) Quasi { return linearSum(lp.NewInt(1), q, lp.NewInt(1), p) }

// Minus is q - p.
func (q Quasi) Minus(p Quasi) Quasi { return linearSum(lp.NewInt(1), q, lp.NewInt(-1), p) }

// Times is k q.
func (q Quasi) Times(k lp.Rat) Quasi {
	q.Num = q.Num.Clone()
	q.Num.Scale(k.Num)
	q.Den = q.Den.Mul(k.Den)
	return q.Normal()
}

// Rounded is floor(q).
func (q Quasi) Rounded() Quasi {
	if q.Den.IsOne() {
		return q
	}
	out := q
	out.Num, out.Den = out.Floor(q.Num, q.Den), lp.NewInt(1)
	return out.Normal()
}

// Modulo is q - m floor(q / m).
func (q Quasi) Modulo(m lp.Int) Quasi {
	f := q.Times(lp.Rat{Num: lp.NewInt(1), Den: m}).Rounded()
	return linearSum(lp.NewInt(1), q, m.Neg(), f)
}

// IsConst reports a value without variables and floors.
func (q Quasi) IsConst() bool { return q.Num.IsZero(1) }

// same reports functions that arithmetic alone shows to be equal.
func (q Quasi) same(p Quasi) bool {
	if !q.Den.Equal(p.Den) || !lp.Row(q.Num[:1+q.N]).Equal(p.Num[:1+q.N]) || len(q.Divs) != len(p.Divs) {
		return false // floors have one form, so nothing cancels
	}
	d := q.Minus(p)
	return d.Num.IsZero(0)
}

// Eval is the value at a point.
func (q Quasi) Eval(x []lp.Int) lp.Rat {
	at := slices.Clone(x[:q.N])
	for _, d := range q.Divs {
		at = append(at, d.Num[0].Add(lp.Dot(d.Num[1:], at[:len(d.Num)-1])).FloorDiv(d.Den))
	}
	return lp.NewRat(q.Num[0].Add(lp.Dot(q.Num[1:], at)), q.Den)
}

// placed writes a row over n variables and divs, which have these columns, as one of c.
func placed(c *conj.Conj, r lp.Row, n int, cols []int) lp.Row {
	out := c.Row()
	copy(out, r[:1+n])
	for i, x := range r[1+n:] {
		if !x.IsZero() {
			out[cols[i]] = out[cols[i]].Add(x)
		}
	}
	return out
}

// RowOf adds the divs of a function to a conjunction and returns its numerator there.
func RowOf(c *conj.Conj, q Quasi) lp.Row { return placed(c, q.Num, q.N, q.into(c)) }
