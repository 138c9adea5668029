package apply

import (
	"strings"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
)

// Arity is how many parameters there are, at least and at most; most < 0 is any number.
func Arity(l *family.Law) (least, most int) {
	for _, p := range strings.Fields(l.Params) {
		switch {
		case strings.HasSuffix(p, "..."):
			return least + 1, -1
		case p[0] != '[':
			least++
		}
		most++
	}
	return least, most
}

// AtLink is the log density where the first parameter is the probability of a link, of
// which neither p nor 1 - p has lost digits. It is there for laws whose formulas have it.
func AtLink(l *family.Law, x float64, p []float64, c functions.Chance[float64]) float64 {
	return l.Go.AtLink(kit.Float{}, x, p, c, func(_ []float64, cond func(bool) bool, careful func() float64, plain float64) float64 {
		if cond(true) {
			return careful()
		}
		return plain
	})
}

// HasCDF reports a law of numbers with a distribution function, or a joint law of single
// nodes that has one.
func HasCDF(l *family.Law) bool {
	if l.Joint != nil {
		return l.Joint.Go.Mass != nil
	}
	return l.Go.Tails != nil
}

// Tails are log P(X <= x) and log P(X > x).
func Tails(l *family.Law, x float64, p []float64) cumulative.Tails[float64] {
	return l.Go.Tails(kit.Float{}, x, p)
}

// Quantile is where the distribution function reaches u.
func Quantile(l *family.Law, u float64, p []float64) float64 {
	return quantileOf[float64, bool](kit.Float{}, l.Go, l.Counts, u, p)
}

// Support is the support of a law of numbers with n parameters.
func Support(l *family.Law, n int) (support.Ends, bool) {
	if l.Support == nil {
		return support.Ends{}, false
	}
	s := *l.Support
	if s.Lo.Kind == support.ParamLimit && s.Lo.Param >= n {
		s.Lo = support.Limit{Kind: support.NumberLimit}
	}
	return s, true
}
