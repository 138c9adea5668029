package simplify

import (
	"fmt"
	"slices"
	"strings"
)

// text writes a cost in the names of the parameters.
func (s *search) text(c cost) string {
	if len(c) == 0 {
		return "0"
	}
	var sum []string
	for _, m := range c {
		var product []string
		for i, e := range m {
			switch {
			case e == 1:
				product = append(product, s.program.Params[i])
			case e > 1:
				product = append(product, fmt.Sprintf("%s^%d", s.program.Params[i], e))
			}
		}
		if len(product) == 0 {
			product = []string{"1"}
		}
		sum = append(sum, strings.Join(product, "*"))
	}
	return strings.Join(sum, " + ")
}

// report says what becomes of the reductions of an equation.
func (s *search) report(e *Equation, plans []*plan) (Report, error) {
	r := Report{Equation: e}
	var before, after cost
	for _, x := range plans {
		c, err := s.costOf(x.red.domain)
		if err != nil {
			return r, err
		}
		before, after = s.order.plus(before, c), s.order.plus(after, x.cost)
		r.Losses += x.losses
		s.steps(x, 0, &r.Steps)
	}
	r.Before, r.After = s.text(before), s.text(after)
	r.Changed = slices.ContainsFunc(plans, func(x *plan) bool { return x.how != asItIs })
	r.Refused = slices.Clone(s.refused)
	return r, nil
}

// steps tells a plan, a line for each reduction.
func (s *search) steps(x *plan, depth int, out *[]string) {
	whole, _ := s.costOf(x.red.domain)
	line := strings.Repeat("  ", depth) + x.red.domain.String() + ": "
	switch x.how {
	case asItIs:
		line += "as it is"
	case reuse:
		line += "reuses along " + vectorText(x.move.vector)
		if n := len(x.move.removed); n > 0 {
			line += fmt.Sprintf(", subtracting on %d", n)
		}
	case equal:
		line += "is equal along " + vectorText(x.move.vector)
	case decomposed:
		line += "decomposed, with an answer for each (" + strings.Join(x.inner.Extent.Tuple().Dims(), ", ") + ")"
	case factored:
		line += "factored"
	default:
		line += string(x.how)
	}
	*out = append(*out, fmt.Sprintf("%s, %s -> %s", line, s.text(whole), s.text(x.cost)))
	for _, c := range x.children {
		s.steps(c, depth+1, out)
	}
}
