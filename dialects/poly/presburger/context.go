package presburger

// A context is what is known of the parameters of a parametric integer program: a
// conjunction with known divs that has an integer point.
type context struct {
	c      *conj
	t      *tableau
	points [][]Int // integer points of it, divs included
	work   *work
}

// newContext is nil if the conjunction has no integer point.
func newContext(c *conj, w *work) *context {
	x, ok := c.sample(w)
	if !ok {
		return nil
	}
	return &context{c: c, t: c.tableau(w), points: [][]Int{x}, work: w}
}

// with is the context where r >= 0 too, or nil if it has no point then.
func (x *context) with(r row) *context {
	c := x.c.clone()
	c.ge = append(c.ge, r.clone())
	out := &context{c: c, work: x.work}
	for _, p := range x.points {
		if dot(r[1:], p).Add(r[0]).Sign() >= 0 {
			out.points = append(out.points, p)
		}
	}
	out.t = x.t.clone()
	if !out.t.addGe(r) {
		return nil
	}
	if len(out.points) == 0 {
		p, ok := c.sample(x.work)
		if !ok {
			return nil
		}
		out.points = [][]Int{p}
		x.points = append(x.points, p)
	}
	return out
}

// The signs of an affine function of the parameters.
const (
	mixed = iota
	negative
	nonnegative
)

// sign tells whether an affine function is negative everywhere or nowhere.
func (x *context) sign(r row) int {
	pos, neg := false, false
	for _, p := range x.points {
		if dot(r[1:], p).Add(r[0]).Sign() < 0 {
			neg = true
		} else {
			pos = true
		}
	}
	switch {
	case pos && neg:
		return mixed
	case pos && x.t.atLeast(r):
		return nonnegative
	case neg && x.t.atLeast(negation(r)):
		return negative
	}
	if pos && x.with(negation(r)) == nil {
		return nonnegative
	}
	if neg && x.with(r) == nil {
		return negative
	}
	return mixed
}

// div is the column of floor(num / den), which is added if it is new.
func (x *context) div(num row, den Int) int {
	n := len(x.c.divs)
	c := x.c.clone()
	col := c.addDiv(num, den)
	if len(c.divs) == n {
		return col
	}
	x.c = c
	x.t = c.tableau(x.work)
	d := c.divs[n]
	for i, p := range x.points {
		v := dot(d.num[1:], p).Add(d.num[0]).FloorDiv(d.den)
		x.points[i] = append(p[:len(p):len(p)], v)
	}
	return col
}
