package main

import (
	"math"

	"github.com/irc-lang/irc/tests/libm/ref"
)

// A spec is a polynomial: of what, on which interval of z, and the weight that
// makes its error the relative error of the function that it is for.
type spec struct {
	name, doc string
	a, b      float64
	f, w      func(z num) num
	n32, n64  int // coefficients
}

func num1(x float64) num { return ref.New(x) }

// odd is (g(x) - x)/x^3 by z = x^2, with the weight for g.
func odd(g func(num) num) (f, w func(num) num) {
	f = func(z num) num { x := ref.Sqrt(z); return ref.Quo(ref.Sub(g(x), x), ref.Mul(x, z)) }
	w = func(z num) num { x := ref.Sqrt(z); return ref.Quo(ref.Mul(x, z), g(x)) }
	return f, w
}

func oddSpec(name string, g func(num) num, b float64, n32, n64 int) spec {
	f, w := odd(g)
	return spec{name, "(" + name[:len(name)-4] + " x - x)/x^3 by x^2", 0, b, f, w, n32, n64}
}

func unit(num) num { return num1(1) }

// erfcCentre is the middle of the map (x - c)/(x + c) for erfc (Shepherd and
// Laframboise 1981).
const erfcCentre = 4

func fromErfcMap(t num) num {
	return ref.Quo(ref.Mul(num1(erfcCentre), ref.Add(num1(1), t)), ref.Sub(num1(1), t))
}

func toErfcMap(x float64) float64 { return (x - erfcCentre) / (x + erfcCentre) }

// stirlingOf and psiOf are x and x^2 times what is left of the functions when the
// terms outside the sum are taken away, by z = 1/x^2.
func stirlingOf(z num) num {
	x := ref.Quo(num1(1), ref.Sqrt(z))
	v := ref.Sub(ref.Mul(ref.Sub(x, num1(0.5)), ref.Log(x)), x)
	v = ref.Add(v, ref.Scale(ref.Log(ref.Scale(ref.Pi(), 1)), -1))
	return ref.Mul(x, ref.Sub(ref.Lgamma(x), v))
}

func psiOf(z num) num {
	x := ref.Quo(num1(1), ref.Sqrt(z))
	v := ref.Sub(ref.Log(x), ref.Quo(num1(0.5), x))
	return ref.Quo(ref.Sub(v, ref.Digamma(x)), z)
}

// psi1Of is x^3 times what is left of trigamma without its first two terms.
func psi1Of(z num) num {
	x := ref.Quo(num1(1), ref.Sqrt(z))
	v := ref.Sub(ref.Sub(ref.Trigamma(x), ref.Quo(num1(1), x)), ref.Scale(z, -1))
	return ref.Quo(ref.Mul(v, x), z)
}

// digammaRoot is the positive zero of digamma, by Newton's method.
func digammaRoot() num {
	x := num1(1.4616321449683623)
	for range 4 {
		const h = -60
		slope := ref.Scale(ref.Sub(ref.Digamma(ref.Add(x, ref.Scale(num1(1), h))), ref.Digamma(x)), -h)
		x = ref.Sub(x, ref.Quo(ref.Digamma(x), slope))
	}
	return x
}

const quarterPi = math.Pi/4 + 1e-3

