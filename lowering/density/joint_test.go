package density

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/run"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/ir/diag"
)

// Distributions of arrays: log densities of reference, evaluated elsewhere.
var joints = []struct {
	model, data, x string
	logp           float64
}{
	{`x ~ dcat(p[])`, `{"p": [0.2, 0.5, 0.3]}`, `1`, -1.6094379124341003},
	{`x ~ dcat(p[])`, `{"p": [0.2, 0.5, 0.3]}`, `2`, -0.6931471805599453},
	{`x ~ dcat(p[])`, `{"p": [2, 5, 3]}`, `3`, -1.2039728043259361},
	{`x ~ dcat(p[])`, `{"p": [2, 5, 0]}`, `3`, math.Inf(-1)},
	{`x ~ dcat(p[2:3])`, `{"p": [2, 5, 5]}`, `3`, math.Inf(-1)},
	{`x ~ dcat(p[2:3])`, `{"p": [2, 5, 5]}`, `0`, math.Inf(-1)},
	{`x ~ dcat(p[2:3])`, `{"p": [2, 5, 5]}`, `1.5`, math.Inf(-1)},
	{`x ~ dcat(p[])`, `{"p": [2, 5, 3]}`, `1.9999999`, math.Inf(-1)},
	{`x ~ dcat(p[])`, `{"p": [2, 5, 3]}`, `3.0000001`, math.Inf(-1)},
	{`x ~ dcat(p[])`, `{"p": [2, 5, 3]}`, `0.5`, math.Inf(-1)},
	{`x ~ dcat(p[])`, `{"p": [2, 5, 3]}`, `3.5`, math.Inf(-1)},
	{`x ~ dcat(p[])`, `{"p": [2, 5, 3]}`, `1e300`, math.Inf(-1)},
	{`x ~ dcat(p[])`, `{"p": [2, 5, 3]}`, `-1e300`, math.Inf(-1)},
	{`x[1:3] ~ dmnorm(m[], O[, ])`, `{"m": [0.5, 0.5, 0], "O": [[2, 0.5, 0.1], [0.5, 1, 0.2], [0.1, 0.2, 3]]}`, `[1, -2, 0.3]`, -4.684413071478321},
	{`x[1:2, 1:2] ~ dwish(R[, ], 2)`, `{"R": [[3, 0.2], [0.2, 4]]}`, `[[2, 0.5], [0.5, 1]]`, -5.429264392414517},
	{`x[1:2, 1:2] ~ dwish(R[3, 2:3, 1:2], 2)`, `{"R": [[[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[9, 9, 9], [3, 0.2, 9], [0.2, 4, 9]]]}`,
		`[[2, 0.5], [0.5, 1]]`, -5.429264392414517},
	{`x[1:2, 1:2] ~ dwish(R[, ], 2)`, `{"R": [[3, 0.2], [0.2, 4]]}`, `[[2, 0.5], [0.4, 1]]`, math.Inf(-1)},
	{`x[1:2, 1:2] ~ dinvwish(R[, ], 2)`, `{"R": [[3, 0.2], [0.2, 4]]}`, `[[2, 0.5], [0.4, 1]]`, math.Inf(-1)},
	{`x[1:2, 1:2] ~ dwish(R[, ], 2)`, `{"R": [[3, 0.2], [0.2, 4]]}`, `[[2, 1.5], [1.5, 1]]`, math.Inf(-1)},
	{`x[1:3] ~ dmulti(p[], 5)`, `{"p": [0.2, 0.5, 0.3]}`, `[2, 0, 3]`, -4.528209144851963},
	{`x[1:3] ~ dmulti(p[], n)`, `{"p": [2, 5, 3], "n": 1}`, `[0, 1, 0]`, -0.6931471805599453},
	{`x[1:3] ~ dmulti(p[], 2)`, `{"p": [2, 5, 0]}`, `[0, 1, 1]`, math.Inf(-1)},
	{`x[1:3] ~ dmulti(p[], 2)`, `{"p": [2, 5, 0]}`, `[3, -1, 0]`, math.Inf(-1)},
	{`x[1:3] ~ dmulti(p[], 2)`, `{"p": [2, 5, 0]}`, `[1, 0.5, 0.5]`, math.Inf(-1)},
	{`x[1:3] ~ ddirch(a[])`, `{"a": [2, 0.5, 3]}`, `[0.2, 0.5, 0.3]`, -0.9785080866719285},
	{`x[1:4] ~ ddirch(a[])`, `{"a": [2, 0, 0.5, 3]}`, `[0.2, 0, 0.5, 0.3]`, -0.9785080866719285},
	{`x[1:2] ~ ddirch(a[])`, `{"a": [0.5, 3]}`, `[0, 1]`, math.Inf(1)},
	{`x[1:3] ~ ddirch(a[])`, `{"a": [0.5, 3, 2]}`, `[0, 1, 0]`, math.Inf(-1)},
	{`x[1:2] ~ ddirch(a[])`, `{"a": [1, 1]}`, `[0, 1]`, 0},
	{`x[1:2] ~ ddirch(a[])`, `{"a": [1, 1]}`, `[0.5, 0.6]`, math.Inf(-1)},
	{`x[1:2] ~ ddirch(a[])`, `{"a": [1, 0]}`, `[0.5, 0.5]`, math.Inf(-1)},
	{`x ~ dordered.logit(0.4, c[])`, `{"c": [-1, 0.8, 2]}`, `1`, -1.6204174099184509},
	{`x ~ dordered.logit(0.4, c[])`, `{"c": [-1, 0.8, 2]}`, `2`, -0.91411423049503802},
	{`x ~ dordered.logit(0.4, c[])`, `{"c": [-1, 0.8, 2]}`, `4`, -1.7839007408883388},
	{`x ~ dordered.logit(0.4, c[])`, `{"c": [-1, 0.8, 2]}`, `5`, math.Inf(-1)},
	{`x ~ dordered.logit(0, c[])`, `{"c": [800, 801]}`, `2`, -800.45867514538708},
	{`x ~ dordered.logit(0, c[])`, `{"c": [-801, -800]}`, `2`, -800.45867514538708},
	{`x ~ dordered.probit(0.4, c[])`, `{"c": [-1, 0.8, 2]}`, `1`, -2.5163148529883289},
	{`x ~ dordered.probit(0.4, c[])`, `{"c": [-1, 0.8, 2]}`, `2`, -0.55396787331575695},
	{`x ~ dordered.probit(0.4, c[])`, `{"c": [-1, 0.8, 2]}`, `4`, -2.9040780103022458},
	{`x ~ dordered.probit(0, c[])`, `{"c": [40, 41]}`, `2`, -804.60844201375379},
	{`x ~ dordered.probit(0.4, c[])`, `{"c": [-1, 0.8, 2]}`, `1.5`, math.Inf(-1)},
	{`x ~ dordered.logit(0.4, -1)`, `{}`, `1`, -1.6204174099184509},
	{`x ~ dnormmix(m[], t[], p[])`, `{"m": [0, 2], "t": [1, 0.5], "p": [0.3, 0.7]}`, `0.7`, -1.5001492359160338},
	{`x ~ dnormmix(m[], t[], p[])`, `{"m": [0, 2], "t": [1, 0.5], "p": [3, 7]}`, `1000`, -249002.62218706742},
	{`x ~ dnormmix(m[], t[], p[])`, `{"m": [0, 2], "t": [1, 0.5], "p": [3, 0]}`, `1e100`, -5e199},
	{`x[1:4] ~ dsample(p[], 2)`, `{"p": [0.5, 1, 2, 3]}`, `[1, 0, 1, 0]`, -2.6390573296152586},
	{`x[1:4] ~ dsample(p[], 3)`, `{"p": [1e200, 1e200, 1e200, 1]}`, `[1, 1, 1, 0]`, 0},
	{`x[1:4] ~ dsample(p[], 2)`, `{"p": [0.5, 1, 2, 0]}`, `[1, 0, 0, 1]`, math.Inf(-1)},
	{`x[1:4] ~ dsample(p[], 2)`, `{"p": [0.5, 1, 2, 0]}`, `[1, 1, 1, 0]`, math.Inf(-1)},
	{`x[1:2] ~ dsample(p[], 0)`, `{"p": [0.5, 1]}`, `[0, 0]`, 0},
	{`x[1:3] ~ dmnorm.vcov(m[], S[, ])`, `{"m": [0.5, 1, 2], "S": [[2, 0.5, 0.1], [0.5, 1, 0.2], [0.1, 0.2, 3]]}`, `[1, 2, 0.5]`, -4.5673938034253897},
	{`x[1:3, 1:3] ~ dscaled.wishart(s[], 3)`, `{"s": [0.5, 1, 2]}`, `[[2, 0.5, 0.1], [0.5, 1, 0.2], [0.1, 0.2, 3]]`, -10.19716307247433},
	{`x[1:3] ~ car.normal(adj[], w[], num[], 2)  for (k in 1:4) { w[k] <- 1 }`, `{"adj": [2, 1, 3, 2], "num": [1, 2, 1]}`, `[0.5, -0.2, 1]`, -3.0747298858494},
	{`x ~ dinterval(5, c[])`, `{"c": [1, 3, 7]}`, `2`, 0},
	{`x ~ dinterval(3, c[])`, `{"c": [1, 3, 7]}`, `2`, math.Inf(-1)},
	{`x[1:3] ~ dmulti(p[], 1e9)`, `{"p": [0.3, 0.2, 0.5]}`, `[300000000, 200000000, 500000000]`, -20.807863955473544},
	{`x[1:3] ~ dmulti(p[], 1e9)`, `{"p": [3, 2, 5]}`, `[299990000, 200010000, 500000000]`, -21.224536639890982},
	{`x[1:3] ~ dmulti(p[], 1000000002)`, `{"p": [1, 1e-9, 1e-10]}`, `[1000000000, 2, 0]`, -1.7931471791549453},
	{`x[1:3] ~ ddirch(a[])`, `{"a": [3e9, 2e9, 5e9]}`, `[0.3, 0.2, 0.5]`, 22.941252812113324},
	{`x[1:3] ~ ddirch(a[])`, `{"a": [3e9, 2e9, 5e9]}`, `[0.3000001, 0.2, 0.4999999]`, 22.940986012137125},
	{`x[1:3] ~ ddirch(a[])`, `{"a": [2.5e8, 0.5, 7.5e8]}`, `[0.25, 1e-9, 0.75]`, 30.430583495589969},
	{`x[1:3] ~ ddirch(a[])`, `{"a": [1e-300, 1, 1]}`, `[0.25, 0.5, 0.25]`, -689.38923353709381},
	{`x ~ dcat(p[]) T(2, 3)`, `{"p": [1, 2, 3, 4]}`, `3`, -0.51082562376599072},
	{`x ~ dcat(p[]) T(2.5, )`, `{"p": [1, 2, 3, 4]}`, `3`, -0.84729786038720367},
	{`x[1:3] ~ dmulti(p[], 1e9)`, `{"p": [0.3, 0.2, 0.5]}`, `[300000000, 200000000, 500000000]`, -20.807863955473544},
	{`x[1:3] ~ dmulti(p[], 1e9)`, `{"p": [3, 2, 5]}`, `[299990000, 200010000, 500000000]`, -21.224536639890982},
	{`x[1:3] ~ dmulti(p[], 1000000002)`, `{"p": [1, 1e-9, 1e-10]}`, `[1000000000, 2, 0]`, -1.7931471791549453},
	{`x[1:3] ~ ddirch(a[])`, `{"a": [3e9, 2e9, 5e9]}`, `[0.3, 0.2, 0.5]`, 22.941252812113324},
	{`x[1:3] ~ ddirch(a[])`, `{"a": [3e9, 2e9, 5e9]}`, `[0.3000001, 0.2, 0.4999999]`, 22.940986012137125},
	{`x[1:3] ~ ddirch(a[])`, `{"a": [2.5e8, 0.5, 7.5e8]}`, `[0.25, 1e-9, 0.75]`, 30.430583495589969},
	{`x[1:3] ~ ddirch(a[])`, `{"a": [1e-300, 1, 1]}`, `[0.25, 0.5, 0.25]`, -689.38923353709381},
	{`x ~ dcat(p[]) T(2, 3)`, `{"p": [1, 2, 3, 4]}`, `4`, math.Inf(-1)},
	{`x ~ dcat(p[]) C(2, 3)`, `{"p": [1, 2, 3, 4]}`, `3`, -1.2039728043259361},
	{`x ~ dcat(exp(p[]))`, `{"p": [1, 2]}`, `2`, -0.31326168751822283},
	{`x ~ dcat(P[2, ] / sum(P[2, ]))`, `{"P": [[1, 2], [3, 1]]}`, `1`, -0.28768207245178093},
	{`x[1:3] ~ dmnorm(m[], inverse(S[, ]))`, `{"m": [0.5, 1, 2], "S": [[2, 0.5, 0.1], [0.5, 1, 0.2], [0.1, 0.2, 3]]}`, `[1, 2, 0.5]`, -4.5673938034253897},
	{`x[1:3] ~ dmnorm(I[, ] %*% m[], inverse(S[, ]))`, `{"m": [0.5, 1, 2], "I": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "S": [[2, 0.5, 0.1], [0.5, 1, 0.2], [0.1, 0.2, 3]]}`, `[1, 2, 0.5]`, -4.5673938034253897},
}

