package tensors

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/lowering/ends"
	"github.com/irc-lang/irc/passes/pass"
)

// Loops of which each is there twice, since every program is, are one function, however little they do, and give what the ops mean.
func TestOutlined(t *testing.T) {
	const outline = "outline-equal-loops{rounds=0}"
	first, err := pass.Parse("simplify-tensors,lower{to=affine},"+outline, lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	var list []Program
	for i := range *finishedPrograms / 4 {
		p := finished(*firstSeed+uint64(i), i+6)
		again := p
		again.Name = strings.Replace(p.Name, "f", "g", 1)
		again.Text = strings.Replace(p.Text, "@"+p.Name+"(", "@"+again.Name+"(", 1)
		list = append(list, p, again)
	}
	m := &pass.Manager{Count: true}
	if _, err := m.Run(t.Context(), module(t, list, text.Options{}), first); err != nil {
		t.Fatal(err)
	}
	if n := m.Stats("outline-equal-loops", "calls"); n < len(list)/8 {
		t.Errorf("of %d programs %d loops were outlined", len(list), n)
	}
	all := meaning(t, list)
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		if e := started(t, kind); e != nil {
			to := *e.Target()
			to.Pipeline = strings.Replace(lowering.Pipeline(&to, ends.MostOptimised), "lower{to=affine}", "lower{to=affine},"+outline, 1)
			compare(t, retargeted{e, &to}, all)
		}
	}
}

// retargeted is an engine with another lowering pipeline.
type retargeted struct {
	engine.Engine
	to *target.Target
}

func (e retargeted) Target() *target.Target { return e.to }
