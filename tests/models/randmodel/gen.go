// Package randmodel makes random BUGS models with data, by a grammar of statements
// that fit together, and breaks models and data a little.
package randmodel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/ir/diag"
)

// A kind is what values a variable has.
type kind int

const (
	realK  kind = iota
	posK        // positive
	probK       // between 0 and 1
	countK      // whole, from 0
	indexK      // 1 to K
)

// variable is a node or data; dims are among "N" and "K".
type variable struct {
	name string
	dims []string
	kind kind
}

// A Model is a program with its data.
type Model struct {
	Program string
	Data    *input.Data
}

type generator struct {
	*rand.Rand
	n, k  int
	data  *input.Data
	vars  []variable
	stmts []string
	names []string
	tails bool // predictors of probabilities are far out
}

// names that a model draws from: some are functions, too.
var allNames = []string{"alpha", "beta", "gamma", "mu", "tau", "phi", "pi", "T", "C", "x", "y.hat", "theta", "step", "mean", "t", "c",
	"I", "sum", "b", "b.1", "R", "length", "sigma", "lambda", "p.star", "a", "eta", "w", "max", "z.t", "log.x", "data1", "inits", "q", "s"}

// New makes a model by a seed. Models have few statements over few elements.
func New(seed uint64) Model {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x51ed)), data: input.NewData()}
	g.n, g.k = 1+g.IntN(4), 2+g.IntN(2)
	g.tails = seed%5 == 4
	g.names = append(g.names, allNames...)
	g.Shuffle(len(g.names), func(i, j int) { g.names[i], g.names[j] = g.names[j], g.names[i] })
	g.give("N", nil, []float64{float64(g.n)})
	g.give("K", nil, []float64{float64(g.k)})
	g.covariates()
	for range 1 + g.IntN(6) {
		g.statement()
	}
	if g.IntN(3) > 0 {
		g.Shuffle(len(g.stmts), func(i, j int) { g.stmts[i], g.stmts[j] = g.stmts[j], g.stmts[i] })
	}
	return Model{Program: "model {\n" + strings.Join(g.stmts, "\n") + "\n}\n", Data: g.data}
}

// give enters data; NaN is missing.
func (g *generator) give(name string, dims []int, values []float64) {
	a := &input.Array{Dims: dims, Values: values, Missing: make([]bool, len(values))}
	for i, x := range values {
		a.Missing[i] = x != x
	}
	g.data.Set(name, diag.Span{}, a)
}

func (g *generator) size(dims []string) (total int, ints []int) {
	total = 1
	for _, d := range dims {
		n := g.n
		if d == "K" {
			n = g.k
		}
		total *= n
		ints = append(ints, n)
	}
	return total, ints
}

// covariates are data that statements read: cov[N], idx[N] in 1..K, tab[K].
func (g *generator) covariates() {
	put := func(name string, dims []string, k kind, f func() float64) {
		n, ints := g.size(dims)
		v := make([]float64, n)
		for i := range v {
			v[i] = f()
		}
		g.give(name, ints, v)
		g.vars = append(g.vars, variable{name, dims, k})
	}
	put("cov", []string{"N"}, realK, func() float64 { return round(g.NormFloat64()) })
	if g.IntN(2) == 0 {
		put("idx", []string{"N"}, indexK, func() float64 { return float64(1 + g.IntN(g.k)) })
		put("tab", []string{"K"}, posK, func() float64 { return round(0.2 + g.Float64()) })
	}
}

func round(x float64) float64 { return math.Round(x*100) / 100 }

// observe gives a stochastic variable values in the data: all, some or none.
func (g *generator) observe(v variable, value func() float64) {
	how := g.IntN(4)
	if how == 0 {
		return
	}
	n, ints := g.size(v.dims)
	x := make([]float64, n)
	for i := range x {
		if x[i] = value(); how == 1 && g.IntN(2) == 0 {
			x[i] = math.NaN()
		}
	}
	g.give(v.name, ints, x)
}

func (g *generator) pick(words ...string) string { return words[g.IntN(len(words))] }

func (g *generator) name() string {
	n := g.names[0]
	g.names = g.names[1:]
	return n
}

// scope is the loop variables in sight, by extent.
type scope map[string]string

// read is a reference to a variable of a kind, or "".
func (g *generator) read(k kind, sc scope) string {
	var fits []variable
	for _, v := range g.vars {
		if v.kind == k {
			fits = append(fits, v)
		}
	}
	if len(fits) == 0 {
		return ""
	}
	v := fits[g.IntN(len(fits))]
	if len(v.dims) == 0 {
		return v.name
	}
	idx := make([]string, len(v.dims))
	for d, ext := range v.dims {
		idx[d] = g.index(ext, sc)
	}
	return v.name + "[" + strings.Join(idx, g.pick(",", ", ")) + "]"
}

