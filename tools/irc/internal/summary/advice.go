package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/lists"
)

// An Advice says what is wrong with a run, of which quantities, and what to do about it.
type Advice struct {
	Kind, What, Fix string   // Kind: complete, rhat, ess, divergent, treedepth, energy, chains, missing
	Of              []string // the worst first
}

// The limits are those of Vehtari et al. 2021, and of Betancourt 2016.
const (
	mostRhat       = 1.01
	leastESS       = 100.0 // of each chain
	leastEBFMI     = 0.3
	shownOfAdvice  = 5
	enoughOfChains = 4
)

// advise lists what is wrong, the worst first.
func (s *Summary) advise() {
	add := func(kind string, of []string, fix, format string, args ...any) {
		s.Advice = append(s.Advice, Advice{kind, fmt.Sprintf(format, args...), fix, of})
	}
	if len(s.broken) > 0 {
		add("complete", nil, "the chains are shorter than they were to be, and the last draws are missing: sample again, or be content with these", "the run of %s broke off", strings.Join(s.broken, ", "))
	}
	if of := s.worst(func(r Row) float64 { return float64(r.Unknown) }, 0); len(of) > 0 {
		add("missing", of, "find out at which parameters the model has no value: its quantities are not defined there", "%s draws that are no numbers, and nothing is said of them", counted(len(of), "quantity has", "quantities have"))
	}
	if of := s.worst(func(r Row) float64 { return r.Rhat }, mostRhat); len(of) > 0 {
		add("rhat", of, "do not use the draws. Run longer; if that does not help, chains have found places that they do not leave: look whether the quantities are told apart by the data, give them tighter priors, or write the model with other parameters",
			"the chains have not mixed: R-hat of %s is over %v", counted(len(of), "quantity", "quantities"), mostRhat)
	}
	least := leastESS * float64(s.Chains)
	if of := s.worst(func(r Row) float64 { return -min(r.BulkESS, r.TailESS) }, -least); len(of) > 0 {
		add("ess", of, "run longer: the errors of mean and quantiles fall with the square root of the size", "%s fewer than %v effective draws, in the bulk or in the tails", counted(len(of), "quantity has", "quantities have"), least)
	}
	if s.Divergent > 0 {
		add("divergent", nil, "the draws miss a part of the posterior where it is narrow. Take shorter steps (-target-accept=0.95; Stan: adapt_delta), and write groups of which each has few data as scaled standard normal quantities",
			"%d of %d transitions diverged", s.Divergent, s.Chains*s.Draws)
	}
	if s.Saturated > 0 {
		add("treedepth", nil, "the draws are right, and each takes long. Bring the quantities to one scale, or raise -max-depth", "%d of %d transitions ended at the limit of their length, a tree of depth %d", s.Saturated, s.Chains*s.Draws, s.MaxDepth)
	}
	if low := slices.IndexFunc(s.EBFMI, func(x float64) bool { return x < leastEBFMI }); low >= 0 {
		add("energy", nil, "the tails are explored slowly: a scale varies over orders of magnitude. Give it a prior that bounds it, or write what it scales as scaled standard normal quantities",
			"E-BFMI of chain %d is %.2g, and under %v the momentum does not move the energy", low+1, s.EBFMI[low], leastEBFMI)
	}
	if s.Chains < enoughOfChains {
		add("chains", nil, "run four, from places far apart", "%s: whether others end elsewhere is not known", counted(s.Chains, "chain", "chains"))
	}
}

// worst names the quantities of which a number is over a limit, the largest first.
func (s *Summary) worst(of func(Row) float64, limit float64) []string {
	over := lists.Filter(s.Rows, func(r Row) bool { return of(r) > limit })
	slices.SortStableFunc(over, func(a, b Row) int { return cmp.Compare(of(b), of(a)) })
	return lists.Map(over, func(r Row) string { return r.Name })
}

// String is an advice as a paragraph.
func (a Advice) String() string {
	out := a.What
	if n := len(a.Of); n > 0 {
		out += ": " + strings.Join(a.Of[:min(n, shownOfAdvice)], ", ")
		if n > shownOfAdvice {
			out += fmt.Sprintf(" and %d more", n-shownOfAdvice)
		}
	}
	return out + "\n  " + a.Fix
}

// counted is a number and what is counted.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
