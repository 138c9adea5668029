package wide

import (
	"github.com/irc-lang/irc/dialects/arith"
	mathd "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/libm/ref"
)

// functions are the float ops that round, by their values at numbers. The others decide, or move signs: see decisions and Machine.float.
var functions = map[*ir.OpDef]func(x []number) number{
	arith.Addf: func(x []number) number { return sum(x[0], x[1]) },
	arith.Subf: func(x []number) number { return sum(x[0], minus(x[1])) },
	arith.Mulf: func(x []number) number { return product(x[0], x[1]) },
	arith.Divf: func(x []number) number { return quotient(x[0], x[1]) },
	mathd.Fma:  func(x []number) number { return sum(product(x[0], x[1]), x[2]) },

	mathd.Exp:     one(exp),
	mathd.Exp2:    one(func(x number) number { return exp(product(x, ref.Ln2())) }),
	mathd.Expm1:   one(expm1),
	mathd.Log:     logarithm,
	mathd.Log2:    above(0, ref.Log2),
	mathd.Log10:   above(0, ref.Log10),
	mathd.Log1p:   above(-1, ref.Log1p),
	mathd.Sqrt:    root,
	mathd.Rsqrt:   func(x []number) number { return quotient(ref.New(1), root(x)) },
	mathd.Cbrt:    finite(ref.Cbrt),
	mathd.Sin:     finite(ref.Sin),
	mathd.Cos:     finite(ref.Cos),
	mathd.Tan:     finite(ref.Tan),
	mathd.Asin:    within(ref.Asin),
	mathd.Acos:    within(ref.Acos),
	mathd.Atan:    flat(ref.Atan),
	mathd.Sinh:    finite(ref.Sinh),
	mathd.Cosh:    finite(ref.Cosh),
	mathd.Tanh:    flat(ref.Tanh),
	mathd.Asinh:   finite(ref.Asinh),
	mathd.Erf:     flat(ref.Erf),
	mathd.Atan2:   func(x []number) number { return atan2(x[0], x[1]) },
	mathd.Powf:    func(x []number) number { return power(x[0], x[1]) },
	special.Erfc:  flat(ref.Erfc),
	special.Phi:   flat(ref.Phi),
	special.Xlogy: func(x []number) number { return xlogy(x[0], x[1]) },

	special.Ilogit:   one(func(x number) number { return quotient(ref.New(1), sum(ref.New(1), exp(minus(x)))) }),
	special.Icloglog: finite(ref.Icloglog),
	special.Log1pexp: one(log1pexp),
	special.LogPhi:   finite(ref.LogPhi),
	special.Lgamma:   above(0, ref.Lgamma),
	special.Digamma:  above(0, ref.Digamma),
	special.Trigamma: above(0, ref.Trigamma),
}

var logarithm = above(0, ref.Log)

// one is a function that takes infinities.
func one(f func(number) number) func([]number) number {
	return func(x []number) number {
		if x[0] == nil {
			return nil
		}
		return f(x[0])
	}
}

// finite is one that gives NaN for infinities: no program here asks for more.
func finite(f func(number) number) func([]number) number {
	return one(func(x number) number {
		if x.IsInf() {
			return nil
		}
		return f(x)
	})
}

// above is one that is given numbers above a bound, at which it is infinite.
func above(bound float64, f func(number) number) func([]number) number {
	low := ref.New(bound)
	return one(func(x number) number {
		switch c := x.Cmp(low); {
		case c < 0:
			return nil
		case c == 0:
			return inf(-1)
		case x.IsInf():
			return x
		}
		return f(x)
	})
}

// within is one from -1 to 1.
func within(f func(number) number) func([]number) number {
	return finite(func(x number) number {
		if ref.Abs(x).Cmp(ref.New(1)) > 0 {
			return nil
		}
		return f(x)
	})
}

// flat is one with limits at infinity. Further out than 40 the limits differ from it by less than f64 tells; numbers of such size are
// close enough to them where slopes are compared.
func flat(f func(number) number) func([]number) number {
	return one(func(x number) number {
		if x.IsInf() {
			if x.Signbit() {
				return f(ref.New(-1e4))
			}
			return f(ref.New(1e4))
		}
		return f(x)
	})
}

// exp is e^x; further out than f64 reaches it is 0 or infinite.
func exp(x number) number {
	switch far := ref.New(1e5); {
	case x == nil:
		return nil
	case x.Cmp(far) > 0:
		return inf(1)
	case x.Cmp(ref.Neg(far)) < 0:
		return zero
	}
	return ref.Exp(x)
}

func expm1(x number) number {
	if ref.Abs(x).Cmp(ref.New(1)) > 0 {
		return sum(exp(x), ref.New(-1))
	}
	return ref.Expm1(x)
}

func root(x []number) number {
	switch {
	case x[0] == nil || x[0].Sign() < 0:
		return nil
	case x[0].IsInf():
		return x[0]
	}
	return ref.Sqrt(x[0])
}

func log1pexp(x number) number {
	switch {
	case x.Cmp(ref.New(1e4)) > 0:
		return x
	case x.Cmp(ref.New(-1e4)) < 0:
		return exp(x)
	}
	return ref.Log1pexp(x)
}

func atan2(y, x number) number {
	if y == nil || x == nil || y.IsInf() || x.IsInf() || y.Sign() == 0 && x.Sign() == 0 {
		return nil
	}
	return ref.Atan2(y, x)
}

// power is x^y for x above 0.
func power(x, y number) number {
	if x == nil || y == nil || x.IsInf() || y.IsInf() || x.Sign() <= 0 {
		return nil
	}
	return exp(product(y, ref.Log(x)))
}

func xlogy(x, y number) number {
	if x != nil && y != nil && x.Sign() == 0 {
		return zero
	}
	return product(x, logarithm([]number{y}))
}
