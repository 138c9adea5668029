package loop_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/loop"
)

// A query reads as text of the dialect, and its loops fuse: a filter and a map are part of what
// sums them up, sums of one query are one loop, and of groups two loops are left, one over the rows and
// one over the groups.
func TestLoopsFuse(t *testing.T) {
	in := loop.From[saleRow]("sales")
	gifts := in.Filter(func(r saleRow) loop.Bool { return r.Gift })
	both := struct{ Sum, Mean float }{loop.Sum(gifts, amount), loop.Mean(gifts, amount)}
	type plain struct{ Sum, Mean float64 }
	if s := fused(t, compile[plain](t, engine.Eval, both, in).Text()); strings.Count(s, "loop.for") != 1 {
		t.Errorf("two sums are not one loop:\n%s", s)
	}
	s := fused(t, compile[[]shopSum](t, engine.Eval, byShop(gifts), in).Text())
	if strings.Count(s, "loop.for") != 2 || strings.Count(s, "reduce(") != 3 {
		t.Errorf("groups are not two loops, with a sum, a count, which the mean has too, and the most:\n%s", s)
	}
}

// fused is what fuse leaves of a program.
func fused(t *testing.T, source string) string {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("query.mlir", source), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	p, err := pass.Parse("canonicalize,fuse", lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	if g, err = (&pass.Manager{}).Run(t.Context(), g, p); err != nil {
		t.Fatal(err)
	}
	return text.String(g, text.PrintOptions{})
}
