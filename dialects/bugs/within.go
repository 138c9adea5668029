package bugs

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// drawWithin draws a value between bounds: by trying, which is right and fast where they
// leave a good part, else by the distribution function.
func drawWithin(rng *rand.Rand, dist string, f *family, p []float64, lo, hi float64) (float64, error) {
	if f.draw == nil {
		if !math.IsInf(lo, 0) && !math.IsInf(hi, 0) && dist == "dflat" {
			return lo + (hi-lo)*rng.Float64(), nil
		}
		return 0, errors.New("an improper distribution cannot be drawn from")
	}
	tails := cumulativeGo[dist]
	tries := 100000
	if tails != nil {
		tries = 20
	}
	for range tries {
		if x := f.draw(rng, p); x >= lo && x <= hi {
			return x, nil
		}
	}
	if tails == nil {
		return 0, fmt.Errorf("no draw in %d fell within the bounds", tries)
	}
	i := inversion{dist: dist, p: p, lo: lo, hi: hi}
	if filled(isCount)[dist] {
		i.lo, i.hi = math.Ceil(lo)-1, math.Floor(hi)
	}
	return i.draw(open(rng))
}

// centreWithin is the centre of a distribution where that lies between the bounds. Else,
// and for what is continuous also at a bound, where other nodes often have no density
// (the mode of a half-normal standard deviation is 0), it is the median between them.
func centreWithin(dist string, f *family, p []float64, lo, hi float64) float64 {
	x := f.centre(p)
	if filled(isCount)[dist] {
		return math.Min(math.Max(x, math.Ceil(lo)), math.Floor(hi))
	}
	if lo < x && x < hi || !(lo < hi) || pointMasses[dist] {
		return math.Min(math.Max(x, lo), hi)
	}
	if cumulativeGo[dist] != nil {
		i := inversion{dist: dist, p: p, lo: lo, hi: hi}
		if x, err := i.draw(0.5); err == nil && lo < x && x < hi {
			return x
		}
	}
	x, _ = constrained(floats{}, AnyBounds, 0, lo, hi)
	return x
}

// inversion draws from lo < x <= hi by the distribution function.
type inversion struct {
	dist   string
	p      []float64
	lo, hi float64
}

// beyond says, as a number that grows with x, how far x is in the distribution: the
// logarithm of the lower tail, or minus that of the upper one.
func (i inversion) beyond(x float64, upper bool) float64 {
	t := cumulativeGo[i.dist](floats{}, x, i.p)
	if upper {
		return -t.above
	}
	return t.below
}

// draw finds the x at which the part u of the probability between the bounds lies below.
// It works on the smaller tail, so that bounds far out keep their digits.
func (i inversion) draw(u float64) (float64, error) {
	atLo, atHi := tails[float64]{math.Inf(-1), 0}, tails[float64]{0, math.Inf(-1)}
	if !math.IsInf(i.lo, 0) {
		atLo = cumulativeGo[i.dist](floats{}, i.lo, i.p)
	}
	if !math.IsInf(i.hi, 0) {
		atHi = cumulativeGo[i.dist](floats{}, i.hi, i.p)
	}
	up := atLo.below > -math.Ln2
	var want float64
	if up {
		want = -(atLo.above + math.Log1p(u*math.Expm1(atHi.above-atLo.above)))
	} else {
		want = atHi.below + math.Log(u+(1-u)*math.Exp(atLo.below-atHi.below))
	}
	if up && !(atHi.above < atLo.above) || !up && !(atLo.below < atHi.below) || math.IsNaN(want) {
		return 0, errors.New("there is no probability between the bounds")
	}
	if filled(isCount)[i.dist] {
		return i.count(want, up), nil
	}
	// Floats of either sign in order are integers in order.
	a, b := ordinal(math.Max(i.lo, -math.MaxFloat64)), ordinal(math.Min(i.hi, math.MaxFloat64))
	for uint64(b-a) > 1 { // the difference may exceed an int64, and wraps rightly
		mid := a + int64(uint64(b-a)/2)
		if i.beyond(fromOrdinal(mid), up) < want {
			a = mid
		} else {
			b = mid
		}
	}
	return fromOrdinal(b), nil
}

// count is the least number that reaches want.
func (i inversion) count(want float64, up bool) float64 {
	a := math.Max(i.lo, -1)
	step := 1.0
	b := math.Min(a+step, i.hi)
	for b < i.hi && i.beyond(b, up) < want {
		step *= 2
		a, b = b, math.Min(b+step, i.hi)
	}
	for b-a > 1 {
		mid := math.Floor(a + (b-a)/2)
		if i.beyond(mid, up) < want {
			a = mid
		} else {
			b = mid
		}
	}
	return b
}

// ordinal numbers the floats in order; 0 and -0 are 0.
func ordinal(x float64) int64 {
	n := int64(math.Float64bits(math.Abs(x)))
	if x < 0 {
		n = -n
	}
	return n
}

func fromOrdinal(n int64) float64 {
	if n < 0 {
		return -math.Float64frombits(uint64(-n))
	}
	return math.Float64frombits(uint64(n))
}
