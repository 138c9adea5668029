package source

import "github.com/irc-lang/irc/ir"

// What a view must be is one condition of parts that run in order: a part may rely on those before it,
// so that no product or sum is too large and no divisor is 0.

func or(x, y Expr) Expr {
	switch {
	case x.Constant:
		return map[bool]Expr{true: x, false: y}[x.Num != 0]
	case y.Constant && y.Num == 0:
		return x
	}
	return Binary(LogicalOr, "||", x, y)
}

func and(x, y Expr) Expr {
	switch {
	case x.Constant:
		return map[bool]Expr{true: y, false: x}[x.Num != 0]
	case y.Constant && y.Num != 0:
		return x
	}
	both := Binary(LogicalAnd, "&&", x, y)
	return Made(Primary, "("+both.Text+")", both) // compilers of C warn of what many read otherwise
}

// compared are places, of which those that are constants are compared here.
func compared(op string, x, y Expr) Expr {
	if x.Constant && y.Constant {
		return Boolean(map[string]bool{"<": x.Num < y.Num, ">": x.Num > y.Num, "==": x.Num == y.Num, "!=": x.Num != y.Num}[op])
	}
	prec := Relation
	if op[1:] == "=" {
		prec = Equality
	}
	return Binary(prec, op, x, y)
}

// conditions are made of numbers, and of what they test, alone: nothing is written.
type conditions struct{ m *Module }

// difference and quotient are of places that are not negative, the second of one that is not 0.
func (c conditions) difference(x, y Expr) Expr {
	switch {
	case x.Constant && y.Constant:
		return c.m.Number(x.Num - y.Num)
	case y.Constant && y.Num == 0:
		return x
	}
	return Binary(Sum, "-", x, y)
}

func (c conditions) quotient(x, y Expr) Expr {
	switch {
	case x.Constant && y.Constant:
		return c.m.Number(x.Num / y.Num)
	case y.Constant && y.Num == 1:
		return x
	}
	return Binary(Product, "/", x, y)
}

// checkSizes checks that the sizes of a view are not negative.
func (f *Function) checkSizes(sizes []Expr) {
	bad := Boolean(false)
	for _, n := range sizes {
		bad = or(bad, compared("<", n, f.Number(0)))
	}
	f.Check(bad, "a size of a view is negative")
}

// full reports sizes of which none is 0.
func (c conditions) full(sizes []Expr) Expr {
	full := Boolean(true)
	for _, n := range sizes {
		full = and(full, compared("!=", n, c.m.Number(0)))
	}
	return full
}

// leaves reports that steps of strides from a place on lead out of an array of so many places; no size is 0.
// A stride that is not known is the only one.
func (c conditions) leaves(at, extent Expr, sizes, strides []Expr) Expr {
	zero, one := c.m.Number(0), c.m.Number(1)
	bad := or(compared("<", at, zero), compared("<", c.difference(extent, one), at))
	above, below := c.difference(c.difference(extent, one), at), at
	for i, s := range strides {
		steps := c.difference(sizes[i], one)
		if !s.Constant {
			up := and(compared(">", s, zero), compared(">", steps, c.quotient(above, s)))
			down := and(compared("<", s, zero), compared(">", Binary(Sum, "+", c.quotient(below, s), steps), zero))
			return or(bad, or(up, down))
		}
		left, step := &above, s
		switch {
		case s.Num == 0:
			continue
		case s.Num < 0:
			left, step = &below, c.m.Number(max(-s.Num, 1))
		}
		bad = or(bad, compared(">", steps, c.quotient(*left, step)))
		if i < len(strides)-1 && step.Num == 1 {
			*left = c.difference(*left, steps)
		} else if i < len(strides)-1 {
			*left = c.difference(*left, Binary(Product, "*", steps, step))
		}
	}
	return bad
}

// splits reports that a product of sizes is not n.
func (c conditions) splits(n Expr, sizes []Expr) Expr {
	known, open := int64(1), []Expr(nil)
	for _, s := range sizes {
		if s.Constant {
			known = ir.Times(known, s.Num)
		} else {
			open = append(open, s)
		}
	}
	switch {
	case known == 0:
		return compared("!=", n, c.m.Number(0))
	case len(open) == 0:
		return compared("!=", n, c.m.Number(known))
	}
	return c.divided(n, append([]Expr{c.m.Number(known)}, open...))
}

// divided reports that n is not the product of sizes, of which the last may be 0 as the others may if they are open.
func (c conditions) divided(n Expr, sizes []Expr) Expr {
	s, zero := sizes[0], c.m.Number(0)
	switch {
	case len(sizes) == 1:
		return compared("!=", n, s)
	case s.Constant && s.Num == 1:
		return c.divided(n, sizes[1:])
	}
	bad := or(compared("!=", Binary(Product, "%", n, s), zero), c.divided(c.quotient(n, s), sizes[1:]))
	if s.Constant {
		return bad
	}
	return or(and(compared("==", s, zero), compared("!=", n, zero)), and(compared("!=", s, zero), bad))
}
