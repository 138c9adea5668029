package randmodel

import (
	"math"
	"strings"
)

// statement adds one definition, or some that belong together.
func (g *generator) statement() {
	switch g.IntN(17) {
	case 0, 1:
		g.define(nil)
	case 2, 3, 4:
		g.define([]string{"N"})
	case 5:
		g.define([]string{"K"})
	case 6:
		g.define([]string{"N", "K"})
	case 7:
		g.recurrence()
	case 8:
		g.turns()
	case 9:
		g.category()
	case 10:
		g.multivariate()
	case 11:
		g.arrays()
	case 12:
		g.cycle()
	case 13:
		g.transformed()
	case 14:
		g.mixture()
	case 15:
		g.matrices()
	default:
		g.ragged()
	}
}

// loops puts a body into loops over the extents.
func (g *generator) loops(dims []string, body string) string {
	for d := len(dims) - 1; d >= 0; d-- {
		body = "for (" + []string{"i", "j"}[d] + " in 1:" + dims[d] + ") {" + g.pick(" ", "\n") + body + g.pick(" ", "\n") + "}"
	}
	return body
}

func inside(dims []string) (sc scope, idx string) {
	sc = scope{}
	var parts []string
	for d, ext := range dims {
		i := []string{"i", "j"}[d]
		sc[ext] = i
		parts = append(parts, i)
	}
	if parts != nil {
		idx = "[" + strings.Join(parts, ", ") + "]"
	}
	return sc, idx
}

// define adds one variable: drawn, assigned, or both by way of data.
func (g *generator) define(dims []string) {
	v := variable{g.name(), dims, g.kindOf(realK, realK, posK, probK, countK)}
	sc, idx := inside(dims)
	if v.kind != countK && g.IntN(3) == 0 {
		g.stmts = append(g.stmts, g.loops(dims, g.assign(v, v.name+idx, sc)))
		g.vars = append(g.vars, v)
		return
	}
	text, value := g.draw(v.kind, sc)
	g.stmts = append(g.stmts, g.loops(dims, v.name+idx+" ~ "+text))
	g.observe(v, value)
	g.vars = append(g.vars, v)
}

// assign is a logical definition, at times with a link.
func (g *generator) assign(v variable, left string, sc scope) string {
	arrow := g.pick(" <- ", " <- ", " = ")
	switch {
	case v.kind == posK && g.IntN(2) == 0:
		return "log(" + left + ")" + arrow + "0.2 * " + g.factor(realK, sc, 3)
	case v.kind == probK && g.tails:
		return g.pick("logit(", "probit(", "cloglog(") + left + ")" + arrow + g.pick("6", "-6", "40", "-300") + " * " + g.factor(realK, sc, 3)
	case v.kind == probK && g.IntN(2) == 0:
		return g.pick("logit", "probit", "cloglog") + "(" + left + ")" + arrow + g.expr(realK, sc, 3)
	}
	return left + arrow + g.expr(v.kind, sc, 3)
}

