package presburger

import "slices"

// A div is an integer variable that exists. With den > 0 it is floor(num / den),
// where num refers to variables and earlier divs only; with den 0 any value will do.
type div struct {
	num row
	den Int
}

func (d div) known() bool { return !d.den.isZero() }

// A conj is a conjunction of affine constraints over n variables and the divs
// after them: eq = 0 and ge >= 0. The bounds that define a div are among ge. It
// is not changed once it is part of a Set or Map.
type conj struct {
	n      int
	divs   []div
	eq, ge []row
	empty  bool // known to have no points
}

func universe(n int) *conj { return &conj{n: n} }

func void(n int) *conj { return &conj{n: n, empty: true} }

// width is the length of a row.
func (c *conj) width() int { return 1 + c.n + len(c.divs) }

// divCol is the index of div i in a row.
func (c *conj) divCol(i int) int { return 1 + c.n + i }

func (c *conj) row() row { return make(row, c.width()) }

func (c *conj) clone() *conj {
	return c.laidOut(c.n, len(c.divs), func(to, from row) { copy(to, from) })
}

// laidOut is a copy with n variables and k divs, whose rows f fills from those of c, in
// one block. Divs after those of c have no definition.
func (c *conj) laidOut(n, k int, f func(to, from row)) *conj {
	out := &conj{n: n, empty: c.empty}
	w := 1 + n + k
	block := make(row, (len(c.eq)+len(c.ge)+k)*w)
	take := func() row {
		r := block[:w:w]
		block = block[w:]
		return r
	}
	lists := make([]row, 0, len(c.eq)+1+len(c.ge)+2)
	for _, r := range c.eq {
		to := take()
		f(to, r)
		lists = append(lists, to)
	}
	e := len(lists)
	out.eq = lists[: e : e+1]
	lists = lists[:e+1]
	for _, r := range c.ge {
		to := take()
		f(to, r)
		lists = append(lists, to)
	}
	out.ge = lists[e+1:]
	if k > 0 {
		out.divs = make([]div, k)
	}
	for i := range out.divs {
		out.divs[i].num = take()
		if i < len(c.divs) {
			f(out.divs[i].num, c.divs[i].num)
			out.divs[i].den = c.divs[i].den
		}
	}
	return out
}

// cloneRows copies rows of one length into one block.
func cloneRows(rs []row) []row {
	if len(rs) == 0 {
		return nil
	}
	w := len(rs[0])
	block, out := make(row, len(rs)*w), make([]row, len(rs), len(rs)+4)
	for i, r := range rs {
		copy(block[i*w:], r)
		out[i] = block[i*w : (i+1)*w : (i+1)*w]
	}
	return out
}

func (c *conj) clear() *conj {
	c.empty, c.eq, c.ge, c.divs = true, nil, nil, nil
	return c
}

// everyRow calls f with each row, definitions of divs included.
func (c *conj) everyRow(f func(r row) row) {
	for i, r := range c.eq {
		c.eq[i] = f(r)
	}
	for i, r := range c.ge {
		c.ge[i] = f(r)
	}
	for i, d := range c.divs {
		c.divs[i].num = f(d.num)
	}
}

// addDivs adds k divs without a definition at the end.
func (c *conj) addDivs(k int) {
	if k > 0 {
		*c = *c.laidOut(c.n, len(c.divs)+k, func(to, from row) { copy(to, from) })
	}
}

// addDiv returns the column of floor(num / den), den > 0, adding it if it is new.
// num may be shorter than a row.
func (c *conj) addDiv(num row, den Int) int {
	num = num.grown(c.width() - len(num))
	num, den = reduceDiv(num, den)
	for i, d := range c.divs {
		if d.known() && d.den.equal(den) && d.num.equal(num) {
			return c.divCol(i)
		}
	}
	c.addDivs(1)
	i := len(c.divs) - 1
	c.divs[i] = div{num.grown(1), den}
	c.boundDiv(i)
	return c.divCol(i)
}

// reduceDiv divides both sides of floor(num / den) by what they have in common.
func reduceDiv(num row, den Int) (row, Int) {
	if g := num.content(1).GCD(den); !g.isOne() {
		num = num.clone()
		num[0] = num[0].FloorDiv(g)
		for i := 1; i < len(num); i++ {
			num[i] = num[i].quo(g)
		}
		den = den.quo(g)
	}
	return num, den
}

// boundDiv adds 0 <= num - den e <= den - 1.
func (c *conj) boundDiv(i int) {
	d := c.divs[i]
	low := d.num.clone()
	low[c.divCol(i)] = d.den.Neg()
	high := low.negated()
	high[0] = high[0].Add(d.den).Sub(Int{v: 1})
	c.ge = append(c.ge, low, high)
}

// isBound reports one of the two rows that boundDiv adds.
func (c *conj) isBound(r row, i int) bool {
	d, col := c.divs[i], c.divCol(i)
	if !d.known() || !r[col].Abs().equal(d.den) {
		return false
	}
	low := r[col].Sign() < 0
	for k := range r {
		if k == col {
			continue
		}
		want := d.num[k]
		if !low {
			want = want.Neg()
			if k == 0 {
				want = want.Add(d.den).Sub(Int{v: 1})
			}
		}
		if !r[k].equal(want) {
			return false
		}
	}
	return true
}

