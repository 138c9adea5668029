package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"time"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/ends"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/explain"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/tune"
)

// Tune is a pipeline with the options that -tune finds, or that the file of -tune-file has for it.
func Tune(run *cli.Session, asked *cli.Run) (*pass.Pipeline, error) {
	s, p, to := &session{run}, asked.Passes, asked.Target
	search, path := s.IsSet("tune"), s.Str("tune-file")
	if !search && path == "" {
		return p, nil
	}
	if !asked.Engine.Native {
		return nil, cli.Usagef("leave one of them out", "-tune is about native code, and -engine=%s makes none", asked.Engine.Name)
	}
	records, err := s.tuneFile(path, search)
	if err != nil {
		return nil, err
	}
	key := tune.Key{Program: tune.Hash(asked.Source.Text), Target: to.String(), Entry: s.Str("entry"), Passes: strings.TrimSpace(s.Str("passes"))}
	if search {
		r, err := s.search(asked.Source, asked.Kind, p, to, key)
		if err != nil {
			return nil, err
		}
		if path != "" {
			if err := s.WriteFile(path, []byte(tune.Text(tune.With(records, *r)))); err != nil {
				return nil, err
			}
		}
		return pass.Parse(r.Tuned, s.Program.Passes)
	}
	r := tune.Find(records, key)
	if r == nil {
		fmt.Fprintf(s.Stderr, "irc: note: %s has nothing for this program, @%s, these passes and this target: they run as they are; -tune=30s looks for better sizes\n", path, key.Entry)
		return p, nil
	}
	s.Sayf("%s: %s (%s)", path, r.Tuned, r.Gain)
	out, err := pass.Parse(r.Tuned, s.Program.Passes)
	if err != nil {
		return nil, diag.Errorf(diag.Span{}, "%s has passes for this program that are none: %v", path, cli.Plain(err)).WithFix("run with -tune to find others")
	}
	return out, nil
}

// tuneFile reads the records of a file, which -tune may be about to make.
func (s *session) tuneFile(path string, search bool) ([]tune.Record, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && search {
		return nil, nil
	}
	if err != nil {
		return nil, diag.Errorf(diag.Span{}, "-tune-file: %v", err).WithFix("-tune=30s makes it")
	}
	return tune.Read(diag.NewSource(path, string(text)))
}

// turnsOfTuning is how often each program is run that is tried.
const turnsOfTuning = 3

// A trial runs programs of one source, as passes make them.
type trial struct {
	*session
	src   *diag.Source
	kind  *cli.Input
	to    *target.Target
	e     engine.Engine
	args  string
	want  any           // what the program gives as it is
	limit time.Duration // for all runs of one
	left  time.Duration // to search, from the first run on
	end   time.Time     // when that is over
}

// search looks for the fastest options.
func (s *session) search(src *diag.Source, kind *cli.Input, p *pass.Pipeline, to *target.Target, key tune.Key) (*tune.Record, error) {
	knobs := tune.Knobs(p)
	if len(knobs) == 0 {
		return nil, cli.Usagef("name one of them in -passes, without sizes", "-tune has nothing to choose: no loop-tile, poly-tile, vectorize or unroll-and-jam of -passes is without sizes")
	}
	length, err := time.ParseDuration(s.Str("tune"))
	if err != nil || length <= 0 {
		return nil, cli.Usagef("write -tune=30s", "-tune=%s is no time to search", s.Str("tune"))
	}
	e, _, err := engine.LLVM.Start(s.Context, engine.Options{Unchecked: s.Flag("unchecked"), Level: cli.LevelOf(p), Target: to, Entries: []string{key.Entry}, Child: s.Process()})
	if err != nil {
		return nil, s.CannotStart(err)
	}
	defer e.Close()
	t := &trial{session: s, src: src, kind: kind, to: to, e: e, args: "[]", left: length}
	if path := s.Str("args"); path != "" {
		if path == "-" {
			return nil, cli.Usagef("name a file", "-tune reads the arguments more than once, and -args=- is standard input")
		}
		if t.args, err = s.Read(path); err != nil {
			return nil, err
		}
	}
	begin := time.Now()
	var first error
	try := func(values [][]int) (float64, bool) {
		q, err := s.withValues(p, knobs, values)
		seconds := 0.0
		if err == nil {
			seconds, err = t.run(q, key.Entry)
		}
		if err != nil && t.want == nil {
			first = err
		}
		if err == nil {
			t.limit = time.Second + time.Duration(4*turnsOfTuning*seconds*float64(time.Second))
		}
		s.Sayf("tune: %s: %s", described(knobs, values), outcome(seconds, err))
		return seconds, err == nil
	}
	b, ok := tune.Search(knobs, try, func() bool { return s.Context.Err() == nil && time.Now().Before(t.end) })
	if err := context.Cause(s.Context); err != nil {
		return nil, err
	}
	if !ok {
		return nil, first
	}
	q, err := s.withValues(p, knobs, b.Values)
	if err != nil {
		return nil, err
	}
	r := &tune.Record{Key: key, Tuned: q.String(), Gain: fmt.Sprintf("%s -> %s, %s", explain.Duration(b.First), explain.Duration(b.Seconds), described(knobs, b.Values))}
	fmt.Fprintf(s.Stderr, "irc: tuned, %d tries in %s: %s\n", b.Tries, time.Since(begin).Round(time.Second/10), r.Gain)
	return r, nil
}

