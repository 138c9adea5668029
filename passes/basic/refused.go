package basic

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// A Refused is a function that does not compile, as it reaches an op that is text only.
type Refused struct {
	Name string
	Err  *ir.OpError
}

// RefuseTextOnly takes functions out of a program that reach an op which is text only, and lists them in order: the others compile.
// A program of which nothing would be left stays as it is.
func RefuseTextOnly(g *ir.Graph) (*ir.Graph, []Refused) {
	f := &refusals{why: map[ir.Node]*ir.OpError{}}
	f.find(newScope(g, nil, true))
	// Refusal spreads from callees to callers. Each iteration but the last refuses one more function, so
	// the loop ends. The zero node has no reason, so a function that names none that is refused stays.
	for more := len(f.why) > 0; more; { // callers of callers
		more = false
		for _, x := range f.functions {
			if f.why[x.n] == nil {
				f.why[x.n] = f.why[x.calls(f)]
				more = more || f.why[x.n] != nil
			}
		}
	}
	if len(f.why) == 0 || !slices.ContainsFunc(f.functions, func(x located) bool { return f.why[x.n] == nil }) {
		return g, nil
	}
	var out []Refused
	rules := ir.Rules{}
	for _, x := range f.functions {
		if why := f.why[x.n]; why != nil {
			out = append(out, Refused{symbols.Of(x.n), why})
			rules[x.n.Def()] = func(m *ir.Mirror, n ir.Node) ir.Value {
				if f.why[n] != nil {
					return m.B.Pack()
				}
				return 0
			}
		}
	}
	return Rebuild(g, rules), out
}

// A located function has a body, and stands in the module where names in it are looked up.
type located struct {
	n  ir.Node
	in *scope
}

// calls is a function that one names and that is refused, if there is one.
func (x located) calls(f *refusals) (refused ir.Node) {
	see := func(c *ir.Context, a ir.Attr) {
		symbols.EachReference(c, a, func(path []string, _ bool) {
			if _, n := x.in.find(path); f.why[n] != nil {
				refused = n
			}
		})
	}
	for _, body := range x.n.Children() {
		for n := range body.All() {
			see(n.Graph().Ctx, n.Attrs())
		}
	}
	return refused
}

// refusals are the functions of a program in order, and why some do not compile.
type refusals struct {
	functions []located
	why       map[ir.Node]*ir.OpError
}

// find lists the functions with a body in a scope and in its modules, in order. The first text-only op of a
// function is why it does not compile.
func (f *refusals) find(sc *scope) {
	g := sc.s.Graph()
	for v := range sc.s.All() {
		n := g.NodeOf(v)
		if in := sc.inner[n]; in != nil {
			f.find(in)
			continue
		}
		if sc.symbols[symbols.Of(n)] != n || len(g.Children(v)) == 0 {
			continue
		}
		f.functions = append(f.functions, located{n, sc})
		for _, body := range g.Children(v) {
			for in := range body.All() {
				if f.why[n] == nil && in.Def().Has(ir.TextOnly) {
					f.why[n] = in.Graph().LeftOver(in.Old(), "")
				}
			}
		}
	}
}
