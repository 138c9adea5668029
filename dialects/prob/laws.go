package prob

import (
	"sync"

	"github.com/irc-lang/irc/dialects/prob/family"
)

// Laws are all laws, in the order of the manual: a law is a file, and a row here.
var Laws = []*family.Law{
	Normal, LogNormal, Student, NoncentralStudent, Logistic, DoubleExponential,
	Gamma, Exponential, ChiSquare, NoncentralChiSquare, Weibull, GeneralisedGamma, Fisher, Beta, Uniform, Pareto,
	ExtremeValue, ParetoExceedance, ScaledGamma, InverseGamma, Cauchy, HalfCauchy, Triangular, FlatLaw, HalfFlat, LogLik,
	Bernoulli, Binomial, Poisson, NegativeBinomial, Geometric, Geometric0, BetaBinomial, Hypergeometric,
	Categorical, OrderedLogit, OrderedProbit, NormalMixture, Pick, Interval, Constraint, Round, SumLaw,
	Multinomial, Dirichlet, MultiNormal, CovarianceNormal, MultiStudent, Wishart, InverseWishart, ScaledWishart, Correlation, WithoutReplacement,
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

// OfInverse is the law of which the matrix is the inverse of that of a law (family.Matrix); nil if there is none.
func OfInverse(l *family.Law) *family.Law {
	if l.Joint == nil || l.Joint.Matrix.Of == "" {
		return nil
	}
	for _, other := range Laws {
		if other.Joint != nil && other.Joint.Matrix.Of == l.Joint.Matrix.Of && other.Joint.Matrix.Inverse != l.Joint.Matrix.Inverse {
			return other
		}
	}
	return nil
}