// insert makes room for k variables before variable at (0 is the first).
func (c *conj) insert(at, k int) {
	if k == 0 {
		return
	}
	*c = *c.laidOut(c.n+k, len(c.divs), func(to, from row) {
		copy(to, from[:1+at])
		copy(to[1+at+k:], from[1+at:])
	})
}

// permute renames variables: new variable i is old variable from[i].
func (c *conj) permute(from []int) *conj {
	return c.laidOut(len(from), len(c.divs), func(to, r row) {
		to[0] = r[0]
		for i, f := range from {
			to[1+i] = r[1+f]
		}
		copy(to[1+len(from):], r[1+c.n:])
	})
}

// dropCol removes a column that no row uses any more; it is a div's or a
// variable's.
func (c *conj) dropCol(col int) {
	cut := func(r row) row {
		copy(r[col:], r[col+1:])
		return r[:len(r)-1]
	}
	if col > c.n {
		i := col - 1 - c.n
		c.divs = append(c.divs[:i], c.divs[i+1:]...)
	} else {
		c.n--
	}
	c.everyRow(cut)
}

// forget makes div i and all that are defined by it unknown.
func (c *conj) forget(i int) {
	c.divs[i].den = Int{}
	clear(c.divs[i].num)
	for j := i + 1; j < len(c.divs); j++ {
		if c.divs[j].known() && !c.divs[j].num[c.divCol(i)].isZero() {
			c.forget(j)
		}
	}
}

// exist turns variables [at, at+k) into unknown divs, the last ones.
func (c *conj) exist(at, k int) *conj {
	if k == 0 {
		return c
	}
	n := c.n - k
	out := c.laidOut(n, k+len(c.divs), func(to, r row) { // constant, kept variables, gone ones, divs
		copy(to, r[:1+at])
		copy(to[1+at:], r[1+at+k:1+c.n])
		copy(to[1+n:], r[1+at:1+at+k])
		copy(to[1+c.n:], r[1+c.n:])
	})
	copy(out.divs[k:], out.divs[:len(c.divs)]) // new ones come first
	w := out.width()
	block := make(row, k*w)
	for i := range k {
		out.divs[i] = div{num: block[i*w : (i+1)*w : (i+1)*w]}
	}
	for i := range k { // definitions by what is not known are none
		for j := k; j < len(out.divs); j++ {
			if out.divs[j].known() && !out.divs[j].num[out.divCol(i)].isZero() {
				out.forget(j)
			}
		}
	}
	return out
}

// meet is the conjunction of two over the same variables.
func meet(a, b *conj) *conj {
	if a.empty || b.empty {
		return void(a.n)
	}
	out := a.clone()
	out.add(b)
	return out.simplify()
}

// add puts the constraints of b in; equal divs are made one. The result is not
// simplified.
func (c *conj) add(b *conj) {
	if b.empty {
		c.clear()
		return
	}
	cols := c.merged(b)
	into := func(to, r row) {
		copy(to, r[:1+c.n])
		for i, col := range cols {
			if x := r[1+c.n+i]; !x.isZero() {
				to[col] = to[col].Add(x)
			}
		}
	}
	w := c.width()
	block := make(row, (len(b.eq)+len(b.ge))*w)
	put := func(list, rows []row) []row {
		list = slices.Grow(list, len(rows))
		for _, r := range rows {
			into(block[:w], r)
			list = append(list, block[:w:w])
			block = block[w:]
		}
		return list
	}
	c.eq, c.ge = put(c.eq, b.eq), put(c.ge, b.ge)
}

// merged adds the divs of b that c has not, all at once, and returns the columns of all of them.
func (c *conj) merged(b *conj) []int {
	if len(b.divs) == 0 {
		return nil
	}
	cols := make([]int, len(b.divs))
	old, w := c.width(), c.width()+len(b.divs)
	block := make(row, w*len(b.divs))
	var added []div
	for i, d := range b.divs {
		num := block[i*w : (i+1)*w]
		if d.known() {
			copy(num, d.num[:1+c.n])
			for k, col := range cols[:i] {
				if x := d.num[1+c.n+k]; !x.isZero() {
					num[col] = num[col].Add(x)
				}
			}
			if num.isZero(old) {
				cols[i] = c.findDiv(num, d.den)
			}
			if k := slices.IndexFunc(added, func(o div) bool { return o.den.equal(d.den) && o.num.equal(num) }); k >= 0 {
				cols[i] = old + k
			}
		}
		if cols[i] == 0 {
			cols[i] = old + len(added)
			added = append(added, div{num, d.den})
		}
	}
	c.addDivs(len(added))
	for k, d := range added {
		to := &c.divs[len(c.divs)-len(added)+k]
		copy(to.num, d.num)
		to.den = d.den
	}
	return cols
}

// findDiv is the column of a known div, or 0.
func (c *conj) findDiv(num row, den Int) int {
	for i, d := range c.divs {
		if d.known() && d.den.equal(den) && d.num.equal(num) {
			return c.divCol(i)
		}
	}
	return 0
}
