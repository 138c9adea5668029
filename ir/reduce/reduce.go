// Package reduce shrinks a program while a check still holds, for bug reports and
// for the random tests: delta debugging on the graph.
//
// The program is read verbatim, so that reading it cannot trip over the very bug
// that is looked for. A candidate is the program rebuilt with some edits: ops
// dropped (their results become values of the same type that are there, or
// constants), ops replaced by an operand, bodies put in the place of their op,
// constants made smaller. Only candidates with a lower score are tried, so it
// ends; the order of the edits is fixed, so the result is the same every time.
//
// A text that does not parse is reduced line by line and then word by word.
package reduce

import (
	"context"
	"errors"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// Options bound the work.
type Options struct {
	Context   context.Context // stops early; nil for never
	MaxChecks int             // how often check may be called; 0 for DefaultChecks
	Progress  func(Progress)  // called after each candidate that is kept
	TextOnly  bool            // lines and words only
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
func Reduce(ctx *ir.Context, src string, check func(candidate string) bool, opts Options) (string, error) {
	if opts.MaxChecks <= 0 {
		opts.MaxChecks = DefaultChecks
	}
	if c := opts.Context; c != nil && c.Err() != nil {
		return src, c.Err()
	}
	opts.MaxChecks = max(opts.MaxChecks-1, 1) // the last one is for prettier
	r := &reducer{ctx: ctx, check: check, opts: opts, best: src, seen: map[string]bool{}}
	if !r.holds(src) {
		return src, ErrCheck
	}
	if opts.TextOnly || !r.start(src) {
		r.textual()
		return r.best, nil
	}
	for r.more() {
		before := r.score
		r.drops()
		r.each(sites(r.g), inlines)
		r.each(sites(r.g), substitutes)
		r.each(sites(r.g), smaller)
		if r.score == before {
			break
		}
	}
	r.prettier()
	return r.best, nil
}

type reducer struct {
	ctx    *ir.Context
	check  func(string) bool
	opts   Options
	checks int
	best   string
	g      *ir.Graph // of best, verbatim
	score  int
	seen   map[string]bool // candidates that were tried
}

// more reports that the budgets allow another check.
func (r *reducer) more() bool {
	return r.checks < r.opts.MaxChecks && (r.opts.Context == nil || r.opts.Context.Err() == nil)
}

func (r *reducer) holds(candidate string) bool {
	if r.seen[candidate] || !r.more() {
		return false
	}
	r.seen[candidate] = true
	r.checks++
	return r.check(candidate)
}

// start reads the program and checks that it is as good when printed.
func (r *reducer) start(src string) bool {
	g, ok := r.parse(src)
	if !ok {
		return false
	}
	out, ok := r.print(g, true)
	if !ok || out != src && !r.holds(out) {
		return false
	}
	if g, ok = r.parse(out); !ok {
		return false
	}
	r.best, r.g, r.score = out, g, score(g)
	return true
}

// parse reads a candidate; a panic of the reader is no reason to stop.
func (r *reducer) parse(src string) (g *ir.Graph, ok bool) {
	defer func() {
		if recover() != nil {
			g, ok = nil, false
		}
	}()
	g, errs := text.Parse(r.ctx, diag.NewSource("candidate", src), text.Options{Verbatim: true, AllowUnregistered: true})
	return g, errs.Err() == nil && g != nil
}

func (r *reducer) print(g *ir.Graph, generic bool) (out string, ok bool) {
	defer func() {
		if recover() != nil {
			out, ok = "", false
		}
	}()
	var b strings.Builder
	err := text.Print(&b, g, text.PrintOptions{Generic: generic})
	return b.String(), err == nil
}

// try keeps the program with the given edits if it is smaller and the check holds.
func (r *reducer) try(edits map[site]edit) bool {
	if len(edits) == 0 || !r.more() {
		return false
	}
	g, ok := rebuild(r.g, edits)
	if !ok || score(g) >= r.score {
		return false
	}
	out, ok := r.print(g, true)
	if !ok {
		return false
	}
	again, ok := r.parse(out)
	if !ok || score(again) >= r.score || !r.holds(out) {
		return false
	}
	r.best, r.g, r.score = out, again, score(again)
	r.progress()
	return true
}

func (r *reducer) progress() {
	if r.opts.Progress != nil {
		n := 0
		if r.g != nil {
			n = len(sites(r.g))
		}
		r.opts.Progress(Progress{Checks: r.checks, Ops: n, Bytes: len(r.best)})
	}
}

// drops leaves out runs of ops, long ones first, from the last to the first:
// users go before what they use. A run starts and ends anywhere; what is inside
// of a dropped op goes with it.
func (r *reducer) drops() {
	for n := (len(sites(r.g)) + 1) / 2; n >= 1 && r.more(); n /= 2 {
		for end := len(sites(r.g)); end > 0 && r.more(); {
			all := sites(r.g)
			end = min(end, len(all))
			from := max(end-n, 0)
			edits := map[site]edit{}
			for _, s := range all[from:end] {
				if s.droppable() {
					edits[s] = edit{kind: drop}
				}
			}
			r.try(edits)
			end = from
		}
	}
}

// each tries the edits that a rule proposes for each op, last op first. After
// each success the program is another, and the rule looks at it anew.
func (r *reducer) each(all []site, rule func(s site) []edit) {
	for i := len(all) - 1; i >= 0 && r.more(); i-- {
		if i >= len(all) {
			continue
		}
		for tried := 0; ; {
			proposals := rule(all[i])
			if tried >= len(proposals) {
				break
			}
			if !r.try(map[site]edit{all[i]: proposals[tried]}) {
				tried++
				continue
			}
			if all = sites(r.g); i >= len(all) {
				break
			}
			tried = 0
		}
	}
}

// prettier gives the result in custom syntax if the check holds for that too.
func (r *reducer) prettier() {
	if out, ok := r.print(r.g, false); ok && out != r.best && r.check(out) {
		r.best = out
	}
}
