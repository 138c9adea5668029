package models

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// What a process does at a point, by the value of a.
const (
	traps = 1000 + iota
	dies  // the call has an error, as of a fault
	lost  // the process cannot be started again
	hangs // its time is up
)

// A process interprets, and takes longer for some batches than for others.
type process struct {
	*run.Interpreted
	calls *atomic.Int64
	left  *atomic.Int64 // processes that are not closed

	timeout func()
}

func (p process) Batch(ctx context.Context, calls []run.Call) ([]run.Result, error) {
	time.Sleep(time.Duration(1+p.calls.Add(1)%4) * time.Millisecond)
	out := make([]run.Result, len(calls))
	for i, c := range calls {
		switch a := argument(c); a {
		case traps, dies:
			out[i].Err = &interp.Failure{Err: &ir.Trap{Reason: map[float64]string{traps: "a trap", dies: "a fault"}[a]}}
			continue
		case lost:
			return nil, errors.New("no process")
		case hangs:
			p.timeout()
		}
		vals, _, err := p.Call(ctx, c.Name, c.Args)
		if ctx.Err() != nil {
			return nil, errors.New("the process was killed")
		}
		out[i] = run.Result{Values: vals, Err: err}
	}
	return out, nil
}

func (p process) Close() error {
	p.left.Add(-1)
	return p.Interpreted.Close()
}

// argument is the only number among the arguments that is no memory.
func argument(c run.Call) float64 {
	for _, v := range c.Args {
		if v.Ref == nil {
			return v.F64()
		}
	}
	return 0
}

// evaluation is what came of evaluating.
type evaluation struct {
	yielded []string
	err     string
	more    int // processes beside the first
}

func evaluate(t *testing.T, cores int, fails bool, points string) evaluation {
	t.Helper()
	m := compile(t, "m", "model { for (i in 1:N) { y[i] ~ dnorm(a * x[i], exp(b)) }  a ~ dnorm(0, 1)  b ~ dunif(-9, 9) }", `{"N": 3, "x": [1, 2, 3], "y": [4, 5, 7]}`)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	to := *target.Interp()
	to.Cores = cores
	var calls, left atomic.Int64
	start := func(g *ir.Graph) (run.Program, error) {
		time.Sleep(20 * time.Millisecond) // the time that others must save
		p, err := run.Interpret(g, interp.Options{})
		left.Add(1)
		return process{p, &calls, &left, func() { cancel(errors.New("its time is up")) }}, err
	}
	var out evaluation
	var more atomic.Int64
	p, err := density.Lower(m.ctx, m.m, density.Options{Target: &to})
	if err != nil {
		t.Fatal(err)
	}
	lowered := p.Lowered
	another := func(context.Context, run.Program) (run.Program, error) {
		more.Add(1)
		if fails {
			return nil, errors.New("there are too many processes")
		}
		return start(lowered)
	}
	p, err = density.Compile(m.ctx, m.m, density.Options{Prepare: start, Replicate: another, Target: &to, Context: ctx})
	if err != nil {
		t.Fatal(err)
	}
	err = m.eachPoint(ctx, p, cli.DensityRequest{Points: strings.NewReader(points), PointsName: "p.csv"}, func(d cli.Density) error {
		out.yielded = append(out.yielded, fmt.Sprint(d))
		return nil
	})
	if err != nil {
		out.err = err.Error()
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if n := left.Load(); n != 0 {
		t.Errorf("%d processes were left", n)
	}
	out.more = int(more.Load())
	return out
}

// What comes of points is the same however many processes evaluate them, and whatever
// becomes of those between.
func TestPointsOnCores(t *testing.T) {
	const n = 3000
	table := func(a func(i int) string) string {
		var b strings.Builder
		b.WriteString("a,b\n")
		for i := range n {
			fmt.Fprintf(&b, "%s\n", a(i))
		}
		return b.String()
	}
	plain := func(i int) string {
		switch {
		case i%7 == 3: // outside
			return fmt.Sprintf("%d,10", i%10)
		case i%11 == 5: // the precision is infinite
			return fmt.Sprintf("%d,1000", i%10)
		}
		return fmt.Sprintf("%v,%v", float64(i%10)/4, float64(i%13)/8)
	}
	at := func(k int, text string) func(int) string {
		return func(i int) string {
			if i >= k { // no point after the first is answered either
				return text
			}
			return plain(i)
		}
	}
	for _, c := range []struct {
		name, points, err string
		yielded           int // -1: at most those before the failure
	}{
		{"all", table(plain), "", n},
		{"few", "a,b\n1,0\n2,0\n", "", 2},
		{"none", "a,b\n", "", 0},
		{"no number", table(at(2001, "0")), "the number of fields is 1 here", 2001},
		{"no point", strings.Replace(table(plain), "a,b\n", "a,c\n", 1), "no initial value for b", 0},
		{"a trap", table(at(2001, fmt.Sprint(traps, ",0"))), "a trap", 2001},
		{"a fault", table(at(2001, fmt.Sprint(dies, ",0"))), "a fault", 2001},
		{"no process", table(at(2001, fmt.Sprint(lost, ",0"))), "no process", -1},
		{"no time", table(at(2001, fmt.Sprint(hangs, ",0"))), "its time is up", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := evaluate(t, 1, false, c.points)
			if !strings.Contains(want.err, c.err) || (want.err == "") != (c.err == "") || c.yielded >= 0 && len(want.yielded) != c.yielded || want.more != 0 {
				t.Fatalf("one core: %d densities, %d more processes, error %q", len(want.yielded), want.more, want.err)
			}
			for _, cores := range []int{2, 3} {
				for _, fails := range []bool{false, true} {
					got := evaluate(t, cores, fails, c.points)
					k := len(want.yielded)
					if c.yielded < 0 { // a batch is lost as a whole
						k = min(k, len(got.yielded))
						if len(got.yielded) > 2001 {
							t.Errorf("%d cores: %d densities", cores, len(got.yielded))
						}
					}
					if !slices.Equal(got.yielded[:min(k, len(got.yielded))], want.yielded[:k]) || c.yielded >= 0 && len(got.yielded) != k || got.err != want.err {
						t.Errorf("%d cores, others fail: %v: %d densities, error %q; one core: %d, %q", cores, fails, len(got.yielded), got.err, len(want.yielded), want.err)
					}
					least, most := 0, cores-1
					if fails {
						most = 1
					}
					switch {
					case c.yielded > 2000:
						least = 1
					case c.yielded >= 0: // it would not pay
						most = 0
					}
					if got.more < least || got.more > most {
						t.Errorf("%d cores, others fail: %v: %d more processes", cores, fails, got.more)
					}
				}
			}
		})
	}
}
