package lower

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// density is that of a node. The branch that a careful law takes keeps loops from
// vectors, and what a loop does not change within it: so @logdensity has the plain
// formulas, counts the nodes that are large, and where there is one leaves the point to
// a function with the branches.
func (l *lowering) density(law *family.Law, small bool, x ir.Value, p []ir.Value) ir.Value {
	k, sizes := l.kit(), apply.Sizes(law, small)
	key, form := fmt.Sprint(small), func(k kit.Ops, x ir.Value, p []ir.Value) ir.Value { return apply.DensityOps(law, k, small, x, p) }
	if sizes != nil && !l.model.stable {
		l.sums.large(k.Exceeds(sizes(x, p)...))
		key, form = "plain", func(k kit.Ops, x ir.Value, p []ir.Value) ir.Value { return law.Ops.LogDensity(k, x, p) }
	}
	if l.isShared(law) && (sizes != nil && l.model.stable || l.plainLength(law, len(p)) >= longFormula) {
		return l.sharedDensity(law, key, form, x, p)
	}
	return form(k, x, p)
}

// largeNodes is the sum that counts them.
var largeNodes = slot{name: ".large"}

// badIndices is the sum that counts where an index was none: what is read there may not
// reach a density, as a comparison takes NaN for false. (A count becomes one of vectors; of what adds NaN or nothing LLVM
// makes a choice, and no sum.)
var badIndices = slot{name: ".index"}

// guardIndex asks for an index, once in a region.
func (t *sums) guardIndex(ok ir.Value) {
	if at := (guarded{ok, t.k.B.Current()}); !t.asked[at] {
		t.asked[at] = true
		t.addTo(badIndices, arith.Choose(t.k.B, ok, arith.ConstF64(t.k.B, 0), arith.ConstF64(t.k.B, 1)))
	}
}

// guarded is a condition that an index is one, and the region that asked for it.
type guarded struct {
	ok ir.Value
	in ir.Region
}

// readsByIndex reports an op that reads where an index may be none.
func (m *model) readsByIndex(v ir.Value) bool {
	return slices.ContainsFunc(m.g.Args(v), func(a ir.Value) bool { return m.g.Def(a) == ops.IndexOf && m.g.Attr(a, "checked") != 0 })
}

// isHidden reports a sum that is no part of the density.
func (s slot) isHidden() bool { return s == largeNodes || s == badIndices }

// large counts a node where cond holds.
func (t *sums) large(cond ir.Value) {
	k := t.k
	t.addTo(largeNodes, arith.Choose(t.k.B, cond, k.Num(1), k.Num(0)))
}

// mayBeLarge reports a node for which large may be asked.
func (m *model) mayBeLarge(v ir.Value) bool {
	if m.stable || m.g.Def(v) != ops.Stochastic {
		return false
	}
	return apply.Sizes(lawOf(m.g, v), m.g.Attr(v, ops.SmallAttr) != 0) != nil
}

// callCareful calls the function with the branches.
func (t *sums) callCareful() []ir.Value {
	b := t.k.B
	v := funcs.CallTo(b, t.carefulName, results(), b.Params(ir.Root)...)
	return []ir.Value{b.Result(v, 0), b.Result(v, 1), b.Result(v, 2)}
}
