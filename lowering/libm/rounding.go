package libm

import "github.com/irc-lang/irc/dialects/math"

// roundings are the functions of Options.Roundings: exact, for processors that have no instruction for them.
var roundings = []Function{
	{Op: math.Roundeven, lower: roundeven},
	{Op: math.Floor, lower: func(e *env, x []val) val { return e.floorOf(x[0]) }},
	{Op: math.Ceil, lower: ceil},
	{Op: math.Trunc, lower: trunc},
	{Op: math.Round, lower: roundAway},
}

// roundeven adds, and takes off, the least number whose neighbour is 1 away: the sum is rounded as the result is to be.
// Numbers from that on are integers.
func roundeven(e *env, x []val) val {
	a, whole := e.abs(x[0]), e.by(1<<23, 1<<52)
	r := e.sub(e.add(a, e.num(whole)), e.num(whole))
	return e.copysign(e.pick(e.lt(a, whole), r, a), x[0])
}

func (e *env) floorOf(x val) val {
	r := roundeven(e, []val{x})
	return e.pick(e.less(x, r), e.sub(r, e.num(1)), r)
}

// ceil has the sign of its argument: that of -0.5 is -0.
func ceil(e *env, x []val) val {
	r := roundeven(e, x)
	return e.copysign(e.pick(e.less(r, x[0]), e.add(r, e.num(1)), r), x[0])
}

func trunc(e *env, x []val) val { return e.copysign(e.floorOf(e.abs(x[0])), x[0]) }

// roundAway rounds halves away from 0. What is left of the argument behind its point is exact.
func roundAway(e *env, x []val) val {
	a := e.abs(x[0])
	t := e.floorOf(a)
	return e.copysign(e.pick(e.ge(e.sub(a, t), 0.5), e.add(t, e.num(1)), t), x[0])
}
