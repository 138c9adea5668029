package apply

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
)

// LogMass is log P(lo <= x <= hi); infinite bounds are none.
func LogMass(l *family.Law, p []float64, lo, hi float64) (float64, error) {
	return logMass(l, p, lo, hi, func(x float64) cumulative.Tails[float64] { return Tails(l, x, p) })
}

// LogMassAtLink is LogMass where a link makes the first parameter, for laws whose formulas have it.
func LogMassAtLink(l *family.Law, p []float64, c functions.Chance[float64], lo, hi float64) (float64, error) {
	return logMass(l, p, lo, hi, func(x float64) cumulative.Tails[float64] { return l.Go.TailsAtLink(kit.Float{}, x, p, c) })
}

func logMass(l *family.Law, p []float64, lo, hi float64, tails func(x float64) cumulative.Tails[float64]) (float64, error) {
	if i := Infinite(p); i > 0 {
		return 0, fmt.Errorf("parameter %d is infinite", i)
	}
	var from, to *float64
	if !math.IsInf(lo, -1) {
		from = &lo
	}
	if !math.IsInf(hi, 1) {
		to = &hi
	}
	n := cumulative.Truncation(kit.Float{}, l.Counts, tails, from, to)
	if !(n > math.Inf(-1)) {
		return 0, fmt.Errorf("there is no probability between the bounds %v and %v", lo, hi)
	}
	return n, nil
}

// Infinite is the first infinite parameter, counted from 1; 0 if there is none. With
// one there is a density in places, but no distribution function.
func Infinite(p []float64) int {
	return slices.IndexFunc(p, func(x float64) bool { return math.IsInf(x, 0) }) + 1
}

// DrawWithin draws a value between bounds: by trying, which is right and fast where they
// leave a good part, else by the distribution function.
func DrawWithin(l *family.Law, rng *rand.Rand, p []float64, lo, hi float64) (float64, error) {
	if l.Draw == nil {
		if !math.IsInf(lo, 0) && !math.IsInf(hi, 0) && l.Flat {
			return lo + (hi-lo)*rng.Float64(), nil
		}
		return 0, errors.New("an improper distribution cannot be drawn from")
	}
	tries := drawTries
	if HasCDF(l) {
		tries = 20
	}
	for range tries {
		if x := l.Draw(rng, p); x >= lo && x <= hi {
			return x, nil
		}
	}
	if !HasCDF(l) {
		return 0, fmt.Errorf("no draw in %d fell within the bounds", tries)
	}
	i := inversion{law: l, p: p, lo: lo, hi: hi}
	if l.Counts {
		i.lo, i.hi = math.Ceil(lo)-1, math.Floor(hi)
	}
	return i.draw(draw.Open(rng))
}

// CentreWithin is the centre of a law where that lies between the bounds. Else it is the median between them.
// So it is for what is continuous also at a bound, where other nodes often have no density (the mode of a
// half-normal standard deviation is 0).
func CentreWithin(l *family.Law, p []float64, lo, hi float64) float64 {
	x := l.Centre(p)
	if l.Counts {
		return math.Min(math.Max(x, math.Ceil(lo)), math.Floor(hi))
	}
	if lo < x && x < hi || !(lo < hi) || l.Atoms {
		return math.Min(math.Max(x, lo), hi)
	}
	if HasCDF(l) {
		i := inversion{law: l, p: p, lo: lo, hi: hi}
		if x, err := i.draw(0.5); err == nil && lo < x && x < hi {
			return x
		}
	}
	x, _ = support.Constrained(kit.Float{}, support.AnyBounds, 0, lo, hi)
	return x
}

// inversion draws from lo < x <= hi by the distribution function.
type inversion struct {
	law    *family.Law
	p      []float64
	lo, hi float64
}

// beyond says, as a number that grows with x, how far x is in the distribution: the
// logarithm of the lower tail, or minus that of the upper one.
func (i inversion) beyond(x float64, upper bool) float64 {
	t := Tails(i.law, x, i.p)
	if upper {
		return -t.Above
	}
	return t.Below
}

// draw finds the x at which the part u of the probability between the bounds lies below.
// It works on the smaller tail, so that bounds far out keep their digits.
func (i inversion) draw(u float64) (float64, error) {
	atLo, atHi := cumulative.Tails[float64]{Below: math.Inf(-1), Above: 0}, cumulative.Tails[float64]{Below: 0, Above: math.Inf(-1)}
	if !math.IsInf(i.lo, 0) {
		atLo = Tails(i.law, i.lo, i.p)
	}
	if !math.IsInf(i.hi, 0) {
		atHi = Tails(i.law, i.hi, i.p)
	}
	up := atLo.Below > -math.Ln2
	var want float64
	if up {
		want = -(atLo.Above + math.Log1p(u*math.Expm1(atHi.Above-atLo.Above)))
	} else {
		want = atHi.Below + math.Log(u+(1-u)*math.Exp(atLo.Below-atHi.Below))
	}
	if up && !(atHi.Above < atLo.Above) || !up && !(atLo.Below < atHi.Below) || math.IsNaN(want) {
		return 0, errors.New("there is no probability between the bounds")
	}
	if i.law.Counts {
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
