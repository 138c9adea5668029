package sampler

import (
	"math"

	"github.com/irc-lang/irc/tools/stage"
)

// Dual averaging (Hoffman and Gelman 2014, section 3.2) draws the step size to where trajectories accept as often as they shall.
const (
	shrinkage = 0.05 // gamma: how fast the logarithm of the step goes to its goal
	delay     = 10   // t0: iterations that count less
	decay     = 0.75 // kappa: how fast earlier ones are forgotten
)

// The metric is estimated from draws and gradients at once: of a normal density the variance of a coordinate is the ratio of the standard
// deviations of draws and gradients, even of few draws. It is that of the last draws: an estimator collects them, and after
// so many iterations the one that began later takes its place. The last part of the warm-up leaves the metric as it is.
const (
	earlyPart   = 0.3
	lastPart    = 0.15
	earlyWindow = 10
	lateWindow  = 80
	leastScale  = 1e-20
	mostScale   = 1e20
)

// begin starts a chain at its position: the density, a first metric of the slopes there, and a step size.
func (c *chain) begin() {
	lp := c.density()
	c.setNumber(logDensity, lp)
	c.copy(c.row(sample), c.position())
	c.copy(c.row(sampleGradient), c.gradient())
	c.each(func(i whole) {
		c.row(inverseMetric).set(i, clamped(stage.Lit(c.s, 1.0).Div(stage.Abs(c.gradient().get(i)))))
		for k := range stage.Range(c.s, 8) {
			c.row(estimators+k).set(i, 0.0)
		}
	})
	c.setNumber(foreground, 0.0)
	c.setNumber(background, 0.0)
	c.setNumber(stepSize, 0.1)
	c.findStep()
	c.restart()
}

// clamped is a scale between its limits, 1 of what is none.
func clamped(x num) num {
	x = stage.Select[float64](x.Eq(x), x, 1.0)
	return x.Max(leastScale).Min(mostScale)
}

// findStep doubles or halves the step until one step changes the density by as much as half of the acceptance that is wanted.
func (c *chain) findStep() {
	step := stage.Var[float64](c.s, "step", c.number(stepSize))
	grows := stage.Var[bool](c.s, "grows", true)
	tries := stage.Var[int](c.s, "tries", 0)
	goes := stage.Var[bool](c.s, "goes", true)
	for c.s.While(goes.And(tries.Lt(50))) {
		c.refresh()
		c.copy(c.position(), c.row(sample))
		c.copy(c.gradient(), c.row(sampleGradient))
		before := c.number(logDensity).Sub(c.kinetic())
		gain := c.leapfrog(step.Get()).Sub(c.kinetic()).Sub(before)
		accepts := gain.Gt(math.Log(0.8))
		if c.s.If(tries.Eq(0)) {
			grows.Set(accepts)
		}
		if c.s.If(grows.Eq(accepts)) {
			step.Set(stage.Select[float64](accepts, step.Mul(2), step.Div(2)))
		} else {
			goes.Set(false)
		}
		tries.Set(tries.Add(1))
	}
	c.setNumber(stepSize, step.Get())
}

// restart forgets what is known of the step size but its value.
func (c *chain) restart() {
	log := stage.Log(c.number(stepSize))
	c.setNumber(stepGoal, log.Add(math.Log(10)))
	c.setNumber(stepMean, 0.0)
	c.setNumber(stepBias, 0.0)
	c.setNumber(stepCount, 0.0)
}

// adaptStep takes the acceptance of one iteration.
func (c *chain) adaptStep(accepted num) {
	t := c.number(stepCount).Add(1)
	c.setNumber(stepCount, t)
	weight := stage.Lit(c.s, 1.0).Div(t.Add(delay))
	bias := c.number(stepBias).Mul(stage.Lit(c.s, 1.0).Sub(weight)).Add(weight.Mul(c.TargetAccept.Sub(accepted)))
	c.setNumber(stepBias, bias)
	log := c.number(stepGoal).Sub(bias.Mul(stage.Sqrt(t)).Div(shrinkage))
	part := stage.Pow(t, -decay)
	c.setNumber(stepMean, part.Mul(log).Add(stage.Lit(c.s, 1.0).Sub(part).Mul(c.number(stepMean))))
	c.setNumber(stepSize, stage.Exp(log))
}

