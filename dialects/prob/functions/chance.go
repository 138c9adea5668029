package functions

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
)

// A Link is a function whose inverse makes a probability of a number, the predictor.
type Link uint8

// The links.
const (
	NoLink Link = iota
	LogitLink
	ProbitLink
	CloglogLink
	LogLink // of predictors up to 0
)

// Links are those of programs by their names; InverseLinks, by those of their inverses.
var (
	Links        = map[string]Link{"logit": LogitLink, "probit": ProbitLink, "cloglog": CloglogLink, "log": LogLink}
	InverseLinks = map[string]Link{"ilogit": LogitLink, "phi": ProbitLink, "icloglog": CloglogLink, "exp": LogLink}
)

// A Chance is a probability p that is the inverse of a link at a predictor, or, with
// Other, 1 less that. Far out p or 1 - p rounds to 0, and next to 1 its digits are lost;
// the predictor has them.
type Chance[T any] struct {
	Link  Link
	Eta   T
	Other bool
}

// Plain is a chance without Other, where the link is that of a symmetric distribution.
func Plain[T, B any](k kit.Calc[T, B], c Chance[T]) Chance[T] {
	if c.Other && (c.Link == LogitLink || c.Link == ProbitLink) {
		return Chance[T]{Link: c.Link, Eta: k.Neg(c.Eta)}
	}
	return c
}

// Shares are p and 1 - p, of which neither has lost digits.
func Shares[T, B any](k kit.Calc[T, B], c Chance[T]) (p, q T) {
	switch c.Link {
	case LogitLink:
		p, q = k.Fn(special.Ilogit, c.Eta), k.Fn(special.Ilogit, k.Neg(c.Eta))
	case ProbitLink:
		p, q = k.Fn(special.Phi, c.Eta), k.Fn(special.Phi, k.Neg(c.Eta))
	case CloglogLink:
		p, q = k.Fn(special.Icloglog, c.Eta), k.Exp(k.Neg(k.Exp(c.Eta)))
	default:
		p, q = k.Exp(c.Eta), k.Neg(k.Expm1(c.Eta))
	}
	if c.Other {
		return q, p
	}
	return p, q
}

// Logs are log p and log(1 - p), exact in both tails: -Inf only where the logarithm is no
// number, as that of 1 - p is for cloglog from 709.8 on.
func Logs[T, B any](k kit.Calc[T, B], c Chance[T]) (p, q T) {
	switch c.Link {
	case LogitLink:
		p, q = k.Neg(k.Fn(special.Log1pexp, k.Neg(c.Eta))), k.Neg(k.Fn(special.Log1pexp, c.Eta))
	case ProbitLink:
		p, q = k.Fn(special.LogPhi, c.Eta), k.Fn(special.LogPhi, k.Neg(c.Eta))
	case CloglogLink:
		// p = 1 - e^-t is t - t^2/2 + ... for a small t = e^eta, which itself may be 0.
		t := k.Exp(c.Eta)
		few := k.Holds(arith.OLT, c.Eta, k.Num(-30))
		p = k.Pick(few, k.Sub(c.Eta, kit.Half(k, t)), k.Fn(special.Log1mexp, k.Neg(t)))
		q = k.Neg(t)
	default:
		p, q = c.Eta, k.Fn(special.Log1mexp, c.Eta)
	}
	if c.Other {
		return q, p
	}
	return p, q
}

// LogOfTrial is log p of a trial that succeeds, x = 1, or log(1 - p) of one that fails, x = 0.
func LogOfTrial[T, B any](k kit.Calc[T, B], x T, c Chance[T]) T {
	c = Plain(k, c)
	switch c.Link {
	case ProbitLink:
		return k.Fn(special.LogPhi, k.Mul(k.Sub(k.Mul(k.Num(2), x), k.Num(1)), c.Eta))
	case LogitLink:
		return k.Sub(k.Mul(x, c.Eta), k.Fn(special.Log1pexp, c.Eta))
	}
	p, q := Logs(k, c)
	return k.Pick(k.Holds(arith.OGT, x, k.Num(0)), p, q)
}

// IsChance holds where the inverse link at the predictor is a probability.
func IsChance[T, B any](k kit.Calc[T, B], c Chance[T]) B {
	if c.Link == LogLink {
		return kit.Between(k, c.Eta, k.Num(-math.MaxFloat64), k.Num(0))
	}
	return kit.IsFinite(k, c.Eta)
}

// TimesLog is n log p, which is 0 where n is.
func TimesLog[T, B any](k kit.Calc[T, B], n, log T) T {
	some := k.Holds(arith.OGT, n, k.Num(0))
	return k.Pick(some, k.Mul(n, log), k.Num(0))
}

// BinomialOf is BinomialMass for the probability of a link. Where p or 1 - p is next to 0
// the terms do not cancel.
func BinomialOf[T, B any](k kit.Calc[T, B], x, y T, c Chance[T]) T {
	p, q := Shares(k, c)
	logP, logQ := Logs(k, c)
	n := k.Add(x, y)
	d := k.Pick(k.Holds(arith.OLT, p, k.Num(0.5)), k.Sub(x, k.Mul(n, p)), k.Sub(k.Mul(n, q), y))
	far := k.Add(k.Fn(special.Lchoose, n, x), k.Add(TimesLog(k, x, logP), TimesLog(k, y, logQ)))
	return k.Pick(isMiddling(k, p, q), BinomialMassFrom(k, x, y, p, q, d), far)
}

// leastShare is what is next to 0: of what is less, powers above the first do not count. Its square is a number, as
// derivatives of ratios need it.
const leastShare = 1e-140

// isMiddling holds where neither p nor 1 - p is next to 0.
func isMiddling[T, B any](k kit.Calc[T, B], p, q T) B {
	least := k.Num(leastShare)
	return k.And(k.Holds(arith.OGT, p, least), k.Holds(arith.OGT, q, least))
}

// TrialsTails are the tails of whether a trial, or one of n independent ones, succeeds: log (1 - p)^n
// and log (1 - (1 - p)^n).
func TrialsTails[T, B any](k kit.Calc[T, B], n T, c Chance[T]) (none, some T) {
	p, _ := Shares(k, c)
	logP, logQ := Logs(k, c)
	none = k.Mul(n, logQ)
	return none, k.Pick(k.Holds(arith.OLT, p, k.Num(leastShare)), k.Add(k.Log(n), logP), k.Fn(special.Log1mexp, none))
}

// NegativeOf is NegativeMass for the probability of a link.
func NegativeOf[T, B any](k kit.Calc[T, B], x, r T, c Chance[T]) T {
	p, q := Shares(k, c)
	logP, logQ := Logs(k, c)
	far := k.Add(k.Sub(k.Fn(special.Lgamma, k.Add(x, r)), k.Add(k.Fn(special.Lgamma, r), k.Fn(special.Logfact, x))),
		k.Add(k.Mul(r, logP), TimesLog(k, x, logQ)))
	return k.Pick(isMiddling(k, p, q), NegativeMassFrom(k, x, p, q, r), far)
}
