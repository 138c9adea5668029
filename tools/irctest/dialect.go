package irctest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/diff"
	"github.com/irc-lang/irc/tools/internal/vet"
)

// Dialect looks for mistakes in what a dialect defines, as `irc dialects -check` does. Then it runs random programs of
// its ops and compares what says the same of them twice:
//   - text: in both forms each program is read as what was printed, attributes included;
//   - Eval and traits: the same operands give the same value, of the op's type, and neither a trap nor poison that
//     the traits and Poisons deny;
//   - effects: what an op does to memory and prints is what its Effects declare;
//   - regions: they run as often as their ir.RegionKind allows;
//   - rows: a loop has the bounds, the order and the carried values of its ir.LoopLike, and an op accesses the elements
//     of its ir.AccessLike, and stores there what that says;
//   - poison: with one operand that is poison an interp.Func traps, or gives poison where the op is neither Partial nor has
//     regions;
//   - folds and cleanups: built with rules, cleaned up and in any schedule, a program does what is written;
//   - lowering: lowered to llvm it does the same on the interpreter, and on LLVM where that is there.
//
// The first fault is reduced and fails the test. The log names ops that no program has, and rules that never fired.
func (c Config) Dialect(t testing.TB, d *ir.Dialect) {
	t.Helper()
	x, err := c.newDialectTest(d)
	if err != nil {
		t.Fatal(err)
	}
	if at, f := search(x.gen, c.seed(), c.programs(), x.all); f != nil {
		report(t, x.list, at, f, x.all)
		return
	}
	x.native(t, c)
	x.summary(t)
}

// dialectTest is a test of a dialect.
type dialectTest struct {
	d     *ir.Dialect
	list  []*ir.Dialect
	gen   *generator
	lower *pass.Pipeline
	near  float64 // how far floats may be once they are lowered

	mistakes []vet.Mistake // warnings about the definitions
	unread   unread
	mu       sync.Mutex
	ops      map[*ir.OpDef]int // that ran
	rules    map[string]int    // of the dialect, that fired
	lowered  int               // programs
	unlowers map[string]bool   // why others were not
}

func (c Config) newDialectTest(d *ir.Dialect) (*dialectTest, error) {
	irc := c.irc()
	x := &dialectTest{d: d, near: c.Tolerance, list: with(dialectsOf(irc.Dialects), d), ops: map[*ir.OpDef]int{}, rules: map[string]int{}, unlowers: map[string]bool{}}
	passes := irc.Passes
	if passes.Find("lower") == nil {
		passes = lowering.AllPasses()
	}
	x.mistakes = vet.Program{Dialects: x.list, Passes: passes}.CheckDialects(func(e *ir.Dialect) bool { return e == d })
	if err := vet.Errors(x.mistakes); err != nil {
		return nil, err
	}
	var err error
	if x.lower, err = pass.Parse("lower{to=llvm}", passes); err != nil {
		return nil, err
	}
	if x.gen, err = c.newGenerator(x.list, nil, d.Ops); err != nil {
		for _, m := range x.mistakes { // one of them may be why
			err = errors.Join(err, m.Diagnostic)
		}
		return nil, err
	}
	x.gen.share, x.gen.tiny = 0.8, true
	return x, nil
}

// all is every check of one program.
func (x *dialectTest) all(c *ir.Context, src, entry string, inputs []input) *fault {
	written, err := parse(c, src, true)
	if err != nil {
		x.unread.add(err)
		return nil
	}
	if f := roundTrip(c, written, true); f != nil {
		return f
	}
	built, rules, err := x.build(c, src)
	if err != nil {
		return &fault{kind: "the program is refused when rules run", what: err.Error()}
	}
	if f := roundTrip(c, built, false); f != nil {
		return f
	}
	cleaned, more := x.clean(c, built)
	forms := forms{written: written, built: built, cleaned: cleaned, rules: append(rules, more...)}
	forms.lowered, _ = x.watchLower(c, built)
	for k, in := range inputs {
		if f := x.runs(&forms, entry, in, k); f != nil {
			return f
		}
	}
	return nil
}

// build reads a program with rules, and notes which fire.
func (x *dialectTest) build(c *ir.Context, src string) (g *ir.Graph, fired []string, err error) {
	fired = x.watch(c, func() { g, err = parse(c, src, false) })
	return g, fired, err
}

// watchLower lowers a program, and notes which rules fire.
func (x *dialectTest) watchLower(c *ir.Context, g *ir.Graph) (lowered *ir.Graph, fired []string) {
	fired = x.watch(c, func() { lowered = x.lowerTo(g) })
	return lowered, fired
}

// watch notes the rules that fire while f runs.
func (x *dialectTest) watch(c *ir.Context, f func()) (fired []string) {
	var mu sync.Mutex
	c.Watch = func(e ir.Event) {
		if e.Kind == ir.Folded && e.Rule != "" {
			mu.Lock()
			defer mu.Unlock()
			if !slices.Contains(fired, e.Rule) {
				fired = append(fired, e.Rule)
			}
		}
	}
	f()
	c.Watch = nil
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, rule := range fired {
		x.rules[rule]++
	}
	return fired
}

