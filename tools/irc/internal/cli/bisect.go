package cli

import (
	"context"
	"fmt"
	"io"
	"sort"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/diff"
)

// bisectFile finds the first step of -passes after which the check fails.
func bisectFile(s *Session) error {
	src, kind, err := s.Input()
	if err != nil {
		return err
	}
	p, err := s.Pipeline(src)
	if err != nil {
		return err
	}
	ctx := s.NewContext()
	g, list := s.Load(ctx, src, kind)
	if g == nil {
		return list.Err()
	}
	b := &bisection{s: s, g: g, p: p, check: &reducer{s: s, name: "after.mlir"}}
	if b.check.dir, err = s.unfinished.TempDir("irc-reducing-"); err != nil {
		return err
	}
	b.print = s.Printer(src)
	what, err := b.search(src)
	s.progress.End()
	b.check.dir.Drop()
	if err != nil {
		return err
	}
	return s.Write([]byte(what))
}

// A bisection looks for the step of a pipeline that makes a program wrong.
type bisection struct {
	s     *Session
	g     *ir.Graph
	p     *pass.Pipeline
	print func(g *ir.Graph, generic bool) string
	check *reducer
}

// A trial is a program after so many steps.
type trial struct {
	text   string
	steps  []string // that were done
	failed error    // of the steps themselves
}

// after does the first n steps; all, if n is less than 0.
func (b *bisection) after(n int) trial {
	m := &pass.Manager{Out: io.Discard, Print: b.print, VerifyEach: b.s.Flag("verify-each"), Bisect: b.p.Bisect(n)}
	g, err := m.Run(b.s.Context, b.g, b.p)
	t := trial{steps: m.Bisect.Done, failed: err}
	if err == nil {
		t.text = b.print(g, false)
	}
	return t
}

// wrong reports a trial that failed, or on whose program the check fails.
func (b *bisection) wrong(t trial) bool {
	return t.failed != nil || b.s.Str("check") != "" && b.check.fails(b.s.Context, t.text)
}

// search halves the steps: those up to some number are right, and those up to a larger one are not.
func (b *bisection) search(src *diag.Source) (string, error) {
	first, last := b.after(0), b.after(-1)
	bad := b.wrong(last)
	switch {
	case b.check.absent != "":
		return "", fmt.Errorf("the check cannot be run: %s", b.check.absent)
	case !bad && b.s.Context.Err() == nil && b.s.Str("check") == "":
		return "", Usagef("write irc bisect -passes=PIPELINE -check='CMD {}' FILE; CMD must fail (exit status not 0) on what is wrong", "the passes do not fail, and no -check is given")
	case len(last.steps) == 0 && b.s.Context.Err() == nil:
		return "", Usagef("write -passes=PIPELINE, or -rules=FILE: the step is looked for among theirs", "there are no passes to bisect")
	case !bad && b.s.Context.Err() == nil:
		return "", fmt.Errorf("the check does not fail on what %d steps make of '%s': there is nothing to find", len(last.steps), src.Name)
	case b.s.Context.Err() == nil && b.wrong(first):
		return "", fmt.Errorf("the check fails on '%s' as it is, before the first step", src.Name)
	}
	n := 1 + sort.Search(len(last.steps)-1, func(i int) bool {
		b.s.progress.Show("bisect: step %d of %d", i+1, len(last.steps))
		return b.wrong(b.after(i + 1))
	})
	if b.s.Context.Err() != nil {
		return "", context.Cause(b.s.Context)
	}
	return b.told(src, n, len(last.steps)), nil
}

// told says which step it is, and what it does.
func (b *bisection) told(src *diag.Source, n, of int) string {
	before, after := b.after(n-1), b.after(n)
	out := fmt.Sprintf("(%d) %s\n", n, after.steps[n-1])
	what := "what it changes, after which the check fails:"
	if after.failed != nil {
		what = "it fails: " + message(after.failed)
	}
	out += fmt.Sprintf("// Of %d steps this is the first that is wrong; -opt-bisect-limit=%d stops before it, and %d behind it.\n// %s\n", of, n-1, n, what)
	if after.failed == nil {
		out += diff.Lines(before.text, after.text)
	}
	return out
}