func TestJointReferences(t *testing.T) {
	for _, c := range joints {
		p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), parseData(t, diag.NewSource("d.json", c.data)))
		st, _, list := p.Point(parseData(t, diag.NewSource("x.json", `{"x": `+c.x+`}`)), false)
		if len(list) > 0 {
			t.Fatal(list)
		}
		r, err := p.LogDensity(st)
		if err != nil || !close10(r.Logp, c.logp) {
			t.Errorf("%s at %s: %v, %v, want %v", c.model, c.x, r, err, c.logp)
		}
		agree(t, p, st, c.model)
	}
}

// Distributions of arrays whose parameters are free, valid or not.
var free = []string{
	`x ~ dcat(p[1:3])  for (i in 1:4) { p[i] ~ dflat() }`,
	`for (j in 1:3) { x[j] ~ dcat(p[j, 1:j]) for (i in 1:j) { p[j, i] ~ dflat() } }`,
	`x[1:3] ~ dmulti(p[1:3], n)  for (i in 1:3) { p[i] ~ dflat() }  n ~ dflat()`,
	`for (j in 1:2) { x[j, 1:j] ~ dmulti(p[1:j], j - 1)  p[j] ~ dflat() }`,
	`x[1:2] ~ dmnorm(m[1:2], O[1:2, 1:2])  for (i in 1:2) { m[i] ~ dflat()  for (j in 1:2) { O[i, j] <- a[i] * a[j] + b * equals(i, j) }  a[i] ~ dflat() }  b ~ dflat()`,
	`x[1:2] ~ dmnorm(m[], O[, ])  for (i in 1:2) { m[i] <- 0  for (j in 1:2) { O[i, j] ~ dflat() } }`,
	`x[1:3] ~ dmt(m[], O[, ], k)  k ~ dflat() for (i in 1:3) { m[i] <- i  for (j in 1:3) { O[i, j] <- a[i] * a[j] + 2 * equals(i, j) }  a[i] ~ dflat() }`,
	`x[1:2, 1:2] ~ dwish(R[, ], k)  k ~ dflat()  x[1, 3] <- 1  for (i in 1:2) { for (j in 1:2) { R[i, j] <- a[i] * a[j] + equals(i, j) }  a[i] ~ dflat() }`,
	`x[1:7] ~ dmnorm(m[], O[, ])  V[1:5, 1:5] ~ dwish(O[2:6, 2:6], k)  k <- 5 + a[1]  for (i in 1:5) { for (j in 1:5) { V[i, j] <- b[i] * b[j] + equals(i, j) }  b[i] <- i }  for (i in 1:7) { m[i] <- i  for (j in 1:7) { O[i, j] <- a[i] * a[j] + 2 * equals(i, j) }  a[i] ~ dflat() }`,
	`for (j in 1:2) { x[j, 1:2] ~ dmnorm(m[], P[j, , ]) }  for (i in 1:2) { m[i] ~ dflat()  a[i] ~ dflat()  for (j in 1:2) { for (k in 1:2) { P[i, j, k] <- 0.3 + a[i] * equals(j, k) } } }`,
	`x[1:2] ~ ddirch(a[1:2])  for (i in 1:2) { a[i] ~ dflat() }`,
	`x ~ dordered.logit(a, c[1:3])  a ~ dflat()  for (i in 1:3) { c[i] <- d[i] * i }  for (i in 1:3) { d[i] ~ dflat() }`,
	`x ~ dordered.probit(a, c[1:2])  a ~ dflat()  for (i in 1:2) { c[i] ~ dflat() }`,
	`x ~ dnormmix(m[1:2], t[1:2], p[1:2])  for (i in 1:2) { m[i] ~ dflat()  t[i] ~ dflat()  p[i] ~ dflat() }`,
	`x ~ dinterval(a, c[1:3])  a ~ dflat()  for (i in 1:3) { c[i] ~ dflat() }`,
	`x[1:4] ~ dsample(p[1:4], k)  k ~ dflat()  for (i in 1:4) { p[i] ~ dflat() }`,
	`x[1:2] ~ dmnorm.vcov(m[1:2], O[1:2, 1:2])  for (i in 1:2) { m[i] ~ dflat()  for (j in 1:2) { O[i, j] <- a[i] * a[j] + b * equals(i, j) }  a[i] ~ dflat() }  b ~ dflat()`,
	`x[1:2, 1:2] ~ dscaled.wishart(s[1:2], k)  k ~ dflat()  for (i in 1:2) { s[i] ~ dflat() }`,
	`x[1:2] ~ dmnorm(t(m[, 1:2]) %*% a[], inverse(O[, ] + 1))  for (i in 1:2) { a[i] ~ dflat()  for (j in 1:2) { m[i, j] ~ dflat()  O[i, j] <- a[i] * a[j] + 0.5 * equals(i, j) } }`,
	`for (j in 1:3) { x[j] ~ dcat(p[j, 1:j] * a[1:j]) for (i in 1:j) { p[j, i] ~ dflat() }  a[j] ~ dflat() }`,
	`x ~ dcat(p[1:4]) T(a, b)  for (i in 1:4) { p[i] ~ dflat() }  a ~ dflat()  b ~ dflat()`,
	`x ~ dcat(p[1:4]) T(, b)  for (i in 1:4) { p[i] ~ dflat() }  b ~ dflat()`,
	`x ~ dcat(p[1:4]) I(a, b)  for (i in 1:4) { p[i] ~ dflat() }  a ~ dflat()  b ~ dflat()`,
	`x ~ dordered.logit(a, c[1:2]) C(b, )  a ~ dflat()  b ~ dflat()  for (i in 1:2) { c[i] ~ dflat() }`,
	`x ~ dnormmix(m[1:2], t[1:2], p[1:2]) I(, b)  b ~ dflat()  for (i in 1:2) { m[i] ~ dflat()  t[i] ~ dflat()  p[i] ~ dflat() }`,
	`x[1:3] ~ car.normal(a[1:4], w[1:4], n[1:3], k)  k ~ dflat()  a[1] <- 2  a[2] <- b  a[3] <- 3  a[4] <- 2  n[1] <- 1  n[2] <- 2  n[3] <- 1 + step(d - 1.5)  for (i in 1:4) { w[i] <- 1 + d * equals(i, 1) }  b ~ dflat()  d ~ dflat()`,
	`x[1:2] ~ car.proper(m[1:2], e[1:2], a[1:2], n[1:2], M[1:2], k, g)  k ~ dflat()  g ~ dflat()  a[1] <- 2  a[2] <- 1 + 0 * b  n[1] <- 1  n[2] <- 1  for (i in 1:2) { e[i] <- 0.5  m[i] ~ dflat()  M[i] <- 1 + d * equals(i, 1) }  b ~ dflat()  d ~ dflat()`,
	`x ~ dcat(p[k, ])  k ~ dflat()  for (i in 1:4) { p[1, i] ~ dexp(1)  p[2, i] <- p[1, i] * 2 }`,
	`x[1:2] ~ dmnorm(m[], P[, ])  P[1:2, 1:2] <- inverse(O[, ])  for (i in 1:2) { m[i] ~ dflat()  a[i] ~ dflat()  for (j in 1:2) { O[i, j] <- a[i] * a[j] + b * equals(i, j) } }  b ~ dflat()`,
}

func TestJointsAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, text := range free {
		p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+text+"}")), input.NewData())
		valid, inside := 0, 0
		for range 500 {
			st := eval.NewState(p.Model)
			for i, v := range p.Model.Vars {
				plain := rng.IntN(4) > 0 // counts, or parts of 1, which a support may want
				for k := range st[i] {
					switch {
					case v.ClassAt(k) != model.Parameter:
					case !plain:
						st[i][k] = interesting(rng)
					case v.Name == "x" && strings.Contains(text, "ddirch"):
						st[i][k] = []float64{0.25, 0.75}[k%2]
					default:
						st[i][k] = float64(rng.IntN(3))
					}
				}
			}
			agree(t, p, st, fmt.Sprint(text, st))
			if r, err := p.LogDensity(st); err == nil {
				if valid++; !math.IsInf(r.Logp, 0) {
					inside++
				}
			}
		}
		if valid < 20 || inside < 5 || valid == 500 && !strings.Contains(text, "dinterval") {
			t.Errorf("%s: %d of 500 points are valid, %d inside of the support", text, valid, inside)
		}
	}
}

// What the ops of a model draw and sum is what the lowered function says of it; a
// simulated model agrees too.
func TestJointOpsRun(t *testing.T) {
	for _, c := range []struct{ model, data string }{
		{`x ~ dcat(p[k, ])  k ~ dcat(q[])  for (i in 1:3) { y[i] ~ dcat(p[k, 1:i]) }`, `{"p": [[1, 2, 3], [3, 0, 1]], "q": [1, 2], "y": [1, null, 2]}`},
		{`for (i in 1:3) { y[i] ~ dcat(p[1:4]) T(i, 3) }  for (i in 1:2) { x[i] ~ dordered.probit(a, c[]) C(2, )  z[i] ~ dnormmix(c[], c[], p[1:2]) I(1.5, 1.7) }  a ~ dnorm(0, 1)`,
			`{"p": [1, 2, 3, 4], "y": [1, null, null], "c": [1, 2]}`},
		{`for (i in 1:3) { Y[i, 1:2] ~ dmnorm(mu[], S[, ])  z[i, 1:2] ~ dmt(mu[], S[, ], 4) }  mu[1:2] ~ dmnorm(m[], R[, ])  S[1:2, 1:2] ~ dwish(R[, ], 2)`,
			`{"m": [1, 2], "R": [[2, 0.5], [0.5, 1]], "Y": [[1, null], [2, 3], [null, null]]}`},
		{`for (i in 1:3) { x[i, 1:3] ~ dmulti(p[], n[i]) }  p[1:3] ~ ddirch(a[])  q[1:2] ~ ddirch(a[2:3])`,
			`{"a": [0.001, 2, 0], "n": [0, 5, 1000], "x": [[null, null, null], [null, null, null], [0, 1000, 0]]}`},
	} {
		p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), parseData(t, diag.NewSource("d.json", c.data)))
		for seed := range uint64(20) {
			drawn := &run.Session{Values: values(p, eval.NewState(p.Model)), Random: draw.NewRandom(seed)}
			if err := runOps(t, p.Source, drawn); err != nil {
				if strings.Contains(err.Error(), "observed in part") {
					continue
				}
				t.Fatal(c.model, err)
			}
			st := eval.NewState(p.Model)
			for i, v := range p.Model.Vars {
				if x := drawn.Result(v.Name); x != nil {
					st[i] = x
				}
			}
			agree(t, p, st, c.model)
			sum := 0.0
			again := &run.Session{Values: values(p, st), Factor: func(_ string, _ int, _ bool, logp float64) { sum += logp }}
			if err := runOps(t, p.Source, again); err != nil {
				t.Fatal(c.model, err)
			}
			if r, err := p.LogDensity(st); err != nil || !close10(sum, r.Logp) {
				t.Errorf("%s: the ops give %v, the function %v, %v", c.model, sum, r, err)
			}
			sim, err := eval.Simulate(p.Model, seed)
			if err != nil {
				t.Fatal(c.model, err)
			}
			agree(t, p, sim, c.model)
		}
	}
}

