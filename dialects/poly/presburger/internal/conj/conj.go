package conj

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// A Div is an integer variable that exists. With den > 0 it is floor(num / den),
// where num refers to variables and earlier divs only; with den 0 any value will do.
type Div struct {
	Num lp.Row
	Den lp.Int
}

// Known reports a floor.
func (d Div) Known() bool { return !d.Den.IsZero() }

// A Conj is a conjunction of affine constraints over n variables and the divs
// after them: eq = 0 and ge >= 0. The bounds that define a div are among ge. It
// is not changed once it is part of a Set or Map.
type Conj struct {
	N      int
	Divs   []Div
	Eq, Ge []lp.Row
	Empty  bool // known to have no points
}

// Universe holds for all values of n variables.
func Universe(n int) *Conj { return &Conj{N: n} }

// Void holds for none.
func Void(n int) *Conj { return &Conj{N: n, Empty: true} }

// Width is the length of a row.
func (c *Conj) Width() int { return 1 + c.N + len(c.Divs) }

// DivCol is the index of div i in a row.
func (c *Conj) DivCol(i int) int { return 1 + c.N + i }

// Row is a row of zeros.
func (c *Conj) Row() lp.Row { return make(lp.Row, c.Width()) }

// Clone shares no row with c.
func (c *Conj) Clone() *Conj {
	return c.laidOut(c.N, len(c.Divs), func(to, from lp.Row) { copy(to, from) })
}

// laidOut is a copy with n variables and k divs, whose rows f fills from those of c, in
// one block. Divs after those of c have no definition.
func (c *Conj) laidOut(n, k int, f func(to, from lp.Row)) *Conj {
	out := &Conj{N: n, Empty: c.Empty}
	w := 1 + n + k
	block := make(lp.Row, (len(c.Eq)+len(c.Ge)+k)*w)
	take := func() lp.Row {
		r := block[:w:w]
		block = block[w:]
		return r
	}
	lists := make([]lp.Row, 0, len(c.Eq)+1+len(c.Ge)+2)
	for _, r := range c.Eq {
		to := take()
		f(to, r)
		lists = append(lists, to)
	}
	e := len(lists)
	out.Eq = lists[: e : e+1]
	lists = lists[:e+1]
	for _, r := range c.Ge {
		to := take()
		f(to, r)
		lists = append(lists, to)
	}
	out.Ge = lists[e+1:]
	if k > 0 {
		out.Divs = make([]Div, k)
	}
	for i := range out.Divs {
		out.Divs[i].Num = take()
		if i < len(c.Divs) {
			f(out.Divs[i].Num, c.Divs[i].Num)
			out.Divs[i].Den = c.Divs[i].Den
		}
	}
	return out
}

func (c *Conj) clear() *Conj {
	c.Empty, c.Eq, c.Ge, c.Divs = true, nil, nil, nil
	return c
}

// everyRow calls f with each row, definitions of divs included.
func (c *Conj) everyRow(f func(r lp.Row) lp.Row) {
	for i, r := range c.Eq {
		c.Eq[i] = f(r)
	}
	for i, r := range c.Ge {
		c.Ge[i] = f(r)
	}
	for i, d := range c.Divs {
		c.Divs[i].Num = f(d.Num)
	}
}

// AddDivs adds k divs without a definition at the end.
func (c *Conj) AddDivs(k int) {
	if k > 0 {
		*c = *c.laidOut(c.N, len(c.Divs)+k, func(to, from lp.Row) { copy(to, from) })
	}
}

// AddDiv returns the column of floor(num / den), den > 0, adding it if it is new.
// num may be shorter than a row.
func (c *Conj) AddDiv(num lp.Row, den lp.Int) int {
	num = num.Grown(c.Width() - len(num))
	num, den = ReduceDiv(num, den)
	for i, d := range c.Divs {
		if d.Known() && d.Den.Equal(den) && d.Num.Equal(num) {
			return c.DivCol(i)
		}
	}
	c.AddDivs(1)
	i := len(c.Divs) - 1
	c.Divs[i] = Div{num.Grown(1), den}
	c.BoundDiv(i)
	return c.DivCol(i)
}

// ReduceDiv divides both sides of floor(num / den) by what they have in common.
func ReduceDiv(num lp.Row, den lp.Int) (lp.Row, lp.Int) {
	if g := num.Content(1).GCD(den); !g.IsOne() {
		num = num.Clone()
		num[0] = num[0].FloorDiv(g)
		for i := 1; i < len(num); i++ {
			num[i] = num[i].Quo(g)
		}
		den = den.Quo(g)
	}
	return num, den
}

// BoundDiv adds 0 <= num - den e <= den - 1.
func (c *Conj) BoundDiv(i int) {
	d := c.Divs[i]
	low := d.Num.Clone()
	low[c.DivCol(i)] = d.Den.Neg()
	high := low.Negated()
	high[0] = high[0].Add(d.Den).Sub(lp.NewInt(1))
	c.Ge = append(c.Ge, low, high)
}

// Insert makes room for k variables before variable at (0 is the first).
func (c *Conj) Insert(at, k int) {
	if k == 0 {
		return
	}
	*c = *c.laidOut(c.N+k, len(c.Divs), func(to, from lp.Row) {
		copy(to, from[:1+at])
		copy(to[1+at+k:], from[1+at:])
	})
}

// Permute renames variables: new variable i is old variable from[i].
func (c *Conj) Permute(from []int) *Conj {
	return c.laidOut(len(from), len(c.Divs), func(to, r lp.Row) {
		to[0] = r[0]
		for i, f := range from {
			to[1+i] = r[1+f]
		}
		copy(to[1+len(from):], r[1+c.N:])
	})
}

