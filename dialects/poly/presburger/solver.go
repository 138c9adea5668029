package presburger

// explicit solves for one value after another: an equation gives it, or two bounds
// that have room for one integer, k x <= f <= k x + c with c < k: x = floor(f / k); or
// with c < k m, where the equations say that x has a residue modulo m.
// What the values say of the arguments is the domain. ok is false if that does not
// give all.
func (c *conj) explicit(np int, w *work) (out []funPiece, ok bool) {
	c, free := c.unknownsAt(np)
	m := np + free
	s := &solver{c: c, np: m, vals: make([]*quasi, c.n)}
	for i := range np {
		v := variableQuasi(m, i)
		s.vals[i] = &v
	}
	for progress := true; progress; {
		w.step(c.width() * len(c.ge))
		progress = false
		for i := m; i < c.n; i++ {
			if s.vals[i] == nil {
				s.vals[i] = s.value(i)
				progress = progress || s.vals[i] != nil
			}
		}
	}
	for i := range free { // what exists is left to the domain
		v := variableQuasi(m, np+i)
		s.vals[np+i] = &v
	}
	var all []quasi
	for _, v := range s.vals {
		if v == nil {
			return nil, false
		}
		all = append(all, *v)
	}
	var arguments []quasi
	for i := range m {
		if i < np {
			arguments = append(arguments, variableQuasi(np, i))
		} else {
			arguments = append(arguments, constantQuasi(np, Rat{Den: Int{v: 1}})) // not used
		}
	}
	var p funPiece
	for _, v := range all[m:] {
		p.vals = append(p.vals, substitute(np, arguments).quasi(v))
	}
	when := substitute(m, all).conj(c, false)
	if !when.empty {
		when = when.exist(np, free).simplify()
	}
	p.when = alive([]*conj{when}, w)
	return []funPiece{p}, true
}

// unknownsAt makes unknown divs variables, before variable at, and counts them.
func (c *conj) unknownsAt(at int) (*conj, int) {
	var from []int // columns
	for i := range at {
		from = append(from, 1+i)
	}
	var divs []div
	for i, d := range c.divs {
		if !d.known() {
			from = append(from, c.divCol(i))
		} else {
			divs = append(divs, d)
		}
	}
	free := len(from) - at
	if free == 0 {
		return c, 0
	}
	for i := at; i < c.n; i++ {
		from = append(from, 1+i)
	}
	for i, d := range c.divs {
		if d.known() {
			from = append(from, c.divCol(i))
		}
	}
	moved := func(r row) row {
		out := make(row, 1+len(from))
		out[0] = r[0]
		for i, k := range from {
			out[1+i] = r[k]
		}
		return out
	}
	out := &conj{n: c.n + free}
	for _, d := range divs {
		out.divs = append(out.divs, div{moved(d.num), d.den})
	}
	for _, r := range c.eq {
		out.eq = append(out.eq, moved(r))
	}
	for _, r := range c.ge {
		out.ge = append(out.ge, moved(r))
	}
	return out, free
}

// solver keeps the values of variables that are known.
type solver struct {
	c    *conj
	np   int
	vals []*quasi
}

// known reports that a row uses only variables with values, but for column except.
func (s *solver) known(r row, except int) bool {
	for k := 1; k < len(r); k++ {
		if k == except || r[k].isZero() {
			continue
		}
		if i := k - 1 - s.c.n; i >= 0 {
			if !s.known(s.c.divs[i].num, 0) {
				return false
			}
		} else if s.vals[k-1] == nil {
			return false
		}
	}
	return true
}

// value is that of variable i, or nil.
func (s *solver) value(i int) *quasi {
	col := 1 + i
	for _, r := range s.c.eq {
		if !r[col].isZero() && s.known(r, col) {
			return s.rest(r, col)
		}
	}
	class := residue{stride: Int{v: 1}}
	for a, low := range s.c.ge {
		if low[col].Sign() >= 0 || !s.known(low, col) {
			continue
		}
		for b, high := range s.c.ge { // f - k x >= 0 and k x + c - f >= 0
			if a == b || parallel(low, high) >= 0 {
				continue
			}
			room := low[0].Add(high[0])
			if room.Cmp(low[col].Neg()) < 0 {
				return s.rest(low, col)
			}
			if class.num == nil {
				class = s.class(i)
			}
			if room.Cmp(low[col].Neg().Mul(class.stride)) < 0 {
				return s.inClass(low, col, class)
			}
		}
	}
	return nil
}

// class is the residue class of variable i by the equations, as a function of variables
// with values.
func (s *solver) class(i int) residue {
	x := s.c.residue(i)
	if x.num == nil || x.stride.isZero() || !(&solver{&conj{n: s.c.n, divs: x.divs}, s.np, s.vals}).known(x.num, 0) {
		return residue{stride: Int{v: 1}, num: row{{}}}
	}
	return x
}

// inClass is the greatest x of a residue class with f - k x >= 0, the row: x = r + m q with
// the greatest q such that f - k r - k m q >= 0.
func (s *solver) inClass(low row, col int, class residue) *quasi {
	k := low[col].Neg()
	f := low.clone()
	f[col] = Int{}
	t := s.substitution()
	at := quasi{n: s.np, den: t.den.Mul(class.den)}
	at.num = t.row(class.num, class.divs)
	at.divs = t.to.divs
	at = at.normal().rounded()
	t = s.substitution()
	most := quasi{n: s.np, den: t.den}
	most.num = t.row(f, s.c.divs)
	most.divs = t.to.divs
	q := linearSum(Int{v: 1}, most.normal(), k.Neg(), at).times(Rat{Int{v: 1}, k.Mul(class.stride)}).rounded()
	x := linearSum(Int{v: 1}, at, class.stride, q)
	return &x
}

// rest is floor(f / k) where a row is f - k x, or k x - f.
func (s *solver) rest(r row, col int) *quasi {
	f, k := r.clone(), r[col]
	f[col] = Int{}
	if k.Sign() > 0 {
		f.negate()
	}
	t := s.substitution()
	out := quasi{n: s.np, den: k.Abs().Mul(t.den)}
	out.num = t.row(f, s.c.divs)
	out.divs = t.to.divs
	out = out.normal().rounded()
	return &out
}

// substitution puts the values in that there are; others are not used.
func (s *solver) substitution() *substitution {
	var vals []quasi
	for _, v := range s.vals {
		if v == nil {
			vals = append(vals, constantQuasi(s.np, Rat{Den: Int{v: 1}}))
		} else {
			vals = append(vals, *v)
		}
	}
	return substitute(s.np, vals)
}