// draw is a distribution of a kind, with a value that its support has.
func (g *generator) draw(k kind, sc scope) (text string, value func() float64) {
	e := func(k kind) string { return g.expr(k, sc, 2) }
	switch k {
	case posK:
		value = func() float64 { return round(0.1 + g.ExpFloat64()) }
		switch g.IntN(7) {
		case 0:
			return "dexp(" + e(posK) + ")", value
		case 1:
			return "dlnorm(" + e(realK) + ", " + e(posK) + ")", value
		case 2:
			return "dweib(" + e(posK) + ", " + e(posK) + ")" + g.pick("", "", " C(0.05, )", " T(0.01, 50)"), value
		case 3:
			return "dunif(0.01, 20)", value
		case 4:
			return "dchisqr(" + e(posK) + ")", value
		}
		return "dgamma(" + e(posK) + ", " + e(posK) + ")", value
	case probK:
		return g.pick("dbeta("+e(posK)+", "+e(posK)+")", "dunif(0, 1)"), func() float64 { return round(0.1 + 0.8*g.Float64()) }
	case countK:
		value = func() float64 { return float64(g.IntN(4)) }
		switch g.IntN(6) {
		case 0:
			return "dbin(" + e(probK) + ", 5)", value
		case 1:
			return "dbern(" + e(probK) + ")", func() float64 { return float64(g.IntN(2)) }
		case 2:
			return "dnegbin(" + e(probK) + ", " + e(posK) + ")", value
		case 3:
			return "dpois(" + e(posK) + ") T(, 9)", value
		}
		return "dpois(" + e(posK) + ")", value
	}
	value = func() float64 { return round(g.NormFloat64()) }
	switch g.IntN(8) {
	case 0:
		return "dt(" + e(realK) + ", " + e(posK) + ", 4)", value
	case 1:
		return "dlogis(" + e(realK) + ", " + e(posK) + ")", value
	case 2:
		return "ddexp(" + e(realK) + ", " + e(posK) + ")", value
	case 3:
		return "dunif(-8, 8)", value
	case 4:
		return "dnorm(" + e(realK) + ", " + e(posK) + ")" + g.pick(" T(-9, )", " I(-9, 9)", "C(, 9)", " T(-6,6)"), value
	}
	return "dnorm(" + e(realK) + ", " + e(posK) + ")", value
}

// recurrence is a chain over an array, forwards or backwards.
func (g *generator) recurrence() {
	v := variable{g.name(), []string{"N"}, realK}
	sc := scope{"N": "i"}
	first, loop, before := v.name+"[1]", "for (i in 2:N) { ", v.name+"[i - 1]"
	if g.IntN(3) == 0 {
		first, loop, before = v.name+"[N]", "for (i in 1:(N - 1)) { ", v.name+"[i + 1]"
	}
	e := before + g.pick(" * 0.5", " + 0.1", "") + " + " + g.factor(realK, sc, 2)
	if g.IntN(2) == 0 {
		g.stmts = append(g.stmts, first+" <- "+g.expr(realK, scope{}, 1), loop+v.name+"[i] <- "+e+" }")
	} else {
		g.stmts = append(g.stmts, first+" ~ dnorm(0, 1)", loop+v.name+"[i] ~ dnorm("+e+", "+g.expr(posK, sc, 1)+") }")
		g.observe(v, func() float64 { return round(g.NormFloat64()) })
	}
	g.vars = append(g.vars, v)
}

// turns is two arrays whose elements take turns, in loops of their own or in one.
func (g *generator) turns() {
	a, b := variable{g.name(), []string{"N"}, realK}, variable{g.name(), []string{"N"}, realK}
	sc := scope{"N": "i"}
	one := b.name + "[i] ~ dnorm(" + a.name + "[i], " + g.expr(posK, sc, 1) + ")"
	if g.IntN(2) == 0 {
		one = b.name + "[i] <- " + a.name + "[i] * 0.5 + " + g.factor(realK, sc, 2)
	}
	two := a.name + "[i] <- 0.5 * " + b.name + "[i - 1] + " + g.factor(realK, sc, 2)
	if g.IntN(2) == 0 {
		two = a.name + "[i] ~ dnorm(" + b.name + "[i - 1], 1)"
	}
	g.stmts = append(g.stmts, a.name+"[1] ~ dnorm(0, 1)")
	g.stmts = append(g.stmts, "for (i in 1:N) { "+one+" }", "for (i in 2:N) { "+two+" }")
	g.vars = append(g.vars, a, b)
}

// category is a categorical array, with its probabilities.
func (g *generator) category() {
	p, z := g.name(), variable{g.name(), []string{"N"}, indexK}
	if g.IntN(2) == 0 {
		g.stmts = append(g.stmts, p+"[1:K] ~ ddirch(ones[])")
		ones := make([]float64, g.k)
		for i := range ones {
			ones[i] = float64(1 + g.IntN(2))
		}
		g.give("ones", []int{g.k}, ones)
	} else {
		w := g.expr(posK, scope{"K": "j"}, 2)
		if g.tails && g.IntN(2) == 0 {
			w = g.pick("exp(-", "phi(-", "1 - phi(", "ilogit(-") + g.pick("7", "30", "300") + " * " + g.factor(posK, scope{"K": "j"}, 2) + ")"
		}
		g.stmts = append(g.stmts, "for (j in 1:K) { "+p+"[j] <- "+w+" }")
		g.vars = append(g.vars, variable{p, []string{"K"}, posK})
	}
	g.stmts = append(g.stmts, "for (i in 1:N) { "+z.name+"[i] ~ dcat("+p+g.pick("[]", "[1:K]")+") }")
	g.observe(z, func() float64 { return float64(1 + g.IntN(g.k)) })
	g.vars = append(g.vars, z)
}

