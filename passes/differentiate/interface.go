package differentiate

import (
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// An Interface is what the derivatives of a function take and give, for who calls them: the arguments of the function, then a
// value for each of Seeds, then one for each of Moving; and its results, then a value for each of Gives.
type Interface struct {
	Name    string    // of the derivatives
	In, Out []ir.Type // of the function
	Seeds   []int     // in reverse: the results that are floats, or memory of them
	Moving  []int     // the arguments with shadows; forward those with tangents
	Gives   []int     // in reverse the arguments whose adjoints come; forward the results whose tangents do
}

// InterfaceOf is that of the derivatives which Differentiate has made of a function of a module by all of its arguments: in
// reverse mode or forward.
func InterfaceOf(module *ir.Graph, function string, forward bool) *Interface {
	f, ok := named(module, function)
	d := &Differentiate{}
	if forward {
		d.Mode = onward
	}
	by, ok2 := named(module, function+d.suffix())
	if !ok || !ok2 {
		return nil
	}
	c, t := module.Ctx, funcs.TypeOf(module.Ctx, f.Attrs())
	x := &Interface{Name: function + d.suffix(), In: t.Types[:t.NumIn], Out: t.Types[t.NumIn:]}
	for _, a := range c.AttrInfo(argAttrs(c, by, t.NumIn)).List[t.NumIn:] { // those before may be of a first derivative
		for _, to := range []struct {
			name string
			list *[]int
		}{{Seed, &x.Seeds}, {Shadow, &x.Moving}, {Tangent, &x.Moving}} {
			if k := c.Get(a, to.name); k != 0 {
				*to.list = append(*to.list, int(c.AttrInfo(k).Int))
			}
		}
	}
	of, static := x.In, funcs.StaticArgs(c, f.Attrs())
	if forward {
		of, static = x.Out, nil
	}
	for i, t := range of {
		if isFloat(c, t) && (static == nil || !static[i]) {
			x.Gives = append(x.Gives, i)
		}
	}
	return x
}

// named is a function of a module with a body.
func named(module *ir.Graph, name string) (f ir.Node, ok bool) {
	for n := range module.All() {
		if n.Def() == funcs.Func && symbols.Of(n) == name {
			return n, true
		}
	}
	return f, false
}
