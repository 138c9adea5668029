package eval

import (
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
)

// Count is how many values an expression has, without evaluating it: the sum of a slice is
// one number, however long that is. ok is false where only its evaluation tells, or finds
// the words for what is wrong. Its elements exist, which the search for dependences has seen.
func (f *Frame) Count(e syntax.Expr) (n int, ok bool) {
	switch e := e.(type) {
	case *syntax.Num:
		return 1, true
	case *syntax.Ref:
		if b := f.Model.Bindings[e]; b.Level > 0 {
			return 1, true
		}
		return f.countOf(e)
	case *syntax.Range:
		return f.countOf(e)
	case *syntax.Unary:
		return f.Count(e.X)
	case *syntax.Binary:
		if e.Op == syntax.OpMatMul {
			return 0, false
		}
		return f.countElementwise(e.X, e.Y)
	case *syntax.Call:
		return f.countCall(e)
	}
	return 0, false
}

// countOf is the product of the extents of a part of an array, or of a range.
func (f *Frame) countOf(e syntax.Expr) (int, bool) {
	if r, is := e.(*syntax.Range); is {
		lo, err := f.Integer(r.From, "the start of a range")
		if err != nil {
			return 0, false
		}
		hi, err := f.Integer(r.To, "the end of a range")
		return max(hi-lo+1, 0), err == nil && hi-lo <= function.MaxRange
	}
	dims, err := f.extentsOf(e)
	return ir.Elements(dims), err == nil
}

// countElementwise is that of a function of numbers: of its arguments those that have not
// one value have equally many.
func (f *Frame) countElementwise(args ...syntax.Expr) (int, bool) {
	n := 1
	for _, a := range args {
		k, ok := f.Count(a)
		if !ok || k != 1 && n != 1 && k != n {
			return 0, false
		}
		if k != 1 {
			n = k
		}
	}
	return n, true
}

func (f *Frame) countCall(c *syntax.Call) (int, bool) {
	name := function.Canonical(c)
	if function.Reductions[name] != nil {
		all := 0
		for _, a := range c.Args {
			n, ok := f.Count(a)
			if !ok {
				return 0, false
			}
			all += n
		}
		return 1, all > 0 || function.MayBeEmpty[name]
	}
	if name == "inprod" && len(c.Args) == 2 {
		n, ok := f.Count(c.Args[0])
		m, ok2 := f.Count(c.Args[1])
		return 1, ok && ok2 && n == m && n > 0
	}
	if function.ScalarFunction(name) != nil {
		return f.countElementwise(c.Args...)
	}
	return 0, false
}
