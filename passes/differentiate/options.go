package differentiate

import (
	"fmt"
	"slices"
	"strings"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// find is the function.
func (d *Differentiate) find(g *ir.Graph) (f ir.Node, err error) {
	var all []ir.Node
	for n := range g.All() {
		if n.Def() == funcs.Func && len(n.Children()) == 1 && n.Children()[0].HasBlock(ir.Root) {
			all = append(all, n)
		}
	}
	names := lists.Map(all, symbols.Of)
	switch i := slices.Index(names, d.Of); {
	case i >= 0:
		f = all[i]
	case len(all) == 0:
		return f, fmt.Errorf("the module has no function with a body, and there is nothing to derive")
	case d.Of != "":
		return f, d.unknown(all, names)
	case len(all) != 1:
		return f, at(all[0], "the module has %d functions: say which one with of=NAME, as of=%s", len(all), names[0])
	default:
		f = all[0]
	}
	name := symbols.Of(f) + d.suffix()
	if symbols.Defined(g)[name] {
		return f, f.Errorf("@%s has derivatives, or another symbol the name @%s: rename it", symbols.Of(f), name)
	}
	return f, nil
}

// unknown is the error of a name that no function with a body has.
func (d *Differentiate) unknown(all []ir.Node, names []string) error {
	if near := diag.Nearest(d.Of, names); near != "" {
		return at(all[slices.Index(names, near)], "there is no function @%s with a body: did you mean of=%s?", d.Of, near)
	}
	shown := names[:min(len(names), diag.MaxNames)]
	return at(all[0], "there is no function @%s with a body; there is @%s", d.Of, strings.Join(shown, ", @"))
}

// at is an error with the place of a function that it does not say something of.
func at(f ir.Node, format string, args ...any) error {
	err := f.Errorf(format, args...)
	if e, ok := err.(*ir.OpError); ok {
		e.Op = ""
	}
	return err
}

// refused is what is wrong with the arguments that the options name, and with those of which they say nothing.
func (d *Differentiate) refused(f ir.Node, g *ir.Graph) error {
	params := g.Params(ir.Root)
	var floats []string // by which it can be derived
	for i, p := range params {
		t := g.Type(p)
		switch isNamed := len(d.WRT) > 0 || slices.Contains(d.Constant, i); {
		case isFloat(g.Ctx, t) || isFloats(g.Ctx, t):
			floats = append(floats, fmt.Sprint(i))
		case !isNamed && isAbove(g.Ctx, t):
			return f.Errorf("has argument %d, which is neither a float nor memory: lower it first, with lower{to=affine},lower-affine,lower{to=scf}, or name it in constant", i)
		}
	}
	for k, i := range slices.Concat(d.WRT, d.Constant) {
		switch {
		case i < 0 || i >= len(params):
			return f.Errorf("has no argument %d: it has %d, from 0", i, len(params))
		case k < len(d.WRT) && !slices.Contains(floats, fmt.Sprint(i)):
			return f.Errorf("cannot be derived by argument %d, which is neither a float nor memory of floats; what it can be derived by: wrt={%s}", i, strings.Join(floats, ","))
		case k < len(d.WRT) && slices.Contains(d.Constant, i):
			return f.Errorf("cannot be derived by argument %d, which is in wrt and in constant: leave it out of one", i)
		case k < len(d.WRT) && slices.Contains(d.WRT[:k], i):
			return f.Errorf("has argument %d in wrt twice: leave one out", i)
		}
	}
	for i, y := range g.Yields(ir.Root) {
		if t := g.Type(y); isAbove(g.Ctx, t) && !isFloat(g.Ctx, t) {
			return f.Errorf("gives result %d, which is neither a float nor memory: lower it first, or give a float that is made of it", i)
		}
	}
	return nil
}

// nothing is the error of a function without derivatives, where all arguments were to have some.
func (d *Differentiate) nothing(f ir.Node, s *signature) error {
	written := writtenArgs(s.g, s.recursion)
	writes := slices.ContainsFunc(s.shadows, func(i int) bool { return written[s.g.Params(ir.Root)[i]] })
	switch {
	case len(d.WRT)+len(d.Constant) > 0:
		return nil
	case len(s.asked())+len(s.shadows) == 0:
		return f.Errorf("takes no float and no memory of floats, by which it could be derived: give it some as arguments")
	case len(s.seeds) == 0 && !writes:
		return f.Errorf("gives no float and writes no memory of floats, and nothing else has derivatives: let it return a float, or store one in an argument")
	}
	return nil
}

// isAbove reports a type that becomes memory or floats in the lowering pipeline.
func isAbove(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	return info.Kind == ir.KindTensor && isFloat(c, info.Elem) || c.LoweringOf(t) != nil || info.Kind == ir.KindMemRef && c.LoweringOf(info.Elem) != nil
}
