package sampler

import (
	"math"

	"github.com/irc-lang/irc/tools/stage"
)

// A Target gives the log density at Chain.Position, and writes its derivatives to Chain.Gradient. Without a density it is -Inf or NaN.
type Target func(s *stage.S) stage.Dyn[float64]

// A Random is a number by seed, stream and counter, the same in each call.
type Random func(s *stage.S, seed, stream, counter stage.Dyn[int64]) stage.Dyn[float64]

// Sources are what a chain asks for.
type Sources struct {
	Target          Target
	Uniform, Normal Random // between 0 and 1; standard normal
}

// chain is a chain under way.
type chain struct {
	Chain
	Settings
	Sources
	s      s
	n      whole            // coordinates
	stream stage.Dyn[int64] // of random numbers, of the iteration
	taken  stage.Dyn[int64] // of them
	weight num              // the logarithm of the sum of weights of the tree
	energy num              // at its start
	accept num              // sum of acceptance probabilities
	steps  whole            // leapfrog steps
	fell   truth            // a step diverged
}

// mostError is how far the energy may be from where it began: further out a trajectory has left the level set (Stan's limit).
const mostError = 1000

// each does something for each coordinate.
func (c *chain) each(f func(i whole)) {
	i := stage.Var[int](c.s, "i", 0)
	for c.s.While(i.Lt(c.n)) {
		f(i.Get())
		i.Set(i.Add(1))
	}
}

// sum adds up over coordinates.
func (c *chain) sum(f func(i whole) num) num {
	x := stage.Var[float64](c.s, "sum", 0)
	c.each(func(i whole) { x.Set(x.Add(f(i))) })
	return x.Get()
}

func (c *chain) copy(to, from row) { c.each(func(i whole) { to.set(i, from.get(i)) }) }

func (c *chain) number(which int) num       { return c.Numbers.At(which) }
func (c *chain) setNumber(which int, x any) { c.Numbers.Set(which, x) }
func (c *chain) ofLevel(l whole, r int) row { return c.row(l.Mul(levelRows).Add(levels + r)) }
func (c *chain) levelNumber(l whole, k int) whole {
	return l.Mul(levelNumbers).Add(numberCount + k)
}

func (c *chain) uniform() num {
	x := c.Uniform(c.s, c.Seed, c.stream.Get(), c.taken.Get())
	c.taken.Set(c.taken.Add(1))
	return x
}

// density asks the target; NaN is no density.
func (c *chain) density() num {
	x := c.Target(c.s)
	return stage.Select[float64](x.Eq(x), x, math.Inf(-1))
}

func (c *chain) position() row { return row{c.Position, stage.Lit(c.s, 0)} }
func (c *chain) gradient() row { return row{c.Gradient, stage.Lit(c.s, 0)} }

// kinetic is the energy of the momentum.
func (c *chain) kinetic() num {
	p, m := c.row(momentum), c.row(inverseMetric)
	return c.sum(func(i whole) num { return p.get(i).Mul(p.get(i)).Mul(m.get(i)) }).Mul(0.5)
}

// leapfrog makes a step from where position, momentum and gradient are, and gives the log density there.
func (c *chain) leapfrog(step num) num {
	p, m, q, g := c.row(momentum), c.row(inverseMetric), c.position(), c.gradient()
	half := step.Mul(0.5)
	c.each(func(i whole) {
		x := p.get(i).Add(half.Mul(g.get(i)))
		p.set(i, x)
		q.set(i, q.get(i).Add(step.Mul(m.get(i)).Mul(x)))
	})
	lp := c.density()
	c.each(func(i whole) { p.set(i, p.get(i).Add(half.Mul(g.get(i)))) })
	return lp
}

// refresh draws a momentum.
func (c *chain) refresh() {
	p, m := c.row(momentum), c.row(inverseMetric)
	first := c.taken.Get()
	c.each(func(i whole) {
		p.set(i, c.Normal(c.s, c.Seed, c.stream.Get(), first.Add(stage.To[int64](i))).Div(stage.Sqrt(m.get(i))))
	})
	c.taken.Set(c.taken.Add(stage.To[int64](c.n)))
}

