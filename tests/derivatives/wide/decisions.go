package wide

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	mathd "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/libm/ref"
)

// order is the order of two numbers, which is a decision: -1, 0 or 1, and 2 where one is NaN.
func (r *Run) order(x, y Value) int {
	d := compareFloats(x.val.F64(), y.val.F64())
	if r.Exact {
		d = compare(x.wide, y.wide)
	}
	r.decide(d)
	return d
}

// decisions are the float ops that round nothing, but depend on the order of numbers or on signs.
var decisions = map[*ir.OpDef]func(r *Run, x []Value) Value{
	arith.Maximumf: extreme(1, true), arith.Maxnumf: extreme(1, false),
	arith.Minimumf: extreme(-1, true), arith.Minnumf: extreme(-1, false),
	arith.Negf: func(r *Run, x []Value) Value { return r.negative(x[0]) },
	mathd.Absf: func(r *Run, x []Value) Value {
		if r.order(x[0], r.Float(0)) < 0 {
			return r.negative(x[0])
		}
		return x[0]
	},
	mathd.Copysign: func(r *Run, x []Value) Value {
		if r.isBelow(x[0]) != r.isBelow(x[1]) {
			return r.negative(x[0])
		}
		return x[0]
	},
	mathd.Floor: func(r *Run, x []Value) Value {
		if r.Exact {
			return r.floor(x[0].wide)
		}
		n := math.Floor(x[0].val.F64())
		r.decide(int(n))
		return r.Float(n)
	},
}

// extreme is the greater or smaller of two numbers; of a number and NaN it is NaN, or the number.
func extreme(sign int, wantsNaN bool) func(r *Run, x []Value) Value {
	return func(r *Run, x []Value) Value {
		switch d := r.order(x[0], x[1]) * sign; d {
		case 2, -2:
			if r.isNaN(x[0]) == wantsNaN {
				return x[0]
			}
			return x[1]
		case -1:
			return x[1]
		}
		return x[0]
	}
}

func (r *Run) isNaN(x Value) bool {
	if r.Exact {
		return x.wide == nil
	}
	return math.IsNaN(x.val.F64())
}

func (r *Run) negative(x Value) Value {
	if r.Exact {
		return Value{wide: minus(x.wide)}
	}
	return Value{val: ir.F64Val(-x.val.F64())}
}

// isBelow reports a number with the sign -, which is a decision.
func (r *Run) isBelow(x Value) (is bool) {
	r.order(x, r.Float(0))
	if r.Exact {
		return x.wide != nil && x.wide.Signbit()
	}
	return math.Signbit(x.val.F64())
}

func (r *Run) floor(x number) Value {
	if x == nil || x.IsInf() {
		return Value{wide: x}
	}
	n, exact := x.Int(nil)
	y := ref.New(0).SetInt(n)
	if exact != 0 && x.Sign() < 0 {
		y = ref.Sub(y, ref.New(1))
	}
	at, _ := y.Int64()
	r.decide(int(at))
	return Value{wide: y}
}

// function is the value of a function that rounds; eval is that in f64.
func (r *Run) function(f func([]number) number, def *ir.OpDef, args []Value, eval func() ir.Val) Value {
	if r.Exact {
		x := make([]number, len(args))
		for i, a := range args {
			x[i] = a.wide
		}
		return Value{wide: f(x)}
	}
	y := eval()
	if isExact(def, args) {
		return Value{val: y}
	}
	return Value{val: ir.F64Val(r.rounded(y.F64()))}
}

// isExact reports an operation that rounds nothing in any format: with an operand that is 0, or a factor 1 or 2.
func isExact(def *ir.OpDef, args []Value) bool {
	some := func(of ...float64) bool {
		for _, a := range args {
			for _, x := range of {
				if math.Abs(a.val.F64()) == x {
					return true
				}
			}
		}
		return false
	}
	switch def {
	case arith.Addf, arith.Subf:
		return some(0)
	case arith.Mulf:
		return some(0, 0.5, 1, 2)
	}
	return false
}
