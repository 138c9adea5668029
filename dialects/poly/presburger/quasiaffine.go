package presburger

import "slices"

// A quasi is a quasi-affine function of n integer variables: num / den, where num is
// a row over 1, the variables and the divs, all of which are known. Unlike those of
// a conj, the num of div i knows only the divs before it, so adding one changes none.
//
// Floors have one form (see floor), so that functions of one builder that are equal
// by arithmetic alone have equal rows.
type quasi struct {
	n    int
	divs []div
	num  row
	den  Int
}

func constantQuasi(n int, v Rat) quasi {
	q := quasi{n: n, num: make(row, 1+n), den: v.Den}
	q.num[0] = v.Num
	return q
}

func variableQuasi(n, i int) quasi {
	q := constantQuasi(n, Rat{Den: Int{v: 1}})
	q.num[1+i] = Int{v: 1}
	return q
}

func (q *quasi) width() int { return 1 + q.n + len(q.divs) }

// wide pads a row to the present width.
func (q *quasi) wide(r row) row {
	if len(r) == q.width() {
		return r
	}
	return r.grown(q.width() - len(r))
}

// floor is floor(num / den) as a row, adding a div where it is new. What is integral
// goes out of the floor, so that coefficients are more than -den/2 and at most den/2;
// common factors go; the first coefficient other than den/2 is positive, as floor(-x/d)
// = -floor((x + d - 1)/d); and a floor of a floor becomes one: floor((floor(a/b) + c) /
// d) = floor((a + b c) / (b d)).
func (q *quasi) floor(num row, den Int) row {
	out := make(row, q.width())
	num = num.grown(q.width() - len(num))
	two := Int{v: 2}
	for i, x := range num {
		if i > 0 {
			x = x.Mul(two).Add(den).Sub(Int{v: 1})
			out[i] = x.FloorDiv(den.Mul(two)) // rounded, a half down
		} else {
			out[i] = x.FloorDiv(den)
		}
		num[i] = num[i].Sub(out[i].Mul(den))
	}
	if num.isZero(1) {
		return out // the constant is less than den
	}
	num, den = reduceDiv(num, den)
	for _, x := range num[1:] {
		if x.isZero() || x.Mul(two).equal(den) {
			continue
		}
		if x.Sign() < 0 {
			num = num.negated()
			num[0] = num[0].Add(den).Sub(Int{v: 1})
			up := q.floor(num, den)
			out = q.wide(out)
			out.combine(Int{v: 1}, Int{v: -1}, q.wide(up))
			return out
		}
		break
	}
	if l := num.last(); l > q.n && num[l].isOne() && row(num[1:l]).isZero(0) {
		d := q.divs[l-1-q.n]
		inner := d.num.clone()
		inner[0] = inner[0].Add(num[0].Mul(d.den))
		in := q.floor(inner, d.den.Mul(den))
		in.combine(Int{v: 1}, Int{v: 1}, q.wide(out))
		return in
	}
	k := slices.IndexFunc(q.divs, func(d div) bool {
		return d.den.equal(den) && d.num.equal(num[:len(d.num)]) && num.isZero(len(d.num))
	})
	if k < 0 {
		q.divs = append(q.divs[:len(q.divs):len(q.divs)], div{num, den})
		k = len(q.divs) - 1
	}
	out = q.wide(out)
	c := 1 + q.n + k
	out[c] = out[c].Add(Int{v: 1})
	return out
}

// A substitution writes rows over variables and known divs as rows of a builder,
// times den: variable i has the value vals[i] / den, div i the value divs[i].
type substitution struct {
	to   *quasi
	vals []row
	den  Int
	divs []row
}

// substitute gives variables the values of functions of n variables.
func substitute(n int, values []quasi) *substitution {
	s := &substitution{to: &quasi{n: n, den: Int{v: 1}}, den: Int{v: 1}}
	for _, v := range values {
		s.den = s.den.LCM(v.den)
	}
	for _, v := range values {
		r := s.to.adopt(v.num, v.divs)
		r = r.clone()
		r.scale(s.den.quo(v.den))
		s.vals = append(s.vals, r)
	}
	return s
}

// rename makes variable i of a row variable to[i] of n.
func rename(n int, to []int) *substitution {
	s := &substitution{to: &quasi{n: n, den: Int{v: 1}}, den: Int{v: 1}}
	for _, k := range to {
		r := make(row, 1+n)
		r[1+k] = Int{v: 1}
		s.vals = append(s.vals, r)
	}
	return s
}

func (r row) scale(x Int) {
	if x.isOne() {
		return
	}
	for i := range r {
		if !r[i].isZero() {
			r[i] = r[i].Mul(x)
		}
	}
}

// row writes one, times den; ds are the divs that it may use, known.
func (s *substitution) row(r row, ds []div) row {
	m := len(s.vals)
	out := make(row, s.to.width())
	out[0] = r[0].Mul(s.den)
	add := func(x Int, v row) {
		if !x.isZero() {
			out = s.to.wide(out)
			out.combine(Int{v: 1}, x, s.to.wide(v))
		}
	}
	for i := range m {
		add(r[1+i], s.vals[i])
	}
	for i := 1 + m; i < len(r); i++ {
		if !r[i].isZero() {
			add(r[i].Mul(s.den), s.div(i-1-m, ds))
		}
	}
	return s.to.wide(out)
}

