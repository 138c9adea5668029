package prob

import (
	"sync"

	"github.com/irc-lang/irc/dialects/prob/family"
)

// Laws are all laws, in the order of the manual: a law is a file, and a row here.
var Laws = []*family.Law{
	Normal, LogNormal, Student, NoncentralStudent, Logistic, DoubleExponential,
	Gamma, Exponential, ChiSquare, NoncentralChiSquare, Weibull, GeneralisedGamma, Fisher, Beta, Uniform, Pareto,
	ExtremeValue, ParetoExceedance, ScaledGamma, InverseGamma, Cauchy, HalfCauchy, Triangular, FlatLaw, LogLik,
	Bernoulli, Binomial, Poisson, NegativeBinomial, Geometric, Geometric0, BetaBinomial, Hypergeometric,
	Categorical, OrderedLogit, OrderedProbit, NormalMixture, Pick, Interval, Round, SumLaw,
	Multinomial, Dirichlet, MultiNormal, CovarianceNormal, MultiStudent, Wishart, ScaledWishart, Correlation, WithoutReplacement,
	IntrinsicNormal, ProperNormal,
}

var byName = sync.OnceValue(func() map[string]*family.Law {
	out := map[string]*family.Law{}
	for _, l := range Laws {
		out[l.Name] = l
		for _, a := range l.Aliases {
			out[a] = l
		}
	}
	return out
})

// Lookup is a law by its name or an alias; nil for another.
func Lookup(name string) *family.Law { return byName()[name] }
