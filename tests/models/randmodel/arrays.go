package randmodel

import (
	"strings"
)

// arrays assigns whole vectors: elementwise arithmetic, sorting, parts, products.
func (g *generator) arrays() {
	v := variable{g.name(), []string{"N"}, realK}
	a, b := g.vector("N"), g.vector("N")
	var e string
	switch g.IntN(6) {
	case 0:
		e = a + g.pick(" + ", " - ", " * ") + b
	case 1:
		e = g.pick("sort(", "exp(0.1 * ", "-(") + a + ")"
	case 2:
		e = "ifelse(" + a + " > " + b + ", " + a + ", " + b + ")"
	case 3:
		e = "c(" + a + g.pick(")", " * 2)")
	case 4:
		e = "rep(" + g.expr(realK, scope{}, 2) + ", N)"
	default:
		e = a + " * " + g.factor(realK, scope{}, 2) + " + " + b
	}
	g.stmts = append(g.stmts, v.name+"[1:N] <- "+e)
	g.vars = append(g.vars, v)
}

// vector is a whole vector over an extent.
func (g *generator) vector(ext string) string {
	var fits []string
	for _, v := range g.vars {
		if len(v.dims) == 1 && v.dims[0] == ext && v.kind != countK && v.kind != indexK {
			fits = append(fits, v.name)
		}
	}
	return fits[g.IntN(len(fits))] + g.pick("[]", "[1:"+ext+"]")
}

// cycle is nodes that are drawn given each other, observed or not; the density is the product of the
// conditionals.
func (g *generator) cycle() {
	a, b := variable{name: g.name(), kind: realK}, variable{name: g.name(), kind: realK}
	if g.IntN(2) == 0 {
		g.stmts = append(g.stmts, a.name+" ~ dnorm("+b.name+", "+g.expr(posK, scope{}, 2)+")", b.name+" ~ dnorm(0.5 * "+a.name+", 1)"+g.pick("", " I("+a.name+" - 9, )"))
		g.observe(a, func() float64 { return round(g.NormFloat64()) })
		g.vars = append(g.vars, a, b)
		return
	}
	a.dims = []string{"N"}
	g.observe(a, func() float64 { return round(g.NormFloat64()) })
	w := g.name()
	g.stmts = append(g.stmts, "for (i in 1:N) { "+a.name+"[i] ~ dnorm("+w+"[i], 1) "+w+"[i] <- 0.5 * "+a.name+"[N + 1 - i] + 0.1 }")
	g.vars = append(g.vars, a)
}

// transformed is data by assignment that are also drawn.
func (g *generator) transformed() {
	v := variable{g.name(), []string{"N"}, realK}
	text, _ := g.draw(realK, scope{"N": "i"})
	if strings.Contains(text, "(-") { // bounds that the values may not keep
		text = "dnorm(0, 1)"
	}
	g.stmts = append(g.stmts, "for (i in 1:N) { "+v.name+"[i] <- cov[i] "+g.pick("* 0.5", "+ 1", "- mean(cov[])")+" "+v.name+"[i] ~ "+text+" }")
	g.vars = append(g.vars, v)
}

// mixture is a matrix whose rows a category picks.
func (g *generator) mixture() {
	m, v := g.name(), variable{g.name(), []string{"N"}, realK}
	g.stmts = append(g.stmts, "for (i in 1:K) { for (j in 1:N) { "+m+"[i, j] ~ dnorm("+g.expr(realK, scope{"K": "i", "N": "j"}, 2)+", 1) } }")
	z := g.read(indexK, scope{"N": "i"})
	if z == "" {
		z = "K"
	}
	row := g.pick(m+"["+z+", i]", "sum("+m+"["+z+", ])", "inprod("+m+"["+z+", ], cov[])", "mean("+m+"["+z+", 1:i])")
	g.stmts = append(g.stmts, "for (i in 1:N) { "+v.name+"[i] ~ dnorm("+row+", 1) }")
	g.observe(v, func() float64 { return round(g.NormFloat64()) })
	g.vars = append(g.vars, v)
}

// matrices is a multivariate node whose precision is computed.
func (g *generator) matrices() {
	m, s, v := g.name(), g.name(), variable{g.name(), []string{"K"}, realK}
	inverted := "inverse(" + s + "[, ])"
	if len(g.stmts)%2 == 0 {
		o := g.name()
		g.stmts = append(g.stmts, o+"[1:K, 1:K] <- "+inverted)
		inverted = o + "[, ]"
	}
	g.stmts = append(g.stmts, "for (i in 1:K) { for (j in 1:K) { "+s+"[i, j] <- equals(i, j) * (1 + "+g.expr(posK, scope{}, 2)+") + 0.2 } }",
		"for (j in 1:K) { "+m+"[j] <- "+g.expr(realK, scope{"K": "j"}, 2)+" }",
		v.name+"[1:K] ~ "+g.pick("dmnorm("+m+"[], "+s+"[, ])", "dmnorm.vcov("+m+"[], "+s+"[, ])", "dmnorm("+m+"[1:K], "+inverted+")"))
	if g.IntN(2) == 0 {
		d := g.name()
		g.stmts = append(g.stmts, d+" <- logdet("+s+"[, ])")
		g.vars = append(g.vars, variable{name: d, kind: realK})
	}
	g.vars = append(g.vars, v)
}
