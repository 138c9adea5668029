package density

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/run"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Expressions over arrays of parameters, with the part that they are assigned to.
var arrayExprs = [][2]string{
	{"z", "inprod(v[], w[])"}, {"z", "inprod2(v[], w[])"}, {"z", "v[1:3] %*% A[, 2]"}, {"z[1:3]", "A[, ] %*% v[2:4]"}, {"z[1:3]", "v[1:3] %*% A[, ]"},
	{"z[1:3, 1:2]", "A[, ] %*% B[, ]"}, {"z[1:2, 1:2]", "t(B[, ]) %*% S[, ] %*% B[, ]"}, {"z[1:2, 1:3]", "t(B[, ])"}, {"z", "t(v[]) %*% w[]"},
	{"z[1:3, 1:3]", "t(t(v[1:3])) %*% t(w[1:3])"}, {"z[1:3, 1:3]", "inverse(S[, ])"}, {"z[1:3, 1:3]", "inverse(A[, ])"}, {"z", "logdet(S[, ])"},
	{"z", "logdet(A[, ])"}, {"z", "logdet(inverse(S[, ] + 1))"}, {"z[1:3]", "eigen.vals(S[, ])"},
	{"z[1:3]", "eigen.vals(A[, ] + t(A[, ]))"}, {"z[1:3, 1:3]", "mexp(A[, ])"}, {"z[1:3, 1:3]", "mexp(A[, ] / 10)"}, {"z[1:4]", "sort(v[])"}, {"z[1:8]", "sort(c(v[], w[]))"},
	{"z[1:4]", "order(v[])"}, {"z[1:8]", "order(c(v[], w[]))"}, {"z[1:4]", "rank(v[])"}, {"z", "rank(v[], 2)"}, {"z", "ranked(v[], 3)"},
	{"z", "ranked(c(v[], w[]), b)"}, {"z", "rank(v[], b)"}, {"z", "interp.lin(a, c(0, 1, 4), w[1:3])"}, {"z", "interp.lin(a, v[], w[])"},
	{"z", "sd(v[])"}, {"z", "sd(v[] * w[])"}, {"z", "sd(A[, 2])"}, {"z", "mean(v[] + w[])"}, {"z", "max(v[] - w[])"}, {"z", "min(A[, 1:2] * B[, ])"},
	{"z", "sum(A[2:3, ] / S[1:2, ])"}, {"z", "prod((1:3) + v[2:4])"}, {"z", "length(A[, 1:2] + 1)"}, {"z[1:2]", "dim(B[, ])"},
	{"z[1:4]", "exp(v[]) / (1 + exp(v[]))"}, {"z[1:4]", "a * v[] + w[] ^ 2"}, {"z[1:4]", "v[] > w[] && w[] > a"}, {"z[1:4]", "-v[]"}, {"z[1:4]", "!v[]"},
	{"z[1:4]", "ifelse(v[] > a, v[], 0)"}, {"z[1:6]", "rep(v[1:2], 3)"}, {"z[1:6]", "rep(v[1:2] * 2, n)"}, {"z[1:3]", "rep(a, 3)"}, {"z[1:9]", "c(A[, ])"},
	{"z[1:5]", "c(a, v[2:3], 1:2)"}, {"z[2, 1:3]", "A[2, ]"}, {"z[1:3, 2]", "A[2, ]"}, {"z[1:2, 3:4]", "S[2:3, 1:2]"}, {"z", "A[2, 2:2] * 3"},
	{"z[1:4]", "pow(v[], 2)"}, {"z[1:4]", "pow(v[], w[])"}, {"z[1:4]", "cut(v[])"}, {"z", "dinterval(a, v[])"}, {"z", "sum(exp(A[, ] %*% B[, ]))"},
	{"z[1:3]", "inverse(S[, ]) %*% v[1:3]"}, {"z", "t(v[1:3]) %*% inverse(S[, ]) %*% v[1:3]"}, {"z[1:3, 1]", "S[, ] %*% B[, 1:1]"}, {"log(z[1:4])", "v[] - w[]"},
	{"logit(z[1:3])", "A[, ] %*% v[1:3]"}, {"z", "sum(v[2:1])"}, {"z", "sum(v[2:1] * w[2:1])"}, {"z", "sum(pnorm(v[], a, 1))"}, {"z[1:4]", "phi(v[])"},
	{"z", "sum(v[1:q])"}, {"z", "sum(v[q:4] * w[1:(5 - q)])"}, {"z", "mean(A[q, 1:2])"}, {"z", "max(A[1:q, q])"}, {"z", "sum(sort(v[1:q]))"},
	{"z", "inprod(v[1:q], w[1:q])"}, {"z", "sum(v[q:(q + 1)])"}, {"z", "logdet(S[1:q, 1:q])"}, {"z", "sum(v[(q + 1):q])"},
}

