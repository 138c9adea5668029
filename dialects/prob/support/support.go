package support

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// LimitKind says what an end of the support of a law is.
type LimitKind uint8

// The kinds.
const (
	NoLimit      LimitKind = iota
	NumberLimit            // a number
	ParamLimit             // a parameter
	UpperIfShape           // of dgev, dgpar: mu - sigma/eta where eta < 0, else infinite
	LowerIfShape           // of dgev: mu - sigma/eta where eta > 0, else infinite
)

// A Limit is one end of a support.
type Limit struct {
	Kind  LimitKind
	Num   float64
	Param int
}

// Varies reports a limit that may be infinite.
func (l Limit) Varies() bool { return l.Kind == UpperIfShape || l.Kind == LowerIfShape }

// Params lists the parameters of the law that a limit is made of.
func (l Limit) Params() []int {
	switch l.Kind {
	case ParamLimit:
		return []int{l.Param}
	case UpperIfShape, LowerIfShape:
		return []int{0, 1, 2}
	}
	return nil
}

// Ends are those of where the density of a law of numbers is not 0.
type Ends struct{ Lo, Hi Limit }

var (
	RealLine     = &Ends{}
	PositiveLine = &Ends{Lo: Limit{Kind: NumberLimit}}
	UnitInterval = &Ends{Lo: Limit{Kind: NumberLimit}, Hi: Limit{Kind: NumberLimit, Num: 1}}
)

// LimitAt computes an end; param gives the value of a parameter.
func LimitAt[T, B any](k kit.Calc[T, B], l Limit, param func(i int) T) T {
	switch l.Kind {
	case NumberLimit:
		return k.Num(l.Num)
	case ParamLimit:
		return param(l.Param)
	case UpperIfShape, LowerIfShape:
		zero, eta := k.Num(0), param(2)
		cond, far := k.Holds(arith.OLT, eta, zero), math.Inf(1)
		if l.Kind == LowerIfShape {
			cond, far = k.Holds(arith.OGT, eta, zero), math.Inf(-1)
		}
		return k.Pick(cond, k.Sub(param(0), k.Div(param(1), kit.OrElse(k, cond, eta, 1))), k.Num(far))
	}
	panic("prob: no limit")
}
