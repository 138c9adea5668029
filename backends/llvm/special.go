package llvm

import (
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// specialRules lower the special functions to math, lgamma and erfc.
func specialRules() ir.Rules { return ir.Table[ir.Lowerings](special.Dialect)["math"] }

// loweredSpecial names the ops that those rules lower.
func loweredSpecial() map[string]bool {
	out := map[string]bool{}
	for def := range specialRules() {
		out[def.Name] = true
	}
	return out
}

// specialEmitters are the functions that libm has.
func specialEmitters() map[string]func(*fn) {
	return map[string]func(*fn){"special.lgamma": libm("lgamma"), "special.erfc": libm("erfc")}
}

// lowerSpecial lowers the special functions of a graph, if it has some.
func lowerSpecial(g *ir.Graph) *ir.Graph {
	rules := specialRules()
	if len(rules) == 0 || !uses(g, rules) {
		return g
	}
	out, err := (&ir.Phase{Name: "math", Rules: rules}).Run(g)
	if err != nil {
		panic(err) // no op is illegal, so there is none
	}
	return out
}

// uses reports a graph that has an op of the rules, in itself or in a child.
func uses(g *ir.Graph, rules ir.Rules) bool {
	for v := ir.Value(1); int(v) < g.Len(); v++ {
		if rules[g.Def(v)] != nil {
			return true
		}
		for _, c := range g.Children(v) {
			if uses(c, rules) {
				return true
			}
		}
	}
	return false
}