func specs() []spec {
	list := []spec{
		{"expPoly", "(e^x - 1 - x)/x^2", -0.3475, 0.3475,
			func(x num) num { return ref.Quo(ref.Sub(ref.Expm1(x), x), ref.Mul(x, x)) },
			func(x num) num { return ref.Quo(ref.Mul(x, x), ref.Exp(x)) }, 5, 10},
		{"logPoly", "(atanh s - s)/s^3 by s^2", 0, 0.0297, nil, nil, 3, 7},
		{"log1pPoly", "(atanh s - s)/s^3 by s^2", 0, 0.1112, nil, nil, 4, 9},
		{"logTail", "((atanh s - s)/s^3 - 1/3)/s^2 by s^2", 0, 0.0297, logTail, func(z num) num { return ref.Mul(z, z) }, 3, 8},
		{"cosPoly", "(cos x - 1 + x^2/2)/x^4 by x^2", 0, quarterPi * quarterPi, func(z num) num {
			c := ref.Cos(ref.Sqrt(z))
			return ref.Quo(ref.Add(ref.Sub(c, num1(1)), ref.Scale(z, -1)), ref.Mul(z, z))
		}, func(z num) num { return ref.Quo(ref.Mul(z, z), ref.Cos(ref.Sqrt(z))) }, 3, 6},
		oddSpec("sinPoly", ref.Sin, quarterPi*quarterPi, 3, 6),
		oddSpec("asinPoly", ref.Asin, 0.251, 6, 13),
		oddSpec("atanPoly", ref.Atan, 0.1722, 5, 11),
		oddSpec("asinhPoly", ref.Asinh, 0.251, 5, 12),
		oddSpec("sinhPoly", ref.Sinh, 1.001, 4, 8),
		{"erfPoly", "erf(x)/x - 1 by x^2", 0, 1.001, func(z num) num {
			x := ref.Sqrt(z)
			return ref.Sub(ref.Quo(ref.Erf(x), x), num1(1))
		}, unit, 7, 14},
		{"erfcPoly", "(1 + 2x) exp(x^2) erfc(x) by (x - 4)/(x + 4)", toErfcMap(0.499), 0.9999, func(t num) num {
			x := fromErfcMap(t)
			return ref.Mul(ref.Erfcx(x), ref.Add(num1(1), ref.Scale(x, 1)))
		}, unit, 12, 23},
		{"erfcLog", "-log erfc(x)/x by x", 0.999, 6, func(x num) num { return ref.Neg(ref.Quo(ref.Log(ref.Erfc(x)), x)) },
			func(x num) num { return ref.Mul(x, ref.Erfc(x)) }, 7, 17},
		{"lgammaPoly", "lgamma(2 + x)/x", -0.5001, 0.5001, func(x num) num { return ref.Quo(ref.Lgamma(ref.Add(x, num1(2))), x) },
			func(num) num { return num1(2) }, 10, 20},
		{"cbrtGuess", "x^(-1/3)", 1, 8, func(x num) num { return ref.Quo(num1(1), ref.Cbrt(x)) }, ref.Cbrt, 4, 4},
		{"stirlingPoly", "x (lgamma x - (x - 1/2) log x + x - log(2 pi)/2) by 1/x^2, x >= 8", 0, 1. / 63, stirlingOf, func(num) num { return num1(1. / 64) }, 3, 7},
		{"psiTail", "x^2 (log x - 1/2x - digamma x) by 1/x^2, x >= 8", 0, 1. / 63, psiOf, func(z num) num { return num1(1. / 128) }, 3, 7},
		{"psi1Tail", "x^3 (trigamma x - 1/x - 1/2x^2) by 1/x^2, x >= 8", 0, 1. / 63, psi1Of, func(z num) num { return num1(1. / 64) }, 3, 7},
	}
	f, w := odd(ref.Atanh)
	list[1].f, list[1].w = f, w
	list[2].f, list[2].w = f, w
	root := digammaRoot()
	return append(list, spec{"psiPoly", "digamma(x)/(x - root) by x - 3/2", -0.5001, 0.5001, func(h num) num {
		x := ref.Add(h, num1(1.5))
		return ref.Quo(ref.Digamma(x), ref.Sub(x, root))
	}, unit, 11, 23})
}

func logTail(z num) num {
	s := ref.Sqrt(z)
	v := ref.Quo(ref.Sub(ref.Atanh(s), s), ref.Mul(s, z))
	return ref.Quo(ref.Sub(v, ref.Quo(num1(1), num1(3))), z)
}
