package prob

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Dirichlet is a law of probabilities.
var Dirichlet = &family.Law{Name: "ddirch", Aliases: []string{"ddirich"}, Params: "alpha[]", Origin: family.Both,
	Doc: "Dirichlet; components with alpha = 0 are 0", Functions: family.LogDensityFunction, Transform: support.Simplex,
	Where: func([]family.Array) string { return "numbers from 0 with sum 1, and 0 only where alpha is at most 1" },
	Joint: dirichlet,
}

// dirichlet is ddirch(alpha[]): a component whose alpha is 0 is 0.
var dirichlet = &family.Joint{Ops: lowerDirichlet, Given: conditionalDirichlet,
	Node: 1, Args: []int{1},
	Invalid: func(p []family.Array) string {
		for i, a := range p[0].V {
			if a < 0 || math.IsInf(a, 1) {
				return fmt.Sprintf("alpha[%d] must not be negative, nor infinite", i+1)
			}
		}
		if s := kit.Sum(p[0].V); !(s > 0) || math.IsInf(s, 1) {
			return "alpha must have a positive sum"
		}
		return ""
	},
	Logp: func(x []float64, p []family.Array) float64 {
		if !(math.Abs(kit.Sum(x)-1) <= support.SimplexSlack) {
			return -kit.Inf
		}
		total := kit.Sum(p[0].V)
		out, s, rest := 0.0, -1.0, 0.0
		for i, a := range p[0].V {
			switch {
			case !(x[i] >= 0), a == 0 && x[i] > 0, a > 1 && x[i] == 0:
				return -kit.Inf
			case a > 0:
				out += dirichletTerm[float64, bool](kit.Float{}, x[i], a, total)
				s, rest = added[float64, bool](kit.Float{}, s, rest, x[i])
			}
		}
		return out + dirichletConstant[float64, bool](kit.Float{}, total, s+rest)
	},
	Draw: dirichletDraw,
	Centre: func(p []family.Array, n int) []float64 {
		out, s := make([]float64, n), kit.Sum(p[0].V)
		for i, a := range p[0].V {
			out[i] = a / s
		}
		return out
	}}

func lowerDirichlet(k kit.Ops, _ kit.Workspace, x kit.View, p []kit.View) ir.Value {
	zero := k.Num(0)
	inits := []ir.Value{zero, zero, k.Num(1), zero, zero}
	acc := k.Fold(x.N, inits, func(i ir.Value, acc []ir.Value) []ir.Value {
		y, a := x.Load(k, i), p[0].Load(k, i)
		some := k.Positive(a)
		// Inside are y > 0 with a > 0, and y = 0 with a <= 1.
		in := arith.Choose(k.B, k.Positive(y), some, k.And(k.Cmp(arith.OEQ, y, zero), k.Cmp(arith.OLE, a, k.Num(1))))
		term := k.Sub(k.Xlogy(k.Sub(a, k.Num(1)), y), k.Lgamma(a))
		return []ir.Value{k.Plus(acc[0], y), k.Plus(acc[1], a), k.Least(acc[2], k.Flag(in)),
			k.Plus(acc[3], arith.Choose(k.B, some, term, zero)), k.Least(acc[4], a)}
	})
	sumX, sumA := acc[0], acc[1]
	near := k.Cmp(arith.OLE, k.Abs(arith.SubF(k.B, sumX, k.Num(1))), k.Num(support.SimplexSlack))
	ok := k.And(k.Cmp(arith.OGE, acc[4], zero), k.And(k.Positive(sumA), k.IsFinite(sumA)))
	body := k.Branch(k.And(k.Exceeds(sumA), k.IsFinite(sumA)), func() ir.Value {
		acc := k.Fold(x.N, []ir.Value{zero, k.Num(-1), zero}, func(i ir.Value, acc []ir.Value) []ir.Value {
			a := p[0].Load(k, i)
			term := dirichletTerm[ir.Value, ir.Value](k, x.Load(k, i), arith.Choose(k.B, k.Positive(a), a, k.Num(1)), sumA)
			s, rest := added[ir.Value, ir.Value](k, acc[1], acc[2], x.Load(k, i))
			return []ir.Value{k.Plus(acc[0], arith.Choose(k.B, k.Positive(a), term, zero)), s, rest}
		})
		return k.Add(acc[0], dirichletConstant[ir.Value, ir.Value](k, sumA, k.Plus(acc[1], acc[2])))
	}, func() ir.Value { return k.Add(k.Lgamma(sumA), acc[3]) })
	return k.Valid(ok, k.Within(k.And(near, k.Positive(acc[2])), body))
}

// The log density of a Dirichlet distribution is the sum of the terms of its components
// and a constant. The sum of the components may differ a little from 1.
func dirichletTerm[T, B any](k kit.Calc[T, B], x, a, sum T) T {
	big := k.And(k.Holds(arith.OGE, a, k.Num(10)), k.Holds(arith.OGT, x, k.Num(0)))
	ca, m := kit.OrElse(k, big, a, 10), k.Mul(sum, x)
	careful := k.Add(k.Add(functions.Deviance(k, ca, m, k.Sub(ca, m)), functions.StirlingRest(k, ca)), k.Mul(k.Num(-0.5), k.Log(ca)))
	careful = k.Neg(k.Add(careful, k.Add(k.Num(0.5*kit.Log2Pi), k.Log(kit.OrElse(k, big, x, 1)))))
	share := k.Sub(m, k.Mul(a, k.Log(sum))) // what the constant adds up
	plain := k.Sub(k.Sub(k.Fn(special.Xlogy, k.Sub(a, k.Num(1)), x), k.Fn(special.Lgamma, a)), share)
	return k.Pick(big, careful, plain)
}

// dirichletConstant is given by how much the sum of the components exceeds 1.
func dirichletConstant[T, B any](k kit.Calc[T, B], sum, excess T) T {
	c := k.Add(k.Mul(k.Num(0.5), k.Sub(k.Num(kit.Log2Pi), k.Log(sum))), functions.Stirling(k, sum))
	return k.Add(k.Mul(sum, excess), c)
}

// added is a sum s + rest and one more number, with what rounding loses kept in rest
// (Knuth's two-sum).
func added[T, B any](k kit.Calc[T, B], s, rest, x T) (T, T) {
	t := k.Plus(s, x)
	b := k.Minus(t, s)
	return t, k.Plus(rest, k.Plus(k.Minus(s, k.Minus(t, b)), k.Minus(x, b)))
}

// conditionalDirichlet: the rest are a Dirichlet vector times what the known ones leave.
func conditionalDirichlet(r *rand.Rand, x []float64, keep []bool, p []family.Array) error {
	left, rest, a := family.Unknown(x, keep, p[0].V, 1)
	if left < -support.SimplexSlack || !(kit.Sum(a.V) > 0) {
		return errors.New("the known elements leave nothing of the sum")
	}
	for i, y := range dirichletDraw(r, []family.Array{a}, len(rest)) {
		x[rest[i]] = math.Max(left, 0) * y
	}
	return nil
}

func dirichletDraw(r *rand.Rand, p []family.Array, n int) []float64 {
	out, most := make([]float64, n), -kit.Inf
	for i, a := range p[0].V {
		out[i] = -kit.Inf
		if a > 0 {
			out[i] = draw.LogGammaDraw(r, a)
			most = math.Max(most, out[i])
		}
	}
	for i, y := range out {
		out[i] = math.Exp(y - most)
	}
	s := kit.Sum(out)
	for i := range out {
		out[i] /= s
	}
	return out
}