// div is the row of div i.
func (s *substitution) div(i int, ds []div) row {
	for len(s.divs) <= i {
		s.divs = append(s.divs, nil)
	}
	if s.divs[i] == nil {
		num := ds[i].num
		num = num[:min(len(num), 1+len(s.vals)+i)]
		s.divs[i] = s.to.floor(s.row(num, ds), ds[i].den.Mul(s.den))
	}
	return s.divs[i]
}

// quasi substitutes in a function.
func (s *substitution) quasi(q quasi) quasi {
	s.divs = nil
	num := s.row(q.num, q.divs)
	out := *s.to
	out.num, out.den = num, q.den.Mul(s.den)
	return out.normal()
}

// conj substitutes in a conjunction whose divs are known. Where integral is set, the
// values must be integers, too.
func (s *substitution) conj(c *conj, integral bool) *conj {
	if c.empty {
		return void(s.to.n)
	}
	s.divs = nil
	var eq, ge []row
	for _, r := range c.eq {
		eq = append(eq, s.row(r, c.divs))
	}
	for _, r := range c.ge {
		ge = append(ge, s.row(r, c.divs))
	}
	if integral && !s.den.isOne() {
		for _, v := range s.vals { // v = den floor(v / den)
			f := s.to.floor(v, s.den)
			f = f.clone()
			f.scale(s.den.Neg())
			f.combine(Int{v: 1}, Int{v: 1}, s.to.wide(v))
			eq = append(eq, f)
		}
	}
	out := universe(s.to.n)
	cols := s.to.into(out)
	for _, r := range eq {
		out.eq = append(out.eq, out.placed(r, s.to.n, cols))
	}
	for _, r := range ge {
		out.ge = append(out.ge, out.placed(r, s.to.n, cols))
	}
	return out.simplify()
}

// adopt writes a row over n variables and other divs as one of q.
func (q *quasi) adopt(r row, ds []div) row {
	return (&substitution{to: q, vals: q.variables(), den: Int{v: 1}}).row(r, ds)
}

func (q *quasi) variables() []row {
	out := make([]row, q.n)
	for i := range out {
		out[i] = make(row, 1+q.n)
		out[i][1+i] = Int{v: 1}
	}
	return out
}

// normal drops divs that are not used and common factors.
func (q quasi) normal() quasi {
	out := quasi{n: q.n}
	out.num = out.adopt(q.num, q.divs)
	out.den = q.den
	if g := out.num.content(0).GCD(out.den); !g.isOne() {
		out.num = out.num.clone()
		out.num.divide(g)
		out.den = out.den.quo(g)
	}
	return out
}

// into adds the divs to a conjunction whose first variables are those of q, and
// returns their columns.
func (q *quasi) into(c *conj) []int {
	var cols []int
	for _, d := range q.divs {
		num := c.placed(d.num, q.n, cols)
		cols = append(cols, c.addDiv(num, d.den))
	}
	return cols
}

// placed writes a row over n variables and divs, which have these columns, as one of c.
func (c *conj) placed(r row, n int, cols []int) row {
	out := c.row()
	copy(out, r[:1+n])
	for i, x := range r[1+n:] {
		if !x.isZero() {
			out[cols[i]] = out[cols[i]].Add(x)
		}
	}
	return out
}

// put adds the divs of a function to a conjunction and returns its numerator there.
func (c *conj) put(q quasi) row { return c.placed(q.num, q.n, q.into(c)) }

// linearSum is x a + y b for integers x and y.
func linearSum(x Int, a quasi, y Int, b quasi) quasi {
	den := a.den.LCM(b.den)
	out := quasi{n: a.n, den: den}
	r := out.adopt(a.num, a.divs)
	s := out.adopt(b.num, b.divs)
	out.num = out.wide(r).clone()
	out.num.combine(x.Mul(den.quo(a.den)), y.Mul(den.quo(b.den)), s)
	return out.normal()
}

func (q quasi) plus(p quasi) quasi { return linearSum(Int{v: 1}, q, Int{v: 1}, p) }

func (q quasi) minus(p quasi) quasi { return linearSum(Int{v: 1}, q, Int{v: -1}, p) }

func (q quasi) times(k Rat) quasi {
	q.num = q.num.clone()
	q.num.scale(k.Num)
	q.den = q.den.Mul(k.Den)
	return q.normal()
}

// rounded is floor(q).
func (q quasi) rounded() quasi {
	if q.den.isOne() {
		return q
	}
	out := q
	out.num, out.den = out.floor(q.num, q.den), Int{v: 1}
	return out.normal()
}

// modulo is q - m floor(q / m).
func (q quasi) modulo(m Int) quasi {
	f := q.times(Rat{Int{v: 1}, m}).rounded()
	return linearSum(Int{v: 1}, q, m.Neg(), f)
}

func (q quasi) isConst() bool { return q.num.isZero(1) }

// same reports functions that arithmetic alone shows to be equal.
func (q quasi) same(p quasi) bool {
	if !q.den.equal(p.den) || !row(q.num[:1+q.n]).equal(p.num[:1+q.n]) || len(q.divs) != len(p.divs) {
		return false // floors have one form, so nothing cancels
	}
	d := q.minus(p)
	return d.num.isZero(0)
}

// eval is the value at a point.
func (q quasi) eval(x []Int) Rat {
	at := slices.Clone(x[:q.n])
	for _, d := range q.divs {
		at = append(at, d.num[0].Add(dot(d.num[1:], at[:len(d.num)-1])).FloorDiv(d.den))
	}
	return rat(q.num[0].Add(dot(q.num[1:], at)), q.den)
}