// ownsMemory reports memory whose end nobody has decided yet: a pass behind the lowering gives it back.
func ownsMemory(g *ir.Graph) bool {
	for n := range g.All() {
		if n.Def() == memref.Alloc && n.Attr(memref.OwnedAttr) != 0 {
			return true
		}
	}
	return false
}

// forms are a program as it is written, built with folds, cleaned up and lowered (both may be nil), and the rules that fired.
type forms struct {
	written, built, cleaned, lowered *ir.Graph
	rules                            []string
}

// runs compares what the forms of a program do in one call.
func (x *dialectTest) runs(p *forms, entry string, in input, k int) *fault {
	want, f := x.traced(p.written, entry, in, k == 0)
	if f != nil || !want.means() {
		return f
	}
	const folds = "the folds change the meaning"
	r := rand.New(rand.NewPCG(uint64(k), 5))
	f = differs(folds, p.built, entry, in, want, interp.Options{})
	if f == nil {
		f = differs("another order of ops changes the meaning, which their effects allow", p.built, entry, in, want, interp.Options{Schedule: &ir.ScheduleOptions{Shuffle: r.IntN}})
		if f == nil {
			f = differsCleaned(p.cleaned, entry, in, want)
		}
	}
	if f != nil && len(p.rules) > 0 && (f.kind == folds || f.kind == cleanupsDiffer) {
		f.what += "\n  rules that fire: " + strings.Join(p.rules, "; ")
	}
	if f == nil && p.lowered != nil {
		if _, fits, _ := call(p.lowered, entry, in.flat(), interp.Options{}); fits {
			want.near = x.near
			if ownsMemory(p.lowered) {
				want.kept = anyKept
			}
			f = differs("the lowering changes the meaning", p.lowered, entry, in.flat(), want, interp.Options{})
		}
	}
	if f != nil {
		f.input = in
	}
	return f
}

// traced runs a program as it is written, and compares what its ops do with what is said of them; where poisons is set, also with
// operands that are poison. What did not run means nothing.
func (x *dialectTest) traced(written *ir.Graph, entry string, in input, poisons bool) (want outcome, f *fault) {
	nothing := outcome{trap: "it does not run"}
	tr := newTrace(x.d, in)
	want, fits, err := call(written, entry, in, tr.options())
	if err != nil || !fits {
		return nothing, nil
	}
	x.ran(tr)
	f = tr.fault()
	if f == nil && poisons {
		f = ignoresPoison(written, entry, in, tr.seen)
	}
	if f != nil {
		f.input = in
		return nothing, f
	}
	return want, nil
}

// ran notes which ops of the dialect ran.
func (x *dialectTest) ran(tr *trace) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for op := range tr.ops {
		x.ops[op]++
	}
}

// noAttrs is what functions have whose arguments have no attributes; the custom form has no place for it.
var noAttrs = regexp.MustCompile(`arg_attrs = \[(\{\}(, )?)*\], `)

// roundTrip prints a graph in both forms and reads it.
func roundTrip(c *ir.Context, g *ir.Graph, verbatim bool) *fault {
	generic := noAttrs.ReplaceAllString(text.String(g, text.PrintOptions{Generic: true}), "")
	for _, form := range []bool{true, false} {
		name := map[bool]string{true: "the generic form", false: "the custom form"}[form]
		out := text.String(g, text.PrintOptions{Generic: form})
		again, err := parse(c, out, verbatim)
		if err != nil {
			return &fault{kind: "what is printed in " + name + " is not read", what: fmt.Sprintf("%v\n%s", err, out)}
		}
		if now := noAttrs.ReplaceAllString(text.String(again, text.PrintOptions{Generic: true}), ""); now != generic {
			return &fault{kind: "what is printed in " + name + " is read as something else", what: diff.Lines(generic, now)}
		}
	}
	return nil
}

// summary logs what was covered.
func (x *dialectTest) summary(t testing.TB) {
	t.Helper()
	var ops, rules []string
	for _, op := range x.d.Ops {
		if x.ops[op] == 0 && !op.Has(ir.Terminator) && !op.Has(ir.ConstantLike) && !op.Has(ir.TextOnly) {
			ops = append(ops, op.Name)
		}
	}
	for _, r := range rulesOf(x.d) {
		if x.rules[r.name] == 0 && !slices.Contains(rules, r.name) {
			rules = append(rules, r.name)
		}
	}
	for _, m := range x.mistakes {
		t.Logf("%v", m.Diagnostic)
	}
	t.Logf("dialect %s: %d of its ops ran; %d programs were lowered", x.d.Name, len(x.ops), x.lowered)
	x.unread.log(t)
	for _, why := range x.gen.uncalled {
		t.Log(why)
	}
	if len(ops) > 0 {
		t.Logf("no program ran %s: give Samples", strings.Join(ops, ", "))
	}
	if len(rules) > 0 {
		t.Logf("%d rules never fired: %s", len(rules), strings.Join(rules, "; "))
	}
	for _, why := range sorted(x.unlowers) {
		t.Logf("not lowered: %s", why)
	}
	if len(x.ops) == 0 && len(x.d.Ops) > 0 {
		t.Errorf("no op of dialect %s ran in any program: give Samples", x.d.Name)
	}
}

func sorted(set map[string]bool) (out []string) {
	for s := range set {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}