// dropCol removes a column that no row uses any more; it is a div's or a
// variable's.
func (c *Conj) dropCol(col int) {
	cut := func(r lp.Row) lp.Row {
		copy(r[col:], r[col+1:])
		return r[:len(r)-1]
	}
	if col > c.N {
		i := col - 1 - c.N
		c.Divs = append(c.Divs[:i], c.Divs[i+1:]...)
	} else {
		c.N--
	}
	c.everyRow(cut)
}

// Exist turns variables [at, at+k) into unknown divs, the last ones.
func (c *Conj) Exist(at, k int) *Conj {
	if k == 0 {
		return c
	}
	n := c.N - k
	out := c.laidOut(n, k+len(c.Divs), func(to, r lp.Row) { // constant, kept variables, gone ones, divs
		copy(to, r[:1+at])
		copy(to[1+at:], r[1+at+k:1+c.N])
		copy(to[1+n:], r[1+at:1+at+k])
		copy(to[1+c.N:], r[1+c.N:])
	})
	copy(out.Divs[k:], out.Divs[:len(c.Divs)]) // new ones come first
	w := out.Width()
	block := make(lp.Row, k*w)
	for i := range k {
		out.Divs[i] = Div{Num: block[i*w : (i+1)*w : (i+1)*w]}
	}
	for i := range k { // definitions by what is not known are none
		for j := k; j < len(out.Divs); j++ {
			if out.Divs[j].Known() && !out.Divs[j].Num[out.DivCol(i)].IsZero() {
				out.Floors().forget(j)
			}
		}
	}
	return out
}

// Meet is the conjunction of two over the same variables.
func Meet(a, b *Conj) *Conj {
	if a.Empty || b.Empty {
		return Void(a.N)
	}
	out := a.Clone()
	out.Add(b)
	return out.Simplify()
}

// Add puts the constraints of b in; equal divs are made one. The result is not
// simplified.
func (c *Conj) Add(b *Conj) {
	if b.Empty {
		c.clear()
		return
	}
	cols := c.merged(b)
	into := func(to, r lp.Row) {
		copy(to, r[:1+c.N])
		for i, col := range cols {
			if x := r[1+c.N+i]; !x.IsZero() {
				to[col] = to[col].Add(x)
			}
		}
	}
	w := c.Width()
	block := make(lp.Row, (len(b.Eq)+len(b.Ge))*w)
	put := func(list, rows []lp.Row) []lp.Row {
		list = slices.Grow(list, len(rows))
		for _, r := range rows {
			into(block[:w], r)
			list = append(list, block[:w:w])
			block = block[w:]
		}
		return list
	}
	c.Eq, c.Ge = put(c.Eq, b.Eq), put(c.Ge, b.Ge)
}

// merged adds the divs of b that c has not, all at once, and returns the columns of all of them.
func (c *Conj) merged(b *Conj) []int {
	if len(b.Divs) == 0 {
		return nil
	}
	cols := make([]int, len(b.Divs))
	old, w := c.Width(), c.Width()+len(b.Divs)
	block := make(lp.Row, w*len(b.Divs))
	var added []Div
	for i, d := range b.Divs {
		num := block[i*w : (i+1)*w]
		if d.Known() {
			copy(num, d.Num[:1+c.N])
			for k, col := range cols[:i] {
				if x := d.Num[1+c.N+k]; !x.IsZero() {
					num[col] = num[col].Add(x)
				}
			}
			if num.IsZero(old) {
				cols[i] = c.Floors().find(num, d.Den)
			}
			if k := slices.IndexFunc(added, func(o Div) bool { return o.Den.Equal(d.Den) && o.Num.Equal(num) }); k >= 0 {
				cols[i] = old + k
			}
		}
		if cols[i] == 0 {
			cols[i] = old + len(added)
			added = append(added, Div{num, d.Den})
		}
	}
	c.AddDivs(len(added))
	for k, d := range added {
		to := &c.Divs[len(c.Divs)-len(added)+k]
		copy(to.Num, d.Num)
		to.Den = d.Den
	}
	return cols
}

// Constrain adds that x - y has a sign.
func (c *Conj) Constrain(x, y lp.Row, sign int) {
	d := x.Grown(c.Width() - len(x))
	d.Combine(lp.NewInt(1), lp.NewInt(-1), y.Grown(c.Width()-len(y)))
	if sign < 0 {
		d.Negate()
	}
	switch sign {
	case 0:
		c.Eq = append(c.Eq, d)
		return
	case 1, -1:
		d[0] = d[0].Sub(lp.NewInt(1))
	}
	c.Ge = append(c.Ge, d)
}

// Same reports equal texts, not equal sets.
func (c *Conj) Same(d *Conj) bool {
	if c == d {
		return true
	}
	if c.N != d.N || len(c.Divs) != len(d.Divs) || len(c.Eq) != len(d.Eq) || len(c.Ge) != len(d.Ge) {
		return false
	}
	for i := range c.Divs {
		if !c.Divs[i].Den.Equal(d.Divs[i].Den) || !c.Divs[i].Num.Equal(d.Divs[i].Num) {
			return false
		}
	}
	return slices.EqualFunc(c.Eq, d.Eq, lp.Row.Equal) && slices.EqualFunc(c.Ge, d.Ge, lp.Row.Equal)
}

// Reparam moves the parameters of a conjunction to their places among others.
func (c *Conj) Reparam(old, all []string) *Conj {
	out := c.Clone()
	n := c.N - len(old)
	out.Insert(0, len(all))
	from := make([]int, 0, len(all)+n)
	for i, p := range all {
		if k := slices.Index(old, p); k >= 0 {
			from = append(from, len(all)+k)
		} else {
			from = append(from, i)
		}
	}
	for i := range n {
		from = append(from, len(all)+len(old)+i)
	}
	return out.Permute(from)
}
