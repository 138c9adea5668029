package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
)

// limitKind says what an end of the support of a distribution is.
type limitKind uint8

const (
	noLimit      limitKind = iota
	numberLimit            // a number
	paramLimit             // a parameter
	upperIfShape           // of dgev, dgpar: mu - sigma/eta where eta < 0, else infinite
	lowerIfShape           // of dgev: mu - sigma/eta where eta > 0, else infinite
)

// A limit is one end of a support.
type limit struct {
	kind  limitKind
	num   float64
	param int
}

// varies reports a limit that may be infinite.
func (l limit) varies() bool { return l.kind == upperIfShape || l.kind == lowerIfShape }

// params lists the parameters of the distribution that a limit is made of.
func (l limit) params() []int {
	switch l.kind {
	case paramLimit:
		return []int{l.param}
	case upperIfShape, lowerIfShape:
		return []int{0, 1, 2}
	}
	return nil
}

// support is where the density of a distribution of numbers is not 0, by its ends.
type support struct{ lo, hi limit }

var (
	realLine     = support{}
	positiveLine = support{lo: limit{kind: numberLimit}}
)

// supports are those of the continuous distributions of numbers, by the table's name.
var supports = map[string]support{
	"dnorm": realLine, "dt": realLine, "dnt": realLine, "dlogis": realLine, "ddexp": realLine, "dflat": realLine, "dnormmix": realLine,
	"dlnorm": positiveLine, "dgamma": positiveLine, "dexp": positiveLine, "dchisqr": positiveLine, "dnchisqr": positiveLine,
	"dweib": positiveLine, "dgen.gamma": positiveLine, "dscaled.gamma": positiveLine,
	"df":    {lo: limit{kind: paramLimit, param: 2}}, // 0 where the parameter is left out
	"dbeta": {lo: limit{kind: numberLimit}, hi: limit{kind: numberLimit, num: 1}},
	"dunif": {lo: limit{kind: paramLimit}, hi: limit{kind: paramLimit, param: 1}},
	"dpar":  {lo: limit{kind: paramLimit, param: 1}},
	"dgpar": {lo: limit{kind: paramLimit}, hi: limit{kind: upperIfShape}},
	"dgev":  {lo: limit{kind: lowerIfShape}, hi: limit{kind: upperIfShape}},
}

// supportOf is the support of a distribution with n arguments.
func supportOf(name string, n int) (support, bool) {
	s, ok := supports[name]
	if s.lo.kind == paramLimit && s.lo.param >= n {
		s.lo = limit{kind: numberLimit}
	}
	return s, ok
}

// limitValue computes an end; param gives the value of a parameter.
func limitValue[T, B any](k calc[T, B], l limit, param func(i int) T) T {
	switch l.kind {
	case numberLimit:
		return k.num(l.num)
	case paramLimit:
		return param(l.param)
	case upperIfShape, lowerIfShape:
		zero, eta := k.num(0), param(2)
		cond, far := k.holds(arith.OLT, eta, zero), gomath.Inf(1)
		if l.kind == lowerIfShape {
			cond, far = k.holds(arith.OGT, eta, zero), gomath.Inf(-1)
		}
		return k.pick(cond, k.sub(param(0), k.div(param(1), orElse(k, cond, eta, 1))), k.num(far))
	}
	panic("bugs: no limit")
}

// pointMasses are the distributions that are continuous in name only: a density with
// respect to length does not exist, and a sampler takes their nodes as data.
var pointMasses = map[string]bool{"dpick": true, "dround": true, "dsum": true}

// jointTransforms are those of the distributions of vectors and matrices.
var jointTransforms = map[string]TransformKind{
	"dmnorm": Identity, "dmnorm.vcov": Identity, "dmt": Identity,
	"ddirch": Simplex, "dwish": Cholesky, "dscaled.wishart": Cholesky,
}
