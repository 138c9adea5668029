package main

// samplers break the chains of irc sample, and what is said of draws.
var samplers = []breakage{
	{Name: "nuts-ends-alone", File: "tools/irc/internal/sampler/nuts.go", Old: "valid.Set(c.merge(top.Sub(1)))", New: "c.merge(top.Sub(1))",
		Breaks: "a trajectory is asked at its ends alone whether it turns back, and not within"},
	{Name: "nuts-biased-choice", File: "tools/irc/internal/sampler/nuts.go", Old: "Lt(weightB.Sub(sum))", New: "Lt(weightB.Sub(weightA))",
		Breaks: "of two subtrees the later one is preferred where all have the same right"},
	{Name: "nuts-weights", File: "tools/irc/internal/sampler/nuts.go", Old: "c.Numbers.Set(c.levelNumber(a, logWeight), sum)", New: "c.Numbers.Set(c.levelNumber(a, logWeight), weightA)",
		Breaks: "two subtrees weigh as much as the first"},
	{Name: "nuts-adapts-on", File: "tools/irc/internal/sampler/adapt.go", Old: "if s.If(at.Lt(settings.Warmup)) {", New: "if s.If(at.Ge(0)) {",
		Breaks: "the step size goes on to adapt after the warm-up"},
	{Name: "nuts-momentum-kept", File: "tools/irc/internal/sampler/nuts.go", Old: "\tc.refresh()\n\tc.copy(c.position(), c.row(sample))", New: "\tc.copy(c.position(), c.row(sample))",
		Breaks: "the momentum is not drawn again"},
	{Name: "nuts-number-twice", File: "tools/irc/internal/sampler/nuts.go", Old: "c.taken.Set(c.taken.Add(1))", New: "c.taken.Set(c.taken.Get())",
		Breaks: "one number of the generator serves several choices"},
	{Name: "nuts-step", File: "tools/irc/internal/sampler/nuts.go", Old: "c.each(func(i whole) { p.set(i, p.get(i).Add(half.Mul(g.get(i)))) })", New: "c.each(func(i whole) { p.set(i, p.get(i).Add(step.Mul(g.get(i)))) })",
		Breaks: "a leapfrog step is no leapfrog step"},
	{Name: "nuts-step-of-warmup", File: "tools/irc/internal/sampler/adapt.go", Old: "c.setNumber(stepSize, stage.Exp(c.number(stepMean)))\n\t\t\t}", New: "}",
		Breaks: "the step size after the warm-up is the last one, and not the mean"},
	{Name: "rhat-whole-chains", File: "tools/irc/internal/mcmc/rhat.go", Old: "x.halves().normalScores().rhat(), folded", New: "x.normalScores().rhat(), folded",
		Breaks: "a chain that drifts agrees with itself"},
	{Name: "ess-monotone", File: "tools/irc/internal/mcmc/ess.go", Old: "if rho[k]+rho[k+1] > rho[k-2]+rho[k-1] {", New: "if rho[k]+rho[k+1] > 2*(rho[k-2]+rho[k-1]) {",
		Breaks: "autocorrelations that grow count"},
	{Name: "psis-order", File: "tools/irc/internal/mcmc/psis.go", Old: "(float64(i)+0.5)/float64(tail)", New: "float64(i)/float64(tail)",
		Breaks: "the smoothed weights are the quantiles of other ranks"},
}
