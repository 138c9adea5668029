package pass

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/passes/pass/symbols"
	"github.com/irc-lang/irc/passes/pass/timing"
)

// A Manager runs pipelines. The zero value runs them without checks or output;
// Print is needed for dumps and for the graph in a CrashError.
type Manager struct {
	Out io.Writer // dumps, and what passes print; nil stands for nowhere
	// Print is the text of a graph, for dumps and crashes; nil leaves it out.
	Print func(g *ir.Graph, generic bool) string

	Target           *target.Target // what passes compile for; nil is the host
	VerifyEach       bool           // what each pass made is verified
	PrintBefore      []string       // names of passes; "*" is all
	PrintAfter       []string       // the same
	PrintAfterChange bool           // a diff after each pass that changed something
	// PrintAfterFailure shows what a pass was given that failed, and nothing after the
	// others.
	PrintAfterFailure bool
	Bisect            *Bisect                 // nil: all steps are done
	Count             bool                    // keep statistics: Stats, WriteStats
	Remark            func(pass, text string) // is told what passes remark; nil for nobody
	Show              func(x any)             // what passes show besides; nil for nobody
	Line              func(at ir.Loc) int     // of the source, for remarks and errors; nil if it is not at hand
	Verbatim          bool                    // the graph must not be changed: only passes that say so run

	Timing timing.Timing // how long each pass took, for Write
	counts counts
	built  built
	ctx    *ir.Context // of what it ran on
}

// Run runs a pipeline on a graph. The error is a CrashError where a pass broke
// an invariant or panicked; else what a pass said is wrong with its input, or
// the end of ctx.
func (m *Manager) Run(ctx context.Context, g *ir.Graph, p *Pipeline) (*ir.Graph, error) {
	m.ctx = g.Ctx
	if m.Out == nil {
		m.Out = io.Discard
	}
	if m.Verbatim {
		if err := CheckVerbatim(p); err != nil {
			return nil, err
		}
	}
	return m.steps(ctx, g, p.Steps, "")
}

// CheckVerbatim refuses the passes that would change what is written: the error names the first of them.
func CheckVerbatim(p *Pipeline) error {
	var err error
	p.Each(func(info *Info, _ Pass) {
		if !info.Verbatim && err == nil {
			err = fmt.Errorf("pass %q does not run with -verbatim: it would change what is written; those that do are verify, strip-debuginfo and print-op-stats", info.Name)
		}
	})
	return err
}

// steps runs steps on a graph; function names what the graph belongs to.
func (m *Manager) steps(ctx context.Context, g *ir.Graph, steps []Step, function string) (_ *ir.Graph, err error) {
	for _, s := range steps {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		switch {
		case s.anchor == anchorAny:
			g, err = m.steps(ctx, g, s.steps, function)
		case s.End != nil: // done by whoever runs the pipeline
		case s.repeat:
			g, err = m.repeat(ctx, g, s.steps, function)
		case s.anchor != "":
			g, err = m.nested(ctx, g, s)
		default:
			g, err = m.bisected(ctx, g, s, function)
		}
		if err != nil {
			return nil, err
		}
	}
	return g, nil
}

// maxRepeats bounds repeat(...): passes that undo each other never settle.
const maxRepeats = 1000

func (m *Manager) repeat(ctx context.Context, g *ir.Graph, steps []Step, function string) (*ir.Graph, error) {
	before := fixpoint.Fingerprint(g)
	for range maxRepeats {
		n, err := m.steps(ctx, g, steps, function)
		if err != nil {
			return nil, err
		}
		after := fixpoint.Fingerprint(n)
		if after == before {
			return n, nil
		}
		g, before = n, after
	}
	return nil, fmt.Errorf("repeat(%s) has not settled after %d rounds: its passes undo each other", join(steps), maxRepeats)
}

