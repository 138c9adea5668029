package explain

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// history knows what became of the ops of a source while graphs were built, by
// their offsets in it.
type history struct {
	mu          sync.Mutex
	src         *diag.Source
	rules       map[int][]string
	sharedWith  map[int]int
	overwriters map[int]int
}

// watchHistory listens to what happens in a context from now on.
func watchHistory(ctx *ir.Context, src *diag.Source) *history {
	h := &history{src: src, rules: map[int][]string{}, sharedWith: map[int]int{}, overwriters: map[int]int{}}
	ctx.Watch = h.hear
	return h
}

func (h *history) hear(e ir.Event) {
	if e.Kind == ir.Finished || e.At == 0 || e.At&ir.LocAttr != 0 {
		return
	}
	at := int(e.At) - 1
	other, known := offset(e.Graph, e.Value)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case e.Kind == ir.Folded:
		what := "folded: " + e.Rule
		if e.Rule == "" {
			what = "computed: it is " + constantText(e.Graph, e.Value)
		} else if known && other != at {
			what += h.named(other)
		}
		if !slices.Contains(h.rules[at], what) {
			h.rules[at] = append(h.rules[at], what)
		}
	case !known || other == at:
	case e.Kind == ir.Shared:
		if _, ok := h.sharedWith[at]; !ok {
			h.sharedWith[at] = other
		}
	case e.Kind == ir.Overwritten:
		h.overwriters[other] = at
	}
}

// named says which op of the source something became.
func (h *history) named(at int) string {
	p := program{src: h.src}
	if name := p.result(at); name != "" {
		return fmt.Sprintf(" (%s of line %d)", name, p.line(at))
	}
	return fmt.Sprintf(" (line %d)", p.line(at))
}

// constantText shows a value that fits a line.
func constantText(g *ir.Graph, v ir.Value) string {
	info := g.Ctx.AttrInfo(g.Attr(v, "value"))
	switch {
	case info.Kind == ir.AttrInt && info.Type == ir.I1:
		return fmt.Sprint(info.Int != 0)
	case info.Kind == ir.AttrInt:
		return fmt.Sprint(info.Int)
	case info.Kind == ir.AttrFloat:
		return fmt.Sprint(ir.BitsToFloat(info.Bits, info.Type))
	}
	return "a constant"
}

// folds lists the rules that an op fell under, a few of them.
func (h *history) folds(at int) string {
	rules := h.rules[at]
	if len(rules) > 3 {
		return strings.Join(rules[:3], "; ") + "; ..."
	}
	return strings.Join(rules, "; ")
}
