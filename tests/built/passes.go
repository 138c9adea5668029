package built

import (
	"errors"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// Through runs passes on a program.
func Through(t *testing.T, g *ir.Graph, pipeline string) *ir.Graph {
	t.Helper()
	return through(t, &pass.Manager{}, g, pipeline)
}

// ThroughFor is Through for a target.
func ThroughFor(t *testing.T, to *target.Target, g *ir.Graph, pipeline string) *ir.Graph {
	t.Helper()
	return through(t, &pass.Manager{Target: to}, g, pipeline)
}

// Counted runs passes on a program, which is checked after each; the manager says what they counted.
func Counted(t *testing.T, g *ir.Graph, pipeline string) (*ir.Graph, *pass.Manager) {
	t.Helper()
	m := &pass.Manager{VerifyEach: true, Count: true}
	return through(t, m, g, pipeline), m
}

// Remarks runs passes on a program that was read from a text, and gives what they remark, a line
// for each.
func Remarks(t *testing.T, src string, g *ir.Graph, pipeline string) (out []string) {
	t.Helper()
	through(t, &pass.Manager{
		Remark: func(_, text string) { out = append(out, text) },
		Line:   func(l ir.Loc) int { return 1 + strings.Count(src[:l-1], "\n") },
	}, g, pipeline)
	return out
}

// Fails is the error of passes on a program.
func Fails(t *testing.T, g *ir.Graph, pipeline string) string {
	t.Helper()
	p, err := pass.Parse(pipeline, lowering.AllPasses())
	if err == nil {
		_, err = (&pass.Manager{}).Run(t.Context(), g, p)
	}
	if err == nil {
		t.Fatalf("%s: no error", pipeline)
	}
	return err.Error()
}

func through(t *testing.T, m *pass.Manager, g *ir.Graph, pipeline string) *ir.Graph {
	t.Helper()
	p, err := pass.Parse(pipeline, lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Run(t.Context(), g, p)
	if crash := (*pass.CrashError)(nil); errors.As(err, &crash) {
		t.Log(crash.Stack)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}