// transition moves the sample by one trajectory. It doubles in a random direction until it turns back, and draws from its points by
// their weights, with more weight for the later half.
func (c *chain) transition() (depth whole) {
	c.refresh()
	c.copy(c.position(), c.row(sample))
	c.copy(c.gradient(), c.row(sampleGradient))
	lp := c.number(logDensity)
	start := c.kinetic().Sub(lp)
	c.energy.Set(start)
	c.weight.Set(0)
	c.accept.Set(0)
	c.steps.Set(0)
	c.fell.Set(false)
	for k := range stage.Range(c.s, 2) {
		end := []int{backward, forward}[k]
		c.copy(c.row(end), c.position())
		c.copy(c.row(end+1), c.gradient())
		c.copy(c.row(end+2), c.row(momentum))
	}
	c.copy(c.row(total), c.row(momentum))
	d := stage.Var[int](c.s, "depth", 0)
	goes := stage.Var[bool](c.s, "goes", true)
	for c.s.While(goes.And(d.Lt(c.MaxDepth))) {
		ahead := c.uniform().Lt(0.5)
		near, far := stage.Select[int](ahead, forward, backward), stage.Select[int](ahead, backward, forward)
		c.copy(c.position(), c.row(near))
		c.copy(c.gradient(), c.row(near.Add(1)))
		c.copy(c.row(momentum), c.row(near.Add(2)))
		valid := c.subtree(d.Get(), stage.Select[float64](ahead, c.number(stepSize), c.number(stepSize).Mul(-1)))
		if !c.s.If(valid) {
			break
		}
		d.Set(d.Add(1))
		zero := stage.Lit(c.s, 0)
		part := c.Numbers.At(c.levelNumber(zero, logWeight))
		if c.s.If(stage.Log(c.uniform()).Lt(part.Sub(c.weight))) {
			c.copy(c.row(sample), c.ofLevel(zero, proposal))
			c.copy(c.row(sampleGradient), c.ofLevel(zero, proposalGradient))
			c.setNumber(logDensity, c.Numbers.At(c.levelNumber(zero, proposalLogDensity)))
		}
		c.weight.Set(logAdd(c.weight.Get(), part))
		goes.Set(c.persists(c.row(far.Add(2)), c.row(near.Add(2)), c.row(total), zero))
		c.copy(c.row(near), c.position())
		c.copy(c.row(near.Add(1)), c.gradient())
		c.copy(c.row(near.Add(2)), c.row(momentum))
		t, part2 := c.row(total), c.ofLevel(zero, sumOfMomenta)
		c.each(func(i whole) { t.set(i, t.get(i).Add(part2.get(i))) })
	}
	return d.Get()
}

// subtree makes 2^depth steps from where position, gradient and momentum are. Each is a subtree of one point, and two neighbours of one
// size become one, so that level 0 has all in the end. It is not valid where a part of it turns back, or a step diverges.
func (c *chain) subtree(depth whole, step num) truth {
	top := stage.Var[int](c.s, "top", 0) // subtrees that are there
	leaf := stage.Var[int](c.s, "leaf", 0)
	valid := stage.Var[bool](c.s, "valid", true)
	count := stage.Lit(c.s, 1).Shl(depth)
	for c.s.While(valid.And(leaf.Lt(count))) {
		lp := c.leapfrog(step)
		c.steps.Set(c.steps.Add(1))
		h := c.kinetic().Sub(lp)
		gain := c.energy.Sub(h)
		gain = stage.Select[float64](gain.Eq(gain), gain, math.Inf(-1))
		c.accept.Set(c.accept.Add(stage.Select[float64](gain.Gt(0), 1.0, stage.Exp(gain))))
		if c.s.If(gain.Lt(-mostError)) {
			c.fell.Set(true)
			valid.Set(false)
		} else {
			l := top.Get()
			c.each(func(i whole) {
				p := c.row(momentum).get(i)
				c.ofLevel(l, firstMomentum).set(i, p)
				c.ofLevel(l, lastMomentum).set(i, p)
				c.ofLevel(l, sumOfMomenta).set(i, p)
				c.ofLevel(l, proposal).set(i, c.position().get(i))
				c.ofLevel(l, proposalGradient).set(i, c.gradient().get(i))
			})
			c.Numbers.Set(c.levelNumber(l, logWeight), gain)
			c.Numbers.Set(c.levelNumber(l, proposalLogDensity), lp)
			ones := stage.Var[int](c.s, "ones", leaf.Get()) // as often as the number of the leaf ends in ones, a pair is complete
			for c.s.While(valid.And(ones.And(1).Eq(1))) {
				valid.Set(c.merge(top.Sub(1)))
				top.Set(top.Sub(1))
				ones.Set(ones.Shr(1))
			}
			top.Set(top.Add(1))
			leaf.Set(leaf.Add(1))
		}
	}
	return valid.Get()
}

