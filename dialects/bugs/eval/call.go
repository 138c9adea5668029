package eval

import (
	"errors"
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// callArray applies a function to arrays.
func (f *Frame) callArray(c *syntax.Call) (function.Value, error) {
	name := function.Canonical(c)
	if x, ok := f.folded(c, name); ok {
		return function.Value{V: []float64{x}}, nil
	}
	args := make([]function.Value, len(c.Args))
	var all []float64
	for i, a := range c.Args {
		x, err := f.Array(a)
		if err != nil {
			return function.Value{}, err
		}
		args[i] = x
		all = append(all, function.ByColumns(x)...)
	}
	if r := function.Reductions[name]; r != nil {
		if len(all) == 0 && !function.MayBeEmpty[name] {
			return function.Value{}, diag.Errorf(c.Span(), "%s of no elements", c.Name).WithFix("let the range hold at least one element")
		}
		return function.Value{V: []float64{r(all)}}, nil
	}
	if fn := function.ScalarFunction(name); fn != nil {
		return function.Elementwise(c, fn, args)
	}
	if name == "c" {
		return function.Value{Dims: []int{len(all)}, V: all}, nil
	}
	fn := function.ArrayFunctions[name]
	if len(args) > 1 && function.ArrayOpOf(name+".one") != nil {
		name += ".one"
	}
	if op := function.ArrayOpOf(name); op != nil {
		fn = op.InGo
	}
	if fn == nil {
		return function.Value{}, function.Unsupported(c.NameAt, "the function "+c.Name)
	}
	out, err := fn(args)
	switch {
	case err == nil:
		return out, nil
	case f.shape && !errors.As(err, new(function.Misshapen)) && slices.ContainsFunc(all, math.IsNaN):
		return out, ErrUnknown
	}
	return out, diag.Errorf(c.Span(), "%s: %v", c.Name, err).WithFix("the form is %s", syntax.LookupFunction(c.Name).Signature())
}
