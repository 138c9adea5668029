// Package reduce shrinks a program while a check still holds, for bug reports and
// for the random tests: structural delta debugging.
//
// The program is read verbatim, so that reading it cannot trip over the very bug
// that is looked for. A step is a set of edits of ops; a candidate is the program
// rebuilt with one, printed, and read again, so that what is checked is a valid
// program. The rules (rules.go, cuts.go) list the steps that a program has: ops dropped (their results become
// values of the same type that are there, or constants); ops replaced by an operand; bodies put in the place
// of their op or emptied; functions dropped with their calls; operands, results, carried values and
// parameters taken away on all sides; attributes and types made simpler.
//
// Only candidates with a lower score are tried, so it ends; it ends when no step
// of any rule holds, so the result is 1-minimal. Several candidates are checked at
// once, and the first in order of those that hold is kept: the result is the same
// on any number of processors.
//
// A text that does not parse is reduced op by op, as far as brackets show ops, line by line and then word by word.
package reduce

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// A Check reports whether a candidate is worth keeping. It gives up when the
// context ends: what it says then does not matter.
type Check func(ctx context.Context, candidate string) bool

// Options bound the work.
type Options struct {
	Context   context.Context       // stops early; nil for never
	Workers   int                   // how many checks may run at once; 0 is one
	MaxChecks int                   // how often check may be called; 0 for DefaultChecks
	Valid     func(*ir.Graph) error // what a program must keep to, if the input does
	Progress  func(Progress)        // called after each candidate that is kept
	TextOnly  bool                  // lines and words only
}

// DefaultChecks is the budget of checks unless Options says otherwise.
const DefaultChecks = 10000

// Progress says how far a reduction is.
type Progress struct {
	Checks int // made so far
	Ops    int // in the smallest program so far, 0 for text
	Bytes  int // of it
}

// ErrCheck says that the check does not hold for the program as given.
var ErrCheck = errors.New("the check does not hold for the input as given, so there is nothing to reduce")

// Reduce returns a smaller program for which check holds. What it returns has
// always been checked; when a budget runs out it is the smallest so far.
func Reduce(ctx *ir.Context, src string, check Check, opts Options) (string, error) {
	if opts.MaxChecks <= 0 {
		opts.MaxChecks = DefaultChecks
	}
	if opts.Context == nil {
		opts.Context = context.Background()
	}
	if opts.Context.Err() != nil {
		return src, opts.Context.Err()
	}
	opts.MaxChecks = max(opts.MaxChecks-1, 1) // the last one is for prettier
	r := &reducer{ctx: ctx, check: check, opts: opts, best: src, seen: map[string]bool{}}
	if !r.holds(opts.Context, src) {
		return src, ErrCheck
	}
	if opts.TextOnly || !r.start(src) {
		r.textual()
		return r.best, nil
	}
	r.structural()
	r.prettier()
	return r.best, nil
}

type reducer struct {
	ctx     *ir.Context
	opts    Options
	best    string
	g       *ir.Graph // of best, verbatim
	score   int
	generic bool // best is in generic form
	lawful  bool // best is valid

	check  Check
	mu     sync.Mutex // of what follows
	checks int
	seen   map[string]bool // candidates for which the check does not hold
}

// structural tries all rules until none has a step that holds. Those come first
// that take much away.
func (r *reducer) structural() {
	for r.more() {
		before := r.score
		r.together(unused)
		r.drops()
		r.together(unused)
		r.each(bodies)
		r.whole(symbols)
		r.whole(signatures)
		r.each(cuts)
		r.together(copies)
		r.each(substitutes)
		r.together(uses)
		r.each(uses)
		r.together(plainest)
		r.each(attributes)
		r.retypes()
		if r.score == before {
			return
		}
	}
}

// more reports that the budgets allow another check.
func (r *reducer) more() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.checks < r.opts.MaxChecks && r.opts.Context.Err() == nil
}

// start reads the program and checks that it is as good when printed, in custom
// or in generic form: a check that looks at the text may want either.
func (r *reducer) start(src string) bool {
	g, ok := r.parse(src)
	if !ok {
		return false
	}
	r.lawful = r.valid(g)
	generic := strings.Contains(src, `"(`)
	for _, form := range []bool{generic, !generic} {
		r.generic = form
		out, ok := r.print(g, form)
		if !ok || out != src && !r.holds(r.opts.Context, out) {
			continue
		}
		if again, ok := r.parse(out); ok {
			r.keep(candidate{out, again, score(again)})
			return true
		}
	}
	return false
}

// parse reads a candidate; a panic of the reader is no reason to stop.
func (r *reducer) parse(src string) (g *ir.Graph, ok bool) {
	ok = survives(func() bool {
		var errs diag.List
		g, errs = text.Parse(r.ctx, diag.NewSource("candidate", src), text.Options{Verbatim: true, AllowUnregistered: true})
		return errs.Err() == nil && g != nil
	})
	return g, ok
}

// survives is what f says, or false if it panics, as a dialect may on what no reader would accept.
func survives(f func() bool) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	return f()
}

// valid reports a program without faults that are not those of one op.
func (r *reducer) valid(g *ir.Graph) bool {
	return survives(func() bool { return ir.Verify(g) == nil && (r.opts.Valid == nil || r.opts.Valid(g) == nil) })
}

func (r *reducer) print(g *ir.Graph, generic bool) (out string, ok bool) {
	var b strings.Builder
	ok = survives(func() bool { return text.Print(&b, g, text.PrintOptions{Generic: generic}) == nil })
	return b.String(), ok
}

// prettier gives the result in custom syntax if the check holds for that too.
func (r *reducer) prettier() {
	if !r.generic || r.opts.Context.Err() != nil {
		return
	}
	out, ok := r.print(r.g, false)
	if !ok || out == r.best {
		return
	}
	if g, ok := r.parse(out); ok && (!r.lawful || r.valid(g)) && r.check(r.opts.Context, out) {
		r.best = out
	}
}