// withValues is a pipeline of its own with values for its knobs.
func (s *session) withValues(p *pass.Pipeline, knobs []tune.Knob, values [][]int) (*pass.Pipeline, error) {
	out, err := pass.Parse(p.String(), s.Program.Passes)
	if err != nil {
		return nil, err
	}
	for i, k := range knobs {
		if values[i] != nil {
			k.With(out, values[i])
		}
	}
	return out, nil
}

// described says values for people.
func described(knobs []tune.Knob, values [][]int) string {
	var out []string
	for i, k := range knobs {
		if values[i] != nil {
			out = append(out, k.Pass+" "+strings.Trim(strings.ReplaceAll(fmt.Sprint(values[i]), " ", ","), "[]"))
		}
	}
	if len(out) == 0 {
		return "as the passes choose"
	}
	return strings.Join(out, ", ")
}

func outcome(seconds float64, err error) string {
	if err != nil {
		return firstLineOf(err.Error())
	}
	return explain.Duration(seconds)
}

func firstLineOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// run compiles the program as passes make it, runs it some times, each with arguments of its own, and gives the least
// time. What it computes has to be what it computes as it is, but for the rounding of floats.
func (t *trial) run(p *pass.Pipeline, entry string) (float64, error) {
	ctx := t.Context
	if t.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t.limit+20*time.Second) // passes and LLVM take their time
		defer cancel()
	}
	low, err := t.lowered(ctx, p)
	if err != nil {
		return 0, err
	}
	ps, err := t.e.Prepare(ctx, low)
	if err != nil {
		return 0, err
	}
	defer ps[0].Close()
	in, out, err := ps[0].Signature(entry)
	if err != nil {
		return 0, err
	}
	best := 0.0
	if t.end.IsZero() {
		t.end = time.Now().Add(t.left)
	}
	runs, cancel := context.WithDeadline(ctx, t.end)
	defer cancel()
	for turn := range turnsOfTuning {
		if turn > 0 && time.Now().After(t.end) {
			break
		}
		args, err := interp.ArgsFromJSON(low.Ctx, in, []byte(t.args), noTables)
		if err != nil {
			return 0, diag.Errorf(diag.Span{}, "%v", err).WithFix("-tune takes functions of numbers and memrefs: give them as a JSON array with -args=FILE")
		}
		r, err := ps[0].Batch(runs, []engine.Call{{Name: entry, Args: args}})
		if err == nil {
			err = r[0].Err
		}
		switch {
		case err != nil && runs.Err() != nil && ctx.Err() == nil && t.want == nil:
			return 0, diag.Errorf(diag.Span{}, "@%s runs for longer than the %s of -tune: there is nothing to compare with", entry, t.left).WithFix("give more time, or smaller arguments")
		case err != nil && runs.Err() != nil && turn > 0:
			return best, nil
		case err != nil:
			return 0, err
		}
		if s := r[0].Wall.Seconds(); best == 0 || s < best {
			best = s
		}
		if err := t.same(low.Ctx, in, out, args, r[0].Values); err != nil {
			return 0, err
		}
	}
	return best, nil
}

// lowered is the program after a pipeline and the lowering pipeline from there.
func (t *trial) lowered(ctx context.Context, p *pass.Pipeline) (*ir.Graph, error) {
	c := t.NewContext()
	g, list := t.ReadGraph(c, t.src, t.kind)
	if err := list.Err(); err != nil {
		return nil, err
	}
	whole, err := t.Completed(p, t.to, ends.MostOptimised)
	if err != nil {
		return nil, err
	}
	low, err := (&pass.Manager{Out: t.Stderr, Target: t.to, Line: cli.Lines(t.src)}).Run(ctx, g, whole)
	if err != nil {
		return nil, t.Placed(c, t.src, cli.Plain(err))
	}
	return low, nil
}

func noTables(ir.Type, string) (ir.Val, error) {
	return ir.Val{}, errors.New("-tune reads no tables")
}

// same compares what a call gave with what the first gave.
func (t *trial) same(c *ir.Context, in, out []ir.Type, args, results []ir.Val) error {
	var got [2]any
	for i, x := range []struct {
		vals  []ir.Val
		types []ir.Type
	}{{results, out}, {args, in}} {
		text, err := interp.ToJSON(c, x.vals, x.types)
		if err == nil {
			err = json.Unmarshal([]byte(text), &got[i])
		}
		if err != nil {
			return err
		}
	}
	all := []any{got[0], got[1]}
	if t.want == nil {
		t.want = all
	}
	if !alike(t.want, all) {
		return errors.New("the results differ")
	}
	return nil
}

// alike compares values of JSON: numbers but for what rounding in another order does.
func alike(x, y any) bool {
	switch x := x.(type) {
	case []any:
		y, ok := y.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !alike(x[i], y[i]) {
				return false
			}
		}
		return true
	case float64:
		y, ok := y.(float64)
		return ok && math.Abs(x-y) <= 1e-6*math.Max(1, math.Abs(x))
	}
	return x == y
}
