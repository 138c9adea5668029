package prob

import (
	"slices"

	"github.com/irc-lang/irc/dialects/prob/kit"
)

// What tests of package prob_test use of those here.
var Samples = samples

const LeastP = leastP

// Agreement is the p-value of a sample of a law.
func Agreement(law string, xs, p []float64) float64 {
	return agreement(law, slices.Clone(xs), p, -kit.Inf, kit.Inf)
}