// merge makes one subtree of those of two levels, in the place of the first.
func (c *chain) merge(a whole) truth {
	b := a.Add(1)
	goes := c.persists(c.ofLevel(a, firstMomentum), c.ofLevel(a, lastMomentum), c.ofLevel(a, sumOfMomenta), b)
	weightA, weightB := c.Numbers.At(c.levelNumber(a, logWeight)), c.Numbers.At(c.levelNumber(b, logWeight))
	sum := logAdd(weightA, weightB)
	if c.s.If(stage.Log(c.uniform()).Lt(weightB.Sub(sum))) {
		c.copy(c.ofLevel(a, proposal), c.ofLevel(b, proposal))
		c.copy(c.ofLevel(a, proposalGradient), c.ofLevel(b, proposalGradient))
		c.Numbers.Set(c.levelNumber(a, proposalLogDensity), c.Numbers.At(c.levelNumber(b, proposalLogDensity)))
	}
	c.Numbers.Set(c.levelNumber(a, logWeight), sum)
	rho, more := c.ofLevel(a, sumOfMomenta), c.ofLevel(b, sumOfMomenta)
	c.each(func(i whole) { rho.set(i, rho.get(i).Add(more.get(i))) })
	c.copy(c.ofLevel(a, lastMomentum), c.ofLevel(b, lastMomentum))
	return goes
}

// persists says that a trajectory of two parts, the first of which ends where the subtree of a level begins, turns back nowhere: not from end to
// end, and not from the end of either part to the nearest point of the other. A trajectory turns back where the velocity at an end does
// not point along the sum of the momenta (Betancourt 2017, appendix A.4.2).
func (c *chain) persists(first, last, sum row, level whole) truth {
	m := c.row(inverseMetric)
	begin, end, more := c.ofLevel(level, firstMomentum), c.ofLevel(level, lastMomentum), c.ofLevel(level, sumOfMomenta)
	var dots [6]num
	for k := range stage.Range(c.s, len(dots)) {
		dots[k] = stage.Var[float64](c.s, "dot", 0)
	}
	c.each(func(i whole) {
		whole, early, late := sum.get(i).Add(more.get(i)), sum.get(i).Add(begin.get(i)), more.get(i).Add(last.get(i))
		scale := m.get(i)
		add := func(k int, p row, rho num) { dots[k].Set(dots[k].Add(p.get(i).Mul(rho).Mul(scale))) }
		add(0, first, whole)
		add(1, end, whole)
		add(2, first, early)
		add(3, begin, early)
		add(4, last, late)
		add(5, end, late)
	})
	goes := dots[0].Gt(0)
	for k := range stage.Range(c.s, len(dots)-1) {
		goes = goes.And(dots[k+1].Gt(0))
	}
	return goes
}

// logAdd is log(exp(x) + exp(y)).
func logAdd(x, y num) num {
	most := x.Max(y)
	sum := most.Add(stage.Log1p(stage.Exp(x.Min(y).Sub(most))))
	return stage.Select[float64](most.Eq(math.Inf(-1)), most, sum)
}
