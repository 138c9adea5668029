package syntax

import (
	"sync"

	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/dialects/prob/family"
)

// A Distribution is a law as programs write it. The order of the arguments is that of the
// language; x[] is a vector and x[,] a matrix.
type Distribution struct {
	*family.Law
	Args         []string
	Min, Max     int // number of arguments; Max < 0: any number
	Multivariate bool
	Dialect      Dialect // where it comes from; both dialects accept it
}

// Signature is the distribution as it is called, such as dnorm(mu, tau).
func (d *Distribution) Signature() string { return signature(d.Name, d.Args, d.Min, d.Max) }

// Truncatable says that T(,) may renormalise a node.
func (d *Distribution) Truncatable() bool { return !d.NoCDF && !d.Multivariate }

// Distributions returns the table of distributions, in the order of the manual.
var Distributions = sync.OnceValue(func() []*Distribution {
	out := make([]*Distribution, len(prob.Laws))
	for i, l := range prob.Laws {
		a, least, most := arguments(l.Params)
		out[i] = &Distribution{Law: l, Args: a, Min: least, Max: most, Dialect: originOf(l),
			Multivariate: l.Joint != nil && l.Joint.Node > 0}
	}
	return out
})

// originOf is the language that a law comes from; what is of neither is read in both.
func originOf(l *family.Law) Dialect {
	if d := Dialect(l.Origin & family.Both); d != 0 {
		return d
	}
	return Both
}
