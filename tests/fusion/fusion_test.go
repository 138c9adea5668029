package fusion

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/reduce"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
	"github.com/irc-lang/irc/tests/built"
)

var (
	programs  = flag.Int("programs", 100, "how many random programs of loops are fused")
	most      = flag.Int("most", 3, "failures after which no more programs are tried")
	firstSeed = flag.Uint64("seed", 0, "the first seed")
)

// outcome calls @f and shows what it prints and gives, or "trap".
func outcome(g *ir.Graph, args string) (string, error) {
	out, err := built.Interpret(g, "f", args, interp.Options{Fuel: 1 << 20})
	if ir.IsTrap(err) {
		return "trap", nil
	}
	return out, err
}

func fuse(g *ir.Graph) (*ir.Graph, error) {
	p, err := pass.Parse(Fuse, passes.All())
	if err != nil {
		return nil, err
	}
	return (&pass.Manager{VerifyEach: true}).Run(context.Background(), g, p)
}

// tally counts, so that a test that tests nothing shows.
type tally struct{ before, after, ran, trapped atomic.Int64 }

// wrong says that a program gives what it should not.
type wrong struct{ error }

// notRun says that a program cannot be run as it is written: the reducer tries some.
type notRun struct{ error }

// agree runs a program as it is written, built, fused and, with lower, taken down
// with and without fusion.
func agree(ctx *ir.Context, src string, lower bool, count *tally) error {
	written, err := Parse(ctx, src, true)
	if err != nil {
		return nil // no program: the reducer tries some
	}
	g, err := Parse(ctx, src, false)
	if err != nil {
		return err
	}
	n, err := fuse(g)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, src)
	}
	count.before.Add(int64(Loops(g)))
	count.after.Add(int64(Loops(n)))
	wants, err := answers(written, count)
	if err != nil {
		return notRun{err}
	}
	for i, want := range wants {
		for _, x := range []*ir.Graph{g, n} {
			if want == "" {
				continue
			}
			got, err := outcome(x, Inputs[i])
			if err != nil {
				return err
			}
			if !same(src, got, want) {
				return wrong{fmt.Errorf("of %s, fused %v: %s, want %s\n%s\n%s", Inputs[i], x == n, got, want, src, text.String(x, text.PrintOptions{}))}
			}
		}
	}
	if !lower {
		return nil
	}
	return interpreted(g, src, wants, count)
}

func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			buf := make([]byte, 4096)
			err = fmt.Errorf("panic: %v\n%s", r, buf[:runtime.Stack(buf, false)])
		}
	}()
	return f()
}

// kind tells troubles apart, as a reduced program should have the same.
func kind(err error) string {
	switch {
	case errors.As(err, new(leak)):
		return "leak"
	case errors.As(err, new(wrong)):
		return "wrong"
	case strings.HasPrefix(err.Error(), "panic"):
		return "panic"
	}
	return "error"
}

// reduced is a small program with the same trouble, which is a leak or none.
func reduced(src string, trouble error) string {
	check := func(_ context.Context, s string) bool {
		if strings.Contains(s, "ub.poison") {
			return false // which programs may take for anything
		}
		var count tally
		err := guarded(func() error { return agree(ir.NewContext(dialects.All...), s, true, &count) })
		return err != nil && !errors.As(err, new(notRun)) && kind(err) == kind(trouble)
	}
	out, err := reduce.Reduce(ir.NewContext(dialects.All...), src, check, reduce.Options{Valid: symbols.Check})
	if err != nil {
		return "not reduced: " + err.Error()
	}
	return "reduced:\n" + out
}

// Fused or not, lowered or not, a program gives what it gives as it is written.
func TestPrograms(t *testing.T) {
	var wg sync.WaitGroup
	var next, failures atomic.Int64
	var count tally
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var ctx *ir.Context
			for done := 0; failures.Load() < int64(*most); done++ {
				i := next.Add(1) - 1
				if i >= int64(*programs) {
					return
				}
				if done%200 == 0 { // a context keeps what it interned
					ctx = ir.NewContext(dialects.All...)
				}
				seed := *firstSeed + uint64(i)
				src := ""
				err := guarded(func() error { src = New(ctx, seed, Options{}); return nil })
				if err != nil {
					failures.Add(1)
					t.Errorf("seed %d is not written: %v", seed, err)
					continue
				}
				if err := guarded(func() error { return agree(ctx, src, seed%uint64(*nth) == 0, &count) }); err != nil {
					failures.Add(1)
					t.Errorf("seed %d: %v\n%s", seed, err, reduced(src, err))
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d programs: %d loops become %d; %d runs ended, %d trapped", *programs, count.before.Load(), count.after.Load(), count.ran.Load(), count.trapped.Load())
	if failures.Load() == 0 && (count.ran.Load() < count.trapped.Load() || count.after.Load()*10 > count.before.Load()*9) {
		t.Error("too few programs ran, or too few loops were fused")
	}
}
