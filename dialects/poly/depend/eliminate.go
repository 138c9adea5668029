package depend

import "math"

// An eliminator decides inequalities by eliminating one variable after another
// (Fourier and Motzkin), which is exact on integers where the lower or the upper
// bounds have the coefficient one, and otherwise bounds the answer from both sides by
// the real and the dark shadow (Pugh, "The Omega test", 1991).
type eliminator struct {
	width      int
	rows, out  []int64
	keys, next []int64 // of the rows in rows, in out
	low, high  []int
	inexact    bool
}

// mostRows is when the elimination gives up.
const mostRows = 96

// decide answers for inequalities alone.
func (e *eliminator) decide(ge []int64, width int) answer {
	e.width = width
	a := e.run(ge, true)
	if a == some || !e.inexact {
		return a
	}
	if e.run(ge, false) == none {
		return none
	}
	return unknown
}

// run eliminates everything; dark asks for the shadow of the points that have an
// integer above them for sure.
func (e *eliminator) run(ge []int64, dark bool) answer {
	e.inexact = false
	if !e.take(ge) {
		return none
	}
	for len(e.rows) > 0 {
		col, cost := e.choose(0)
		if cost == costLast {
			return e.line(col)
		}
		if a := e.eliminate(col, dark); a != some {
			return a
		}
	}
	return some
}

// line decides rows over one column.
func (e *eliminator) line(col int) answer {
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	for at := 0; at < len(e.rows); at += e.width {
		switch c, x := e.rows[at], e.rows[at+col]; {
		case x > 0:
			low = max(low, -floorDiv(c, x))
		case x < 0:
			high = min(high, floorDiv(c, -x))
		}
	}
	if low > high {
		return none
	}
	return some
}

// take puts inequalities into rows; false is a contradiction.
func (e *eliminator) take(ge []int64) bool {
	e.out, e.next = e.out[:0], e.next[:0]
	for ; len(ge) > 0; ge = ge[e.width:] {
		if !e.put(ge[:e.width]) {
			return false
		}
	}
	e.swap()
	return true
}

// swap makes what was put out the rows.
func (e *eliminator) swap() {
	e.rows, e.out = e.out, e.rows
	e.keys, e.next = e.next, e.keys
}

// put adds a normalized inequality to out, unless another says as much; false is a
// contradiction.
func (e *eliminator) put(r []int64) bool {
	g := content(r)
	if g == 0 {
		return r[0] >= 0
	}
	n := len(e.out)
	e.out = append(e.out, r...)
	r = e.out[n:]
	if g > 1 {
		r[0] = floorDiv(r[0], g)
		for i := 1; i < len(r); i++ {
			r[i] /= g
		}
	}
	k := key(r)
	for i, other := range e.next {
		if other != k && other != -k {
			continue
		}
		t := e.out[i*e.width : (i+1)*e.width]
		switch parallel(r, t) {
		case 1:
			t[0] = min(t[0], r[0])
			e.out = e.out[:n]
			return true
		case -1:
			if r[0]+t[0] < 0 {
				return false
			}
		}
	}
	e.next = append(e.next, k)
	return true
}

// key is the same for equal coefficients, and the negative for opposite ones.
func key(r []int64) (k int64) {
	for _, x := range r[1:] {
		k = k*0x5851f42d + x
	}
	return k
}

// parallel is 1 for equal coefficients, -1 for opposite ones, else 0.
func parallel(r, t []int64) int {
	i := 1
	for i < len(r) && r[i] == 0 && t[i] == 0 {
		i++
	}
	if i == len(r) {
		return 0
	}
	switch {
	case r[i] == t[i]:
		for i++; i < len(r); i++ {
			if r[i] != t[i] {
				return 0
			}
		}
		return 1
	case r[i] == -t[i]:
		for i++; i < len(r); i++ {
			if r[i] != -t[i] {
				return 0
			}
		}
		return -1
	}
	return 0
}

// project eliminates what can be eliminated exactly, and without more rows than most,
// but for some columns, and puts what is left into ge; false is a contradiction.
func (e *eliminator) project(ge *[]int64, width int, keep columnSet, most int) bool {
	e.width = width
	if !e.take(*ge) {
		return false
	}
	for {
		col, cost := e.choose(keep)
		if col == 0 || cost+len(e.rows)/width > most {
			break
		}
		switch e.eliminate(col, false) {
		case none:
			return false
		case unknown: // with rows that would be too large
			return true
		}
	}
	*ge = append((*ge)[:0], e.rows...)
	return true
}

// costInexact is added to the cost of an elimination that is not exact; costLast is
// that of the only column that is left.
const (
	costInexact = 1 << 20
	costLast    = -1 << 20
)

// choose is the column to eliminate, none of those to keep, or 0: one without bounds
// to one side if there is, then of those whose elimination is exact the one that makes
// the fewest rows; cost is how many more rows.
func (e *eliminator) choose(keep columnSet) (best, cost int) {
	used := 0
	for col := 1; col < e.width; col++ {
		if keep.has(col) {
			continue
		}
		low, high, unitLow, unitHigh := 0, 0, true, true
		for at := col; at < len(e.rows); at += e.width {
			switch x := e.rows[at]; {
			case x > 0:
				low++
				unitLow = unitLow && x == 1
			case x < 0:
				high++
				unitHigh = unitHigh && x == -1
			}
		}
		if low+high == 0 {
			continue
		}
		used++
		k := low*high - low - high
		if low == 0 || high == 0 {
			return col, k
		}
		if !unitLow && !unitHigh {
			k += costInexact
		}
		if best == 0 || k < cost {
			best, cost = col, k
		}
	}
	if used == 1 && keep == 0 {
		cost = costLast
	}
	return best, cost
}

// eliminate removes a column from the rows.
func (e *eliminator) eliminate(col int, dark bool) answer {
	e.low, e.high, e.out, e.next = e.low[:0], e.high[:0], e.out[:0], e.next[:0]
	unitLow, unitHigh := true, true
	for at := 0; at < len(e.rows); at += e.width {
		switch x := e.rows[at+col]; {
		case x > 0:
			e.low = append(e.low, at)
			unitLow = unitLow && x == 1
		case x < 0:
			e.high = append(e.high, at)
			unitHigh = unitHigh && x == -1
		default:
			e.out = append(e.out, e.rows[at:at+e.width]...)
			e.next = append(e.next, e.keys[at/e.width])
		}
	}
	exact := unitLow || unitHigh
	if len(e.low) > 0 && len(e.high) > 0 && !exact {
		e.inexact = true
	}
	for _, l := range e.low {
		for _, h := range e.high {
			if a := e.combine(e.rows[l:l+e.width], e.rows[h:h+e.width], col, dark); a != some {
				return a
			}
		}
	}
	e.swap()
	return some
}

// combine adds the shadow of a lower and an upper bound to out.
func (e *eliminator) combine(low, high []int64, col int, dark bool) answer {
	a, b := low[col], -high[col]
	if len(e.out) >= mostRows*e.width {
		return unknown
	}
	n := len(e.out)
	for i := range low {
		e.out = append(e.out, b*low[i]+a*high[i])
	}
	r := e.out[n:]
	if dark {
		if r[0] < -1<<62 {
			return unknown
		}
		r[0] -= (a - 1) * (b - 1)
	}
	e.out = e.out[:n]
	if !e.put(r) {
		return none
	}
	for _, x := range e.out[n:] {
		if x > limit || x < -limit {
			return unknown
		}
	}
	return some
}