// multivariate is a normal vector with a precision that is data or Wishart.
func (g *generator) multivariate() {
	m, v, omega := g.name(), g.name(), g.name()
	g.stmts = append(g.stmts, "for (j in 1:K) { "+m+"[j] <- "+g.expr(realK, scope{"K": "j"}, 2)+" }")
	eye := make([]float64, g.k*g.k)
	for i := range g.k {
		eye[i*g.k+i] = round(0.5 + g.Float64())
	}
	if g.IntN(2) == 0 {
		g.give(omega, []int{g.k, g.k}, eye)
	} else {
		g.give("scale", []int{g.k, g.k}, eye)
		g.stmts = append(g.stmts, omega+"[1:K, 1:K] ~ dwish(scale[, ], K + 1)")
	}
	g.stmts = append(g.stmts, v+"[1:K] ~ "+g.pick("dmnorm("+m+"[], "+omega+"[, ])", "dmt("+m+"[], "+omega+"[, ], 4)"))
	n := variable{v, []string{"K"}, realK}
	g.observe(n, func() float64 { return round(g.NormFloat64()) })
	g.vars = append(g.vars, variable{m, []string{"K"}, realK}, n)
}

// ragged is a triangle of elements, and sums of its rows.
func (g *generator) ragged() {
	v, s := g.name(), variable{g.name(), []string{"N"}, realK}
	sc := scope{"N": "i"}
	if g.IntN(2) == 0 {
		g.stmts = append(g.stmts, "for (i in 1:N) { for (j in 1:i) { "+v+"[i, j] ~ dnorm("+g.expr(realK, sc, 2)+", 1) } }")
		if g.IntN(2) == 0 {
			x := make([]float64, g.n*g.n)
			for i := range x {
				if x[i] = math.NaN(); i%g.n <= i/g.n {
					x[i] = round(g.NormFloat64())
				}
			}
			g.give(v, []int{g.n, g.n}, x)
		}
	} else {
		g.stmts = append(g.stmts, "for (i in 1:N) { for (j in i:N) { "+v+"[j, N + 1 - i] <- "+g.expr(realK, sc, 2)+" + j } }")
		g.stmts = append(g.stmts, "for (i in 1:N) { for (j in 1:i) { "+v+".x[i, j] <- "+v+"[N, j] } }")
		v += ".x"
	}
	g.stmts = append(g.stmts, "for (i in 1:N) { "+s.name+"[i] <- sum("+v+"[i, 1:i]) }")
	// Slices that grow and shrink with a loop, of data and of what is computed.
	u, t := g.name(), variable{g.name(), []string{"N"}, realK}
	e := []string{"sum(cov[1:i])", "mean(cov[i:N])", "max(cov[1:i])", "inprod(cov[1:i], cov[1:i])"}[len(g.stmts)%4]
	f := []string{"sum(S[1:i])", "max(S[1:i]) - min(S[1:N])", "mean(S[1:i] * U[1:i])", "inprod(S[1:i], cov[1:i])", "sum(S[i:N])", "sum(tanh(S[1:i]) + U[1:i])", "sum(V[1:i, 1])"}[len(g.vars)%7]
	f = strings.NewReplacer("S[", s.name+"[", "U[", u+"[", "V[", v+"[").Replace(f)
	g.stmts = append(g.stmts, "for (i in 1:N) { "+u+"[i] <- "+e+"  "+t.name+"[i] <- "+f+" }")
	g.vars = append(g.vars, s, t)
}
