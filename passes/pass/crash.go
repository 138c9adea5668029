package pass

import (
	"errors"
	"fmt"

	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// A CrashError is a bug of ours: a pass panicked, or what it made breaks an
// invariant. Before is the graph that the pass was given.
type CrashError struct {
	Pass     string    // its name
	Pipeline string    // what to run on Before to see it again
	Function string    // where, if known
	Reason   string    // what was said
	Before   *ir.Graph // what the pass was given
	Stack    string    // of a panic; "" if there was none
	Refused  bool      // it is no bug: the pass says what is wrong with its input
	Author   string    // the package of the pass, if it is not irc's own: the bug is not irc's either
}

func (e *CrashError) Error() string {
	where := ""
	if e.Function != "" {
		where = " on @" + e.Function
	}
	what := "broke an invariant"
	switch {
	case e.Refused:
		what = "refused its input"
	case e.Stack != "":
		what = "panicked"
	}
	by := ""
	if e.Author != "" {
		by = " of package " + e.Author
	}
	return fmt.Sprintf("pass %s%s %s%s: %s", e.Pass, by, what, where, e.Reason)
}

// guard runs a pass. It is the one place where a panic is recovered. A wrong definition
// of an op is its author's mistake and no crash of ours.
func (m *Manager) guard(c *Context, g *ir.Graph, s Step, function string) (n *ir.Graph, err error) {
	defer func() {
		if r := recover(); r != nil {
			reason, stack := fmt.Sprint(r), ir.PanicStack(r)
			switch e := ir.AuthorError(r); {
			case e == nil:
			case e.Op != "":
				n, err = nil, &Error{s.Info.Name, e, g, s.String()}
				return
			case whose(s.Pass) == "":
				n, err = nil, &Error{s.Info.Name, fmt.Errorf("a function outside of irc is wrong: %w", e), g, s.String()}
				return
			default:
				reason = e.Msg
			}
			if function == "" {
				function = culprit(c, g, s)
			}
			n, err = nil, m.crash(s, function, g, reason)
			err.(*CrashError).Stack = stack
		}
	}()
	n, err = s.Pass.Run(c, g)
	if err == nil && n == nil {
		err = &ir.OpError{Author: true, Msg: "it returned no graph: where nothing is to be done that is the one it was given"}
	}
	if err != nil {
		var crash *CrashError
		if errors.As(err, &crash) {
			return nil, err
		}
		return nil, &Error{s.Info.Name, err, g, s.String()}
	}
	return n, nil
}

func (m *Manager) crash(s Step, function string, before *ir.Graph, reason string) error {
	return &CrashError{Pass: s.Info.Name, Pipeline: s.String(), Function: function, Before: before, Reason: reason, Author: whose(s.Pass)}
}

// culprit finds the function on whose graph alone a pass panics too, so that a
// crash in a module of a thousand functions names one; "" if there is none.
func culprit(c *Context, g *ir.Graph, s Step) (name string) {
	if s.Info.Scope == Modules {
		return ""
	}
	quiet := *c
	quiet.counts, quiet.built, quiet.logf = nil, nil, nil
	quiet.Out = discard{}
	found := errors.New("found")
	_ = Isolated(g, func(owner ir.Node, child *ir.Graph) error {
		sym := symbols.Of(owner)
		if sym != "" && owner.Def() != builtin.Module && panics(&quiet, child, s.Pass) {
			name = sym
			return found
		}
		return nil
	})
	return name
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func panics(c *Context, g *ir.Graph, p Pass) (yes bool) {
	defer func() { yes = recover() != nil }()
	_, _ = p.Run(c, g)
	return false
}

// An Error is what a pass says is wrong with its input.
type Error struct {
	Pass     string    // its name
	Err      error     // what the pass returned
	Before   *ir.Graph // what it was given
	Pipeline string    // what to run on Before to see it again
}

func (e *Error) Error() string { return fmt.Sprintf("pass %s: %v", e.Pass, e.Err) }

// Unwrap returns the pass's own error, for errors.As.
func (e *Error) Unwrap() error { return e.Err }
