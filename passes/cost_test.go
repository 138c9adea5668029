package passes_test

import (
	"context"
	"io"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// What nobody asks for costs nothing: a run takes the schedules that its passes take
// to do their work, and no other.
func TestReportsCostNothing(t *testing.T) {
	more := 0
	for _, info := range all() {
		pipeline := info.Pipeline
		if pipeline == "" {
			pipeline = info.Name
		}
		p, err := pass.Parse(pipeline, all())
		if err != nil {
			t.Fatal(err)
		}
		schedules := func(run func(g *ir.Graph) error) int64 {
			g := read(t, info.Example)
			before := g.Ctx.Schedules()
			if err := run(g); err != nil {
				t.Errorf("%s: %v", pipeline, err)
			}
			return g.Ctx.Schedules() - before
		}
		alone := schedules(func(g *ir.Graph) error {
			for _, step := range p.Steps {
				if step.End != nil {
					continue
				}
				var err error
				if g, err = step.Pass.Run(&pass.Context{Context: context.Background(), Out: nobody{}}, g); err != nil {
					return err
				}
			}
			return nil
		})
		managed := schedules(func(g *ir.Graph) error { _, err := (&pass.Manager{}).Run(context.Background(), g, p); return err })
		counted := schedules(func(g *ir.Graph) error {
			_, err := (&pass.Manager{Count: true}).Run(context.Background(), g, p)
			return err
		})
		if alone != managed {
			t.Errorf("%s takes %d schedules, and %d when the manager runs it", pipeline, alone, managed)
		}
		if counted > managed+6 { // the manager counts a module and up to two functions, before and after
			t.Errorf("%s takes %d schedules with statistics and %d without", pipeline, counted, managed)
		}
		if counted > managed {
			more++
		}
	}
	if more < 3 {
		t.Errorf("only %d passes leave work undone whose outcome nobody sees: cse, inline, lower", more)
	}
}

// What a pass found out of a graph is there for the next one, as long as that gets the
// graph itself: each graph of a pipeline is scheduled once, and once looked through for users.
func TestAnalysesAreKept(t *testing.T) {
	p, err := pass.Parse("verify,canonicalize,verify,print-op-stats,canonicalize,symbol-dce,verify", all())
	if err != nil {
		t.Fatal(err)
	}
	g := read(t, all().Find("canonicalize").Example)
	m := &pass.Manager{Out: io.Discard, VerifyEach: true, Count: true}
	if _, err := m.Run(context.Background(), g, p); err != nil {
		t.Fatal(err)
	}
	// A module and a function: as they were read, after three rebuilds of the first
	// canonicalize, one of the second, and one of symbol-dce. Only the rebuilds ask what needs
	// the results of the loop, and who uses those of its sums.
	// The first of these asks what of the loop may be poison. What was settled as it was read has its schedule from that.
	made := map[string]int{"schedule": 9, "live values": 3, "uses": 2, "poison": 1}
	for _, a := range g.Ctx.Analyses() {
		if a.Made != made[a.Name] || a.Name == "schedule" && a.Asked < 9*a.Made {
			t.Errorf("%s was made %d times and asked for %d times, want %d", a.Name, a.Made, a.Asked, made[a.Name])
		}
		delete(made, a.Name)
	}
	if len(made) > 0 {
		t.Errorf("nobody asked for %v", made)
	}
}

// A pass that only rebuilds takes the schedules of one rebuild.
func TestOneRebuild(t *testing.T) {
	info := all().Find("cse")
	a, b := read(t, info.Example), read(t, info.Example)
	from, to := a.Ctx.Schedules(), b.Ctx.Schedules()
	p, _ := pass.Parse("cse", all())
	if _, err := (&pass.Manager{}).Run(context.Background(), a, p); err != nil {
		t.Fatal(err)
	}
	ir.Rewrite(b.Ctx, ir.ScheduleOf(b), nil, nil)
	if x, y := a.Ctx.Schedules()-from, b.Ctx.Schedules()-to; x != y {
		t.Errorf("cse takes %d schedules, a rebuild %d", x, y)
	}
}

type nobody struct{}

func (nobody) Write(p []byte) (int, error) { return len(p), nil }
