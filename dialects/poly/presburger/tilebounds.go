package presburger

import "slices"

// TileBounds says of a set that compares the numbers of tiles, which are floors, by bounds. Where x is in tile q of size n,
//
//	n q <= x < n q + n,
//
// being in tiles q and p says that p is q. Then x >= n floor(g / n) + n says that floor(g / n) is less than
// q, which is g < n q; x < n floor(g / n) + n says that it is not. The points stay the same; conjunctions
// with other floors stay as they are.
func (s Set) TileBounds() Set {
	bs := s.Basics()
	changed := false
	for i, b := range bs {
		if plain, ok := b.tileBounds(); ok {
			bs[i], changed = plain, true
		}
	}
	if !changed {
		return s
	}
	return SetOf(bs...)
}

func (b Basic) tileBounds() (plain Basic, ok bool) {
	n := 1 + len(b.Params) + b.In.Len() + b.Out.Len()
	whole := b
	for e := 0; e < len(b.Divs); {
		if same, ok := b.sameTile(e, n); ok {
			b, e = same, 0
		} else {
			e++
		}
	}
	if len(b.Divs) == 0 && len(whole.Divs) > 0 {
		return b, true
	}
	plain = Basic{Params: b.Params, In: b.In, Out: b.Out}
	if len(b.Divs) == 0 {
		return whole, false
	}
	for _, r := range b.Eq {
		if len(divsOf(r, n)) > 0 {
			return whole, false
		}
		plain.Eq = append(plain.Eq, r[:n])
	}
	for _, r := range b.Ge {
		if len(divsOf(r, n)) == 0 {
			plain.Ge = append(plain.Ge, r[:n])
		}
	}
	bounds := plain.Ge
	for _, r := range b.Ge {
		if len(divsOf(r, n)) == 0 || b.isDefinition(r, n) {
			continue
		}
		bound := b.tileBound(r, n, bounds)
		if bound == nil {
			return whole, false
		}
		plain.Ge = append(plain.Ge, bound)
	}
	return plain, true
}

// sameTile leaves out floor e where x is in tile q of size n and in tile q + e or q - e, which are one.
func (b Basic) sameTile(e, n int) (Basic, bool) {
	for _, r := range b.Ge {
		size := r[n+e].Abs()
		if size.Cmp(NewInt(1)) <= 0 {
			continue
		}
		for _, x := range ones(r, n) {
			if !isTile(r, x, size) || !hasEnd(b.Ge, r, size) {
				continue
			}
			for _, other := range b.Ge {
				if other[n+e].Sign() == 0 && other[x].Cmp(NewInt(1)) == 0 && isTile(other, x, size) && hasEnd(b.Ge, other, size) {
					return b.without(e, n, r, other, size), true
				}
			}
		}
	}
	return b, false
}

// ones are the columns of parameters and dimensions that a row has once.
func ones(r []Int, n int) (out []int) {
	for i := 1; i < n; i++ {
		if r[i].Cmp(NewInt(1)) == 0 {
			out = append(out, i)
		}
	}
	return out
}

// isTile reports a row x - size q.
func isTile(r []Int, x int, size Int) bool {
	for i, k := range r {
		if i != x && k.Mod(size).Sign() != 0 {
			return false
		}
	}
	return true
}

// without is the conjunction where the difference of two rows is 0, by which floor e is what it is.
func (b Basic) without(e, n int, r, other []Int, size Int) Basic {
	at := n + e
	sign := NewInt(int64(r[at].Sign()))
	is := make([]Int, len(r)) // e plus this is 0
	for i := range is {
		is[i] = r[i].Sub(other[i]).Mul(sign).FloorDiv(size)
	}
	put := func(r []Int) []Int {
		out := make([]Int, 0, len(r))
		for i, k := range r {
			if i != at {
				out = append(out, k.Sub(r[at].Mul(is[i])))
			}
		}
		return out
	}
	out := Basic{Params: b.Params, In: b.In, Out: b.Out}
	for _, r := range b.Eq {
		out.Eq = append(out.Eq, put(r))
	}
	for _, r := range b.Ge {
		out.Ge = append(out.Ge, put(r))
	}
	for i, d := range b.Divs {
		if i != e {
			num := append([]Int(nil), d.Num...)
			for len(num) < len(r) {
				num = append(num, NewInt(0))
			}
			out.Divs = append(out.Divs, Div{put(num), d.Den})
		}
	}
	return out
}

// divsOf are the floors in a row, which begin at column n.
func divsOf(r []Int, n int) (out []int) {
	for i := n; i < len(r); i++ {
		if r[i].Sign() != 0 {
			out = append(out, i-n)
		}
	}
	return out
}

// isDefinition reports one of the two bounds that say what a floor is.
func (b Basic) isDefinition(r []Int, n int) bool {
	for i, d := range b.Divs {
		if d.Den.Sign() == 0 {
			continue
		}
		for _, sign := range []int64{1, -1} {
			def := make([]Int, len(r))
			for j := range def {
				if j < len(d.Num) {
					def[j] = d.Num[j].Mul(NewInt(sign))
				}
			}
			def[n+i] = def[n+i].Sub(d.Den.Mul(NewInt(sign)))
			if sign < 0 {
				def[0] = def[0].Add(d.Den).Sub(NewInt(1))
			}
			if slices.EqualFunc(def, r, func(x, y Int) bool { return x.Cmp(y) == 0 }) {
				return true
			}
		}
	}
	return false
}

// tileBound is what a row with a floor says without it, by the bounds of a tile; nil if it says something else.
func (b Basic) tileBound(r []Int, n int, bounds [][]Int) []Int {
	divs := divsOf(r, n)
	div := b.Divs[divs[0]]
	size, at := div.Den, n+divs[0]
	if len(divs) > 1 || size.Sign() == 0 || len(divsOf(div.Num, n)) > 0 {
		return nil
	}
	// x - n floor - n, or that the other way round less 1.
	sign := NewInt(int64(-r[at].Sign()))
	rest := size.Neg()
	if sign.Sign() < 0 {
		rest = size.Sub(NewInt(1))
	}
	if r[at].Mul(sign).Cmp(size.Neg()) != 0 || r[0].Cmp(rest) != 0 {
		return nil
	}
	x := -1
	for i := 1; i < n; i++ {
		switch {
		case r[i].Sign() == 0:
		case x >= 0 || r[i].Cmp(sign) != 0:
			return nil
		default:
			x = i
		}
	}
	if x < 0 {
		return nil
	}
	for _, low := range bounds {
		if low[x].Cmp(NewInt(1)) != 0 || !isTile(low, x, size) || !hasEnd(bounds, low, size) {
			continue
		}
		out := make([]Int, n) // g - n q
		for i := range out {
			if out[i] = div.Num[i]; i != x {
				out[i] = out[i].Add(low[i])
			}
			if sign.Sign() > 0 {
				out[i] = out[i].Neg()
			}
		}
		if sign.Sign() > 0 {
			out[0] = out[0].Sub(NewInt(1))
		}
		return out
	}
	return nil
}

// hasEnd reports, of a row that says that a value is at least 0, one that says that it is less than n.
func hasEnd(rows [][]Int, low []Int, n Int) bool {
	return slices.ContainsFunc(rows, func(r []Int) bool {
		for i := 1; i < len(r); i++ {
			if r[i].Cmp(low[i].Neg()) != 0 {
				return false
			}
		}
		return r[0].Add(low[0]).Cmp(n.Sub(NewInt(1))) == 0
	})
}