// With one row the distributions of arrays are those of numbers.
func TestOneRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, c := range [][2]string{
		{`x[1:1] ~ dmnorm(m[1:1], O[1:1, 1:1])  m[1] <- a  O[1, 1] <- b`, `x[1] ~ dnorm(a, b)`},
		{`x[1:1] ~ dmt(m[1:1], O[1:1, 1:1], c)  m[1] <- a  O[1, 1] <- b`, `x[1] ~ dt(a, b, c)`},
		{`x[1:1, 1:1] ~ dinvwish(S = R[1:1, 1:1], df = c)  R[1, 1] <- a`, `x[1, 1] ~ dinvgamma(k, r)  k <- c / 2  r <- a / 2`},
		{`x[1:1, 1:1] ~ dwish(R[1:1, 1:1], c)  R[1, 1] <- a`, `x[1, 1] ~ dgamma(k, r)  k <- c / 2  r <- a / 2`},
		{`x[1:1] ~ dmnorm.vcov(m[1:1], O[1:1, 1:1])  m[1] <- a  O[1, 1] <- b`, `x[1] ~ dnorm(a, t)  t <- 1 / b`},
		{`x[1:1, 1:1] ~ dscaled.wishart(s[1:1], c)  s[1] <- a`, `x[1, 1] ~ dscaled.gamma(a, c)`},
		{`x[1] ~ dnormmix(m[1:1], t[1:1], p[1:1])  m[1] <- a  t[1] <- b  p[1] <- c`, `x[1] ~ dnorm(a, b)`},
		{`x[1:2] ~ ddirch(s[1:2])  s[1] <- b  s[2] <- c`, `x[1] ~ dbeta(b, c)  x[2] <- 1`},
		{`x[1:2] ~ dmulti(p[1:2], 3)  p[1] <- b  p[2] <- c`, `x[1] ~ dbin(q, 3)  q <- b / (b + c)  x[2] <- 1`},
	} {
		var ps [2]*Program
		for i, text := range c {
			m, list := bugs.Analyze(parse(t, diag.NewSource("m.bug", "model { a ~ dflat() b ~ dflat() c ~ dflat() "+text+"}")), nil, bugs.Options{})
			if list.Err() != nil {
				t.Fatal(list)
			}
			var err error
			if ps[i], err = Compile(newContext(), m, Options{}); err != nil {
				t.Fatal(err)
			}
		}
		for range 300 {
			in := map[string]float64{"a": rng.ExpFloat64(), "b": rng.ExpFloat64(), "c": rng.ExpFloat64(), "x": rng.Float64()}
			rest := 1 - in["x"]
			if strings.Contains(c[0], "dmulti") {
				in["x"] = float64(rng.IntN(4))
				rest = 3 - in["x"]
			}
			var got [2]float64
			for i, p := range ps {
				st := eval.NewState(p.Model)
				for _, v := range p.Model.Vars {
					if x, ok := in[v.Name]; ok {
						st[v.ID][0] = x
					}
					if v.Name == "x" && v.Len() == 2 {
						st[v.ID][1] = rest
					}
				}
				r, err := p.LogDensity(st)
				if err != nil {
					t.Fatal(c[i], err)
				}
				got[i] = r.Logp
			}
			if !close10(got[0], got[1]) {
				t.Errorf("%s: %v, as numbers %v at %v", c[0], got[0], got[1], in)
			}
		}
	}
}