// index is one position of an extent.
func (g *generator) index(ext string, sc scope) string {
	if i := sc[ext]; i != "" && g.IntN(5) > 0 {
		if g.IntN(6) == 0 {
			return ext + " + 1 - " + i
		}
		return i
	}
	if ext == "K" && g.IntN(2) == 0 {
		if i := g.read(indexK, sc); i != "" {
			return i
		}
	}
	if g.IntN(3) == 0 {
		return ext
	}
	return "1"
}

// whole is a vector or a part of one, of a kind.
func (g *generator) whole(sc scope) string {
	for range 4 {
		v := g.vars[g.IntN(len(g.vars))]
		if len(v.dims) != 1 || v.kind == countK || v.kind == indexK {
			continue
		}
		if i := sc[v.dims[0]]; i != "" && g.IntN(3) == 0 {
			return v.name + "[1:" + i + "]"
		}
		return v.name + g.pick("[]", "[1:"+v.dims[0]+"]", "[]")
	}
	return "cov[]"
}

// expr is an expression with values of a kind, moderate where its parts are.
func (g *generator) expr(k kind, sc scope, depth int) string {
	sub := func(k kind) string { return g.expr(k, sc, depth-1) }
	if depth <= 0 || g.IntN(3) == 0 {
		if r := g.read(k, sc); r != "" && g.IntN(4) > 0 {
			return r
		}
		return g.number(k, sc)
	}
	switch k {
	case posK:
		switch g.IntN(6) {
		case 0:
			return "exp(0.1 * " + g.factor(realK, sc, depth) + ")"
		case 1:
			return "(0.1 + abs(" + sub(realK) + "))"
		case 2:
			return "sqrt(" + sub(posK) + " + " + sub(posK) + ")"
		case 3:
			return "(pow(" + sub(realK) + ", 2) + 0.2)"
		case 4:
			return g.factor(posK, sc, depth) + " / (1 + " + sub(posK) + ")"
		}
		return "max(" + sub(posK) + ", 0.3)"
	case probK:
		if g.tails && g.IntN(2) == 0 {
			return g.pick("ilogit(", "phi(", "icloglog(", "1 - phi(", "1 - icloglog(", "exp(-") + g.pick("7", "30", "-5", "300") + " * " + g.factor(posK, sc, depth) + ")"
		}
		return g.pick("ilogit(", "phi(", "icloglog(", "logistic(") + sub(realK) + ")"
	case countK, indexK:
		return g.number(k, sc)
	}
	switch g.IntN(12) {
	case 0, 1:
		return "(" + sub(realK) + g.pick(" + ", " - ") + sub(realK) + ")"
	case 2:
		return "0.5 * " + g.factor(realK, sc, depth)
	case 3:
		return "-" + g.factor(realK, sc, depth)
	case 4:
		return g.pick("sum(", "mean(", "max(", "min(") + g.whole(sc) + ")" + g.pick("", " / N", " * 0.1")
	case 5:
		return "log(" + sub(posK) + ")"
	case 6:
		return g.pick("logit", "probit", "cloglog") + "(0.1 + 0.8 * " + g.factor(probK, sc, depth) + ")"
	case 7:
		return g.pick("step", "sin", "cos", "tanh", "arctan", "round", "trunc") + "(" + sub(realK) + ")"
	case 8:
		return "equals(" + sub(countK) + ", " + sub(countK) + ")"
	case 9:
		return sub(g.kindOf(posK, probK))
	case 10:
		return "ifelse(" + sub(realK) + " > " + sub(realK) + ", " + sub(realK) + ", " + sub(realK) + ")"
	}
	return "inprod(cov[], cov[]) * " + g.factor(probK, sc, depth)
}

func (g *generator) kindOf(ks ...kind) kind { return ks[g.IntN(len(ks))] }

// factor is an expression that may stand beside *.
func (g *generator) factor(k kind, sc scope, depth int) string {
	e := g.expr(k, sc, depth-1)
	if strings.ContainsAny(e, " -") && !(strings.HasPrefix(e, "(") && strings.HasSuffix(e, ")") && strings.Count(e, "(") == 1) {
		return "(" + e + ")"
	}
	return e
}

func (g *generator) number(k kind, sc scope) string {
	switch k {
	case posK:
		return g.pick("1", "0.5", "2", "1.5E-1", ".7", "3")
	case probK:
		return g.pick("0.5", "0.25", ".9")
	case countK:
		if i := sc["N"]; i != "" && g.IntN(2) == 0 {
			return i
		}
		return g.pick("0", "1", "2")
	case indexK:
		if i := sc["K"]; i != "" {
			return i
		}
		return g.pick("1", "2", "K")
	}
	return fmt.Sprint(round(2*g.Float64()), g.pick("", "", " - 1"))
}