// adaptMetric takes the sample of one iteration.
func (c *chain) adaptMetric(at whole) {
	count, more := c.number(foreground).Add(1), c.number(background).Add(1)
	c.each(func(i whole) {
		for k := range stage.Range(c.s, 4) {
			n := count
			if k >= 2 {
				n = more
			}
			x := c.row(sample + k%2).get(i)
			mean, squares := c.row(estimators+2*k), c.row(estimators+2*k+1)
			d := x.Sub(mean.get(i)) // Welford 1962
			mean.set(i, mean.get(i).Add(d.Div(n)))
			squares.set(i, squares.get(i).Add(d.Mul(x.Sub(mean.get(i)))))
		}
		if c.s.If(count.Gt(2.5)) {
			ratio := stage.Sqrt(c.row(estimators + 1).get(i).Div(c.row(estimators + 3).get(i)))
			usable := ratio.Gt(0).And(ratio.Lt(math.Inf(1)))
			c.row(inverseMetric).set(i, clamped(stage.Select[float64](usable, ratio, c.row(inverseMetric).get(i))))
		}
	})
	c.setNumber(foreground, count)
	c.setNumber(background, more)
	window := stage.Select[float64](stage.To[float64](at).Lt(stage.To[float64](c.Warmup).Mul(earlyPart)), float64(earlyWindow), float64(lateWindow))
	if c.s.If(more.Ge(window)) {
		c.each(func(i whole) {
			for k := range stage.Range(c.s, 4) {
				c.row(estimators+k).set(i, c.row(newEstimators+k).get(i))
				c.row(newEstimators+k).set(i, 0.0)
			}
		})
		c.setNumber(foreground, more)
		c.setNumber(background, 0.0)
	}
}

// Iterate makes some iterations of a chain, warm-up first. The first of all begins at the position.
func Iterate(from Sources) func(s *stage.S, memory Chain, settings Settings, iterations stage.Dyn[int]) {
	return func(s *stage.S, memory Chain, settings Settings, iterations stage.Dyn[int]) {
		c := &chain{Chain: memory, Settings: settings, Sources: from, s: s, n: memory.Position.Len()}
		c.stream, c.taken = stage.Var[int64](s, "stream", 0), stage.Var[int64](s, "taken", 0)
		c.weight, c.energy, c.accept = stage.Var[float64](s, "weight", 0), stage.Var[float64](s, "energy", 0), stage.Var[float64](s, "accept", 0)
		c.steps, c.fell = stage.Var[int](s, "steps", 0), stage.Var[bool](s, "fell", false)
		k := stage.Var[int](s, "k", 0)
		for s.While(k.Lt(iterations)) {
			at := stage.To[int](c.number(iteration))
			c.stream.Set(settings.Chain.Shl(40).Add(stage.To[int64](at)))
			c.taken.Set(0)
			if s.If(at.Eq(0)) {
				c.begin()
			}
			if s.If(at.Eq(settings.Warmup).And(at.Gt(0))) {
				c.setNumber(stepSize, stage.Exp(c.number(stepMean)))
			}
			depth := c.transition()
			c.report(k.Get(), depth)
			if s.If(at.Lt(settings.Warmup)) {
				c.adaptStep(c.accept.Div(stage.To[float64](c.steps)))
				if s.If(stage.To[float64](at).Lt(stage.To[float64](settings.Warmup).Mul(1 - lastPart))) {
					c.adaptMetric(at)
				}
			}
			c.setNumber(iteration, stage.To[float64](at.Add(1)))
			k.Set(k.Add(1))
		}
	}
}

// report writes what came of an iteration.
func (c *chain) report(k, depth whole) {
	to := row{c.Draws, k.Mul(c.n)}
	c.copy(to, c.row(sample))
	stats := []num{c.number(logDensity), c.accept.Div(stage.To[float64](c.steps)), c.number(stepSize), stage.To[float64](depth), stage.To[float64](c.steps),
		stage.Select[float64](c.fell, 1.0, 0.0), c.energy.Get()}
	for i := range stage.Range(c.s, len(stats)) {
		c.Stats.Set(k.Mul(len(Stats)).Add(i), stats[i])
	}
}
