package syntax

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir/diag"
)

// index finds rows of the tables by name or alias; it is made on first use.
var index = sync.OnceValue(func() (ix struct {
	functions         map[string]*Function
	distributions     map[string]*Distribution
	functionNames     []string
	distributionNames []string
}) {
	ix.functions = map[string]*Function{}
	ix.distributions = map[string]*Distribution{}
	for _, f := range Functions() {
		for _, n := range append([]string{f.Name}, f.Aliases...) {
			ix.functions[n] = f
			ix.functionNames = append(ix.functionNames, n)
		}
	}
	for _, d := range Distributions() {
		for _, n := range append([]string{d.Name}, d.Aliases...) {
			ix.distributions[n] = d
			ix.distributionNames = append(ix.distributionNames, n)
		}
	}
	sort.Strings(ix.functionNames)
	sort.Strings(ix.distributionNames)
	return ix
})

// LookupFunction finds a function by its name or an alias, or returns nil.
func LookupFunction(name string) *Function { return index().functions[name] }

// LookupDistribution finds a distribution by its name or an alias, or returns nil.
func LookupDistribution(name string) *Distribution { return index().distributions[name] }

// later tells what to do about names of the language that are not supported.
var later = map[string]string{
	"cumulative": "write pX(x, parameters), such as pnorm(x, mu, tau)",
	"density":    "write dX(x, parameters), such as dnorm(x, mu, tau)",
	"deviance":   "write -2 * logdensity.X(x, parameters)",
	"integral":   "approximate it by a sum over a grid",
	"solution":   "compute the solution outside of the model",
	"ode":        "write the steps of the solver, or use mexp for a linear system",

	"car.l1":          "write ddexp of the differences",
	"mv.car":          "write dmnorm with the precision matrix",
	"spatial.exp":     "compute the covariance matrix and write dmnorm.vcov",
	"spatial.disc":    "compute the covariance matrix and write dmnorm.vcov",
	"spatial.pred":    "write the prediction as part of one dmnorm.vcov",
	"spatial.unipred": "write the prediction as part of one dmnorm.vcov",
	"pois.conv":       "write dpois of the sum",
	"dmstate":         "write dcat with the transition probabilities",
	"drw1":            "write x[i] ~ dnorm(x[i-1], tau)",
}

// elsewhere tells how to write functions of other languages.
var elsewhere = map[string]string{
	"floor":     "write round(x - 0.5): round(y) is floor(y + 0.5)",
	"ceiling":   "write -round(-x - 0.5): round(y) is floor(y + 0.5)",
	"gamma":     "write exp(loggam(x))",
	"beta":      "write exp(loggam(a) + loggam(b) - loggam(a + b))",
	"log10":     "write log(x) / log(10)",
	"log2":      "write log(x) / log(2)",
	"log1p":     "write log(1 + x)",
	"var":       "write pow(sd(v), 2)",
	"std":       "write sd(v)",
	"det":       "write exp(logdet(A))",
	"solve":     "write inverse(A)",
	"if":        "write ifelse(condition, a, b)",
	"if_else":   "write ifelse(condition, a, b)",
	"size":      "write length(v)",
	"dot":       "write inprod(a, b)",
	"seq":       "write a:b",
	"Phi":       "write phi(x)",
	"inv":       "write inverse(A)",
	"inv_logit": "write ilogit(x)",
	"loggamma":  "write loggam(x)",
	"cube":      "write pow(x, 3)",
	"square":    "write pow(x, 2)",
}

// isNumber reports a name that the program uses as that of a single number.
func (p *parser) isNumber(name string) bool {
	if LookupFunction(name) != nil {
		return false // nobody asks
	}
	for i, t := range p.toks[:len(p.toks)-1] {
		if t.kind != tName || p.text(t) != name {
			continue
		}
		switch p.toks[i+1].kind {
		case tAssign, tTilde:
			return true
		}
	}
	return false
}