// nested runs steps on the graph of each op of the anchor's name, at any depth
// of other isolated ops.
func (m *Manager) nested(ctx context.Context, g *ir.Graph, s Step) (*ir.Graph, error) {
	anchor := g.Ctx.Lookup(s.anchor)
	return m.within(g, s.String(), func(owner ir.Node, _ *ir.Graph) bool { return owner.Def() == anchor }, func(body *ir.Graph, name string) (*ir.Graph, error) {
		return m.steps(ctx, body, s.steps, name)
	})
}

// within runs something on the graphs of some isolated ops, and puts what comes of them in their place.
func (m *Manager) within(g *ir.Graph, what string, chosen func(owner ir.Node, body *ir.Graph) bool, run func(body *ir.Graph, name string) (*ir.Graph, error)) (*ir.Graph, error) {
	to := map[*ir.Graph]*ir.Graph{}
	err := Isolated(g, func(owner ir.Node, child *ir.Graph) error {
		if to[child] != nil || !chosen(owner, child) {
			return nil
		}
		n, err := run(child, symbols.Of(owner))
		to[child] = n
		var crash *CrashError
		var failed *Error
		switch { // a function's graph is no file by itself
		case errors.As(err, &crash):
			crash.Before, crash.Pipeline = g, owner.Def().Name+"("+crash.Pipeline+")"
		case errors.As(err, &failed):
			failed.Before, failed.Pipeline = g, owner.Def().Name+"("+failed.Pipeline+")"
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	n := ir.WithChildren(g, to)
	if m.VerifyEach && n != g {
		if err := symbols.Check(n); err != nil {
			return nil, &CrashError{Pass: what, Pipeline: what, Before: g, Reason: err.Error()}
		}
	}
	return n, nil
}

// Isolated calls f for each graph of each isolated op of g and of the graphs in it, outer ones first. It ends with the first error of
// f, which it returns.
func Isolated(g *ir.Graph, f func(owner ir.Node, child *ir.Graph) error) error {
	for n := range g.All() {
		for _, c := range n.Children() {
			if err := f(n, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// pass runs one pass with all that is asked for around it.
func (m *Manager) pass(ctx context.Context, g *ir.Graph, s Step, function string) (*ir.Graph, error) {
	name := s.Info.Name
	c := &Context{Context: ctx, Out: m.Out, pass: name, row: s.Info, target: m.Target, line: m.Line}
	if m.Count {
		c.counts, c.built = &m.counts, &m.built
		c.Count(statBefore, g.NumOps())
	}
	if m.Remark != nil {
		c.logf = func(format string, args ...any) { m.Remark(name, fmt.Sprintf(format, args...)) }
	}
	c.show = m.Show
	if wants(m.PrintBefore, s.Info) {
		m.dump("Before %s", s.Info, function, g)
	}
	start := time.Now()
	n, err := m.guard(c, g, s, function)
	m.Timing.Add(name, time.Since(start))
	if err == nil && m.VerifyEach && c.lost != "" && whose(s.Pass) != "" {
		wrong := &ir.OpError{Author: true, Msg: fmt.Sprintf("it counts %q, which its row does not list: add it to Statistics", c.lost)}
		err = &Error{name, wrong, g, s.String()}
	}
	if err != nil {
		m.failed(s.Info, function, g)
		return nil, err
	}
	if m.Count {
		c.Count(statAfter, n.NumOps())
		c.Count(statChanged, changed(g, n, function))
		m.Took(name)
	}
	if m.VerifyEach {
		start = time.Now()
		err = m.verify(n, function)
		m.Timing.Add("(V) verify", time.Since(start))
		if err != nil {
			m.failed(s.Info, function, g)
			return nil, m.crash(s, function, g, err.Error())
		}
	}
	if wants(m.PrintAfter, s.Info) && !m.PrintAfterFailure {
		m.dump("After %s", s.Info, function, n)
	}
	if m.PrintAfterChange {
		m.diff(s.Info, function, g, n)
	}
	return n, nil
}

// verify checks a graph: the symbols too, unless it is a function's own, whose
// module the manager checks when it is put together again.
func (m *Manager) verify(g *ir.Graph, function string) error {
	if err := ir.Verify(g); err != nil {
		return err
	}
	if function != "" {
		return nil
	}
	return symbols.Check(g)
}
