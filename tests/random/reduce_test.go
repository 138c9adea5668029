package random

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/reduce"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// broken has a rule that is right only where x and y share no bit.
var broken = &ir.Dialect{Name: "broken", Folds: []ir.Fold{
	{Of: arith.Xori, Rule: "xori: x ^ y = x | y", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		return b.Must(ir.Call{Def: arith.Ori, Args: c.Args, Type: c.Type})
	}},
}}

// The largest programs that the tests above run become a few lines that still show a
// bug, in few checks: each is a run of irc when a user reduces.
func TestReducePlantedBug(t *testing.T) {
	const (
		wanted     = 3
		mostChecks = 200 // 68 to 110 with the programs of today
		mostLines  = 20
	)
	found := 0
	for seed := uint64(280); found < wanted && seed < 5000; seed++ {
		p := irtest.New(seed, irtest.Config{Ops: 80, Wide: seed%8 < 6, Vars: seed%3 == 1})
		if strings.Count(p.Text, "\n") < 230 || !strings.Contains(p.Text, "arith.xori") || !miscompiled(p, p.Text) {
			continue
		}
		found++
		checks := 0
		check := func(_ context.Context, s string) bool { checks++; return miscompiled(p, s) }
		out, err := reduce.Reduce(ir.NewContext(dialects.All...), p.Text, check, reduce.Options{Valid: symbols.Check})
		if err != nil || !miscompiled(p, out) {
			t.Fatalf("seed %d: %v\n%s", seed, err, out)
		}
		lines := strings.Count(out, "\n")
		if t.Logf("seed %d: %d lines become %d in %d checks", seed, strings.Count(p.Text, "\n"), lines, checks); lines > mostLines || checks > mostChecks {
			t.Errorf("%d lines are too many, or %d checks:\n%s", lines, checks, out)
		}
		if strings.Count(out, "arith.xori") != 1 {
			t.Errorf("seed %d: more than shows the bug:\n%s", seed, out)
		}
	}
	if found < wanted {
		t.Errorf("only %d programs show the bug", found)
	}
}

// miscompiled reports that a program, run as p is, does something else when it is built
// with the broken rule than as it is written.
func miscompiled(p *irtest.Program, src string) bool {
	var want, got Outcome
	err := guard(func() error { // a candidate may have other results
		written, err := parse(ir.NewContext(dialects.All...), src, true)
		if err != nil {
			return err
		}
		if want, err = Interpret(written, p, interp.Options{Fuel: 100_000}); err != nil {
			return err
		}
		built, err := parse(ir.NewContext(append(dialects.All[:len(dialects.All):len(dialects.All)], broken)...), src, false)
		if err != nil {
			return err
		}
		if got, err = Interpret(built, p, interp.Options{Fuel: 100_000}); want.Trap != "" {
			err = errors.New("it traps")
		}
		return err
	})
	return err == nil && !got.Refines(want)
}
