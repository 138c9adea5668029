package cli

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// foldTrace knows what became of ops by folds, by their offsets in the source.
type foldTrace struct {
	mu    sync.Mutex
	src   *diag.Source
	rules map[int][]string
}

// traceFolds listens to the folds of a context from now on.
func traceFolds(ctx *ir.Context, src *diag.Source) *foldTrace {
	t := &foldTrace{src: src, rules: map[int][]string{}}
	ctx.OnFold = func(at ir.Loc, rule string, g *ir.Graph, v ir.Value) {
		if at == 0 || at&ir.LocAttr != 0 {
			return
		}
		what := "rule: " + rule
		if rule == "" {
			what = "computed: it is" + t.constant(g, v)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if off := int(at) - 1; !slices.Contains(t.rules[off], what) {
			t.rules[off] = append(t.rules[off], what)
		}
	}
	return t
}

// constant shows a value that fits a line.
func (t *foldTrace) constant(g *ir.Graph, v ir.Value) string {
	info := g.Ctx.AttrInfo(g.Attr(v, "value"))
	switch {
	case info.Kind == ir.AttrInt && info.Type == ir.I1:
		return fmt.Sprintf(" %t", info.Int != 0)
	case info.Kind == ir.AttrInt:
		return fmt.Sprintf(" %d", info.Int)
	case info.Kind == ir.AttrFloat:
		return fmt.Sprintf(" %v", ir.BitsToFloat(info.Bits, info.Type))
	}
	return " a constant"
}

// why says what became of an op that is no longer there.
func (t *foldTrace) why(off int, w writtenOp) string {
	rules := t.rules[off]
	switch {
	case len(rules) > 3:
		return strings.Join(rules[:3], "; ") + "; ..."
	case len(rules) > 0:
		return strings.Join(rules, "; ")
	case w.def.Has(ir.Terminator):
		return "its region is gone"
	case w.def.Effects != nil && !w.def.Has(ir.Unique):
		return "nothing sees what it does"
	}
	return "nothing needs it any more"
}