// A compiled expression means what the reference evaluation means, and so do the ops
// of the model; where the latter finds an error there is no value.
func TestArrayExpressions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range arrayExprs {
		text := `model { ` + c[0] + ` <- ` + c[1] + `
		  a ~ dflat() b ~ dflat() n ~ dflat() q ~ dflat() for (i in 1:4) { v[i] ~ dflat() w[i] ~ dflat() }
		  for (i in 1:3) { u[i] ~ dflat() for (j in 1:3) { A[i, j] ~ dflat()  S[i, j] <- u[i] * u[j] + 2 * equals(i, j) } for (j in 1:2) { B[i, j] ~ dflat() } } }`
		prog, list := syntax.Parse(diag.NewSource("m.bug", text), syntax.Options{})
		if list.Err() != nil {
			t.Fatal(list)
		}
		p := compile(t, prog, input.NewData(), "z")
		defined := 0
		for i := range 60 {
			st := eval.NewState(p.Model)
			for _, v := range p.Model.Vars {
				for k := range st[v.ID] {
					switch {
					case v.ClassAt(k) != model.Parameter:
					case v.Name == "q":
						st[v.ID][k] = []float64{1, 2, 3, 4, 0, 1.5, 5}[rng.IntN(7)]
					case v.Name == "n":
						st[v.ID][k] = 3
					case i%3 == 0:
						st[v.ID][k] = float64(rng.IntN(4))
					default:
						st[v.ID][k] = 2 * rng.NormFloat64()
					}
				}
			}
			if arrayAgrees(t, p, st, c[1]) {
				defined++
			}
		}
		if defined == 0 {
			t.Errorf("%s: no value at any point", c[1])
		}
	}
}

// arrayAgrees compares the elements of z; it reports whether one is a number.
func arrayAgrees(t *testing.T, p *Program, st eval.State, what string) bool {
	t.Helper()
	ref := make(eval.State, len(st))
	for i := range st {
		ref[i] = append([]float64(nil), st[i]...)
	}
	if err := eval.Visit(p.Model, ref, func(eval.Factor) {}); err != nil {
		return false
	}
	r, err := p.LogDensity(st)
	if err != nil {
		t.Fatal(what, err)
	}
	z := p.Model.Lookup("z")
	s := &run.Session{Values: values(p, st)}
	if err := runOps(t, p.Source, s); err != nil {
		t.Fatal(what, err)
	}
	some := false
	for k, want := range ref[z.ID] {
		for _, got := range []float64{r.Values["z"].Values[k], s.Result("z")[k]} {
			if !close9(got, want) && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: %s is %v, want %v at %v", what, z.ElemName(k), got, want, fmt.Sprint(st))
				return false
			}
		}
		some = some || !math.IsNaN(want)
	}
	return some
}

// close9 leaves room for the condition of random matrices.
func close9(x, y float64) bool { return x == y || math.Abs(x-y) <= 1e-9*(1+math.Abs(y)) }
