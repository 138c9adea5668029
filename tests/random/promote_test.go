package random

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
)

// Memory that becomes values leaves programs what they are, and a good part of it
// does.
func TestMemoryBecomesValues(t *testing.T) {
	t.Parallel()
	var count tally
	var promoted, split atomic.Int64
	each(t, *programs, func(ctx *ir.Context, seed uint64) error {
		c := config(seed)
		c.Vars, c.Poison = true, seed%3 == 0
		p := irtest.New(seed, c)
		want, g, err := oracle(ctx, p, &count)
		if err != nil {
			return err
		}
		pl, err := pass.Parse("inline,unroll{full=true},sroa,mem2reg", passes.All())
		if err != nil {
			return err
		}
		m := &pass.Manager{VerifyEach: true, Count: true}
		h, err := m.Run(context.Background(), g, pl)
		if err == nil {
			err = same(h, p, interp.Options{}, want)
		}
		if err != nil {
			return fmt.Errorf("%w\n%s", err, p.Text)
		}
		split.Add(int64(m.Stats("sroa", "split")))
		promoted.Add(int64(m.Stats("mem2reg", "promoted")))
		return nil
	})
	t.Logf("%d allocations became values, %d were split", promoted.Load(), split.Load())
	if n := int64(*programs); promoted.Load() < n/2 || split.Load() < n/50 {
		t.Errorf("only %d allocations became values, and %d were split", promoted.Load(), split.Load())
	}
}