// checkFunction reports an unknown function and a wrong number of arguments. A product is
// what one argument behind a number, or behind a blank, is meant as.
func (p *parser) checkFunction(c *Call, product bool) {
	f := LookupFunction(c.Name)
	if f != nil {
		if d := checkCount(f.Signature(), c.Name, f.Min, f.Max, len(c.Args), c); d != nil {
			if f.Role == Density && len(c.Args) == f.Min-1 {
				d.WithFix("as a value it is the density %s; to state a distribution write x ~ %s(...)", f.Signature(), c.Name)
			}
			p.errs.Add(d)
		}
		return
	}
	d := diag.Errorf(c.NameAt, "unknown function %s", c.Name)
	switch {
	case LookupDistribution(c.Name) != nil:
		d = diag.Errorf(c.NameAt, "the distribution %s cannot stand in an expression", c.Name).
			WithFix("write x ~ %s(...)", c.Name)
	case product && len(c.Args) == 1:
		d.WithFix("for a product write %s * (%s)", c.Name, Clip(exprString(c.Args[0])))
	case later[c.Name] != "":
		d = diag.Errorf(c.NameAt, "%s is not supported", c.Name).WithFix("%s", later[c.Name])
	case elsewhere[c.Name] != "":
		d.WithFix("%s", elsewhere[c.Name])
	case diag.Nearest(c.Name, index().functionNames) != "":
		d.WithFix("did you mean %s?", diag.Nearest(c.Name, index().functionNames))
	default:
		d.WithFix("for an element of an array write %s[...]", c.Name)
	}
	p.errs.Add(d)
}

// checkDistribution reports an unknown distribution and a wrong number of arguments.
func (p *parser) checkDistribution(s *Sample) {
	if f := LookupDistribution(s.Dist); f != nil {
		at := &Call{}
		at.At = p.since(s.DistAt.Start)
		if d := checkCount(f.Signature(), s.Dist, f.Min, f.Max, len(s.Args), at); d != nil {
			p.errs.Add(d)
		}
		return
	}
	names := index().distributionNames
	d := diag.Errorf(s.DistAt, "unknown distribution %s", s.Dist)
	switch {
	case later[s.Dist] != "":
		d = diag.Errorf(s.DistAt, "the distribution %s is not supported", s.Dist).WithFix("%s", later[s.Dist])
	case s.Dist == "normal" || s.Dist == "norm":
		d.WithFix("write dnorm(mu, tau): tau is a precision, pow(sigma, -2), where Stan and R have sigma; or dnorm(mu, sd = sigma)")
	case LookupDistribution("d"+s.Dist) != nil:
		d.WithFix("did you mean d%s?", s.Dist)
	case diag.Nearest(s.Dist, names) != "":
		d.WithFix("did you mean %s?", diag.Nearest(s.Dist, names))
	case diag.Nearest("d"+s.Dist, names) != "":
		d.WithFix("did you mean %s?", diag.Nearest("d"+s.Dist, names))
	case LookupFunction(s.Dist) != nil:
		d.WithFix("%s is a function; write `<-` for a logical node", s.Dist)
	}
	p.errs.Add(d)
}

// checkCount compares a number of arguments with what is wanted, least to most.
func checkCount(signature, name string, least, most, have int, at Node) *diag.Diagnostic {
	if have >= least && (most < 0 || have <= most) {
		return nil
	}
	want := fmt.Sprint(least)
	switch {
	case most < 0:
		want = "at least " + want
	case most > least:
		want += fmt.Sprintf(" to %d", most)
	}
	plural := "s"
	if want == "1" || want == "at least 1" {
		plural = ""
	}
	return diag.Errorf(at.Span(), "%s wants %s argument%s, found %d", name, want, plural, have).
		WithFix("write %s", signature)
}

// Clip shortens a text for a message.
func Clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:37], "") + "..."
	}
	return s
}
