package irctest

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Mutate says which folds and cleanups of a dialect could be wrong and Dialect would not notice. It replaces each by wrong ones:
// on its operands exchanged, with a result off by one or another operand, and on operands of which its
// condition does not hold; a cleanup only by one with another result. A rule of which no mutant is noticed fails the test, and so does one that never fires: a
// sample on which it does helps. A single mutant that is not noticed may mean the same as the rule, and is logged.
func (c Config) Mutate(t testing.TB, d *ir.Dialect) {
	t.Helper()
	x, err := c.newDialectTest(d)
	if err != nil {
		t.Fatal(err)
	}
	runs, at, f := x.baseline(c)
	if f != nil {
		report(t, x.list, at, f, x.all)
		return
	}
	noticed, all := 0, 0
	rules := rulesOf(d)
	for i, r := range rules {
		var v verdict
		if i < len(d.Folds) {
			v = x.verdict(i, runs)
		} else {
			v = x.cleanupVerdict(i-len(d.Folds), runs)
		}
		for _, m := range v.unnoticed {
			t.Logf("rule %q: %s: not noticed", r.name, m)
		}
		switch {
		case !slices.ContainsFunc(runs, func(k known) bool { return slices.Contains(k.fired, r.name) }):
			t.Errorf("rule %q never fires: give a sample on which it does", r.name)
		case v.applied == 0:
			t.Logf("rule %q: no mutant does anything else", r.name)
		case v.noticed == 0:
			t.Errorf("rule %q could be wrong: none of %d mutants is noticed", r.name, v.applied)
		}
		noticed, all = noticed+v.noticed, all+v.applied
	}
	t.Logf("%d of %d mutants of %d rules are noticed", noticed, all, len(rules))
}

// A known program is one whose outcomes are known.
type known struct {
	*program
	wants  []outcome
	fired  []string
	lowers bool // it can be lowered
}

// baseline runs the programs with the dialect as it is.
func (x *dialectTest) baseline(c Config) (out []known, at *program, f *fault) {
	ctx := ir.NewContext(x.list...)
	hunt := x.newHunt()
	for i := 0; i < c.programs() || hunt.goesOn(i-c.programs()); i++ {
		seed := c.seed() + uint64(i)
		if i >= c.programs() {
			seed *= 4 // tiny ones, and of these what shows a rule that few others show
		}
		p := x.gen.program(ctx, seed)
		if i >= c.programs() && !hunt.wants(ctx, p) {
			continue
		}
		written, err := parse(ctx, p.text, true)
		if err != nil {
			continue
		}
		k := known{program: p}
		means := false
		for _, in := range p.inputs {
			want, fits, err := call(written, p.entry, in, interp.Options{})
			if err != nil || !fits {
				want.spent = true
			}
			means = means || want.means()
			k.wants = append(k.wants, want)
		}
		if !means {
			continue
		}
		built, fired, err := x.build(ctx, p.text)
		if err != nil {
			return nil, p, &fault{kind: "the program is refused when rules run", what: err.Error()}
		}
		cleaned, more := x.clean(ctx, built)
		fired = append(fired, more...)
		lowered, more := x.watchLower(ctx, built)
		if f := k.noticedBy(built, lowered, x.near); f != nil {
			return nil, p, f
		}
		if f := k.noticedByCleaning(cleaned); f != nil {
			return nil, p, f
		}
		k.fired, k.lowers = append(fired, more...), lowered != nil
		out = append(out, k)
	}
	return out, nil, nil
}

// triesOfRule is how many tiny programs are tried at most for each rule that there is: a rule on a constant fires in
// one of a hundred. showsOfRule is how many are kept in which it fires, and in which its op is and it does not.
const (
	triesOfRule = 300
	showsOfRule = 8
)

// hunt looks for programs in which rules fire.
type hunt struct {
	x        *dialectTest
	fires    map[string]int    // by rule
	idle     map[*ir.OpDef]int // by op
	complete bool
}

func (x *dialectTest) newHunt() *hunt {
	return &hunt{x: x, fires: map[string]int{}, idle: map[*ir.OpDef]int{}}
}

// goesOn reports that some rule has fired in too few programs.
func (h *hunt) goesOn(tried int) bool {
	return !h.complete && tried < triesOfRule*len(rulesOf(h.x.d))
}

// wants reports that a program makes a rule fire that did not in many before, or has its op where it does not.
func (h *hunt) wants(ctx *ir.Context, p *program) (some bool) {
	g, fired, err := h.x.build(ctx, p.text)
	if err != nil {
		return true
	}
	_, more := h.x.clean(ctx, g)
	fired = append(fired, more...)
	h.complete = true
	for _, r := range rulesOf(h.x.d) {
		switch {
		case slices.Contains(fired, r.name):
			some = some || h.fires[r.name] < showsOfRule
			h.fires[r.name]++
		case strings.Contains(p.text, `"`+r.of.Name+`"`):
			some = some || h.idle[r.of] < showsOfRule
			h.idle[r.of]++
		}
		h.complete = h.complete && h.fires[r.name] >= showsOfRule
	}
	return some
}

// noticedBy compares a graph, and what it is lowered to if that is not nil, with what the program means.
func (k *known) noticedBy(g, lowered *ir.Graph, near float64) *fault {
	for i, in := range k.inputs {
		if !k.wants[i].means() {
			continue
		}
		if f := differs("the folds change the meaning", g, k.entry, in, k.wants[i], interp.Options{}); f != nil {
			return f
		}
		if lowered == nil {
			continue
		}
		want := k.wants[i]
		want.near = near
		if f := differs("the folds change the meaning of what is lowered", lowered, k.entry, in.flat(), want, interp.Options{}); f != nil {
			return f
		}
	}
	return nil
}

// verdict is what became of the mutants of a rule.
type verdict struct {
	applied, noticed int
	unnoticed        []string
}

// programsOfRule is in how many programs of either kind at most a mutant is looked for: the next ones resemble these.
const programsOfRule = 30

// verdict tries the mutants of a rule on the programs in which it fires, and then on others.
func (x *dialectTest) verdict(at int, runs []known) (v verdict) {
	runs = x.concerned(rule{x.d.Folds[at].Of, x.d.Folds[at].Rule}, runs)
	for _, kind := range mutations {
		m := &mutant{original: x.d.Folds[at], change: kind.change, busy: map[*ir.Builder]bool{}}
		d := *x.d
		d.Folds = slices.Clone(d.Folds)
		d.Folds[at].Needs, d.Folds[at].Is, d.Folds[at].Do = 0, nil, m.do
		ctx := ir.NewContext(with(x.list, &d)...)
		seen := false
		for i := range runs {
			find := func(c *ir.Context, src, _ string, _ []input) *fault {
				g, err := parse(c, src, false)
				if err != nil {
					return &fault{what: err.Error()}
				}
				var lowered *ir.Graph
				if runs[i].lowers {
					if lowered = x.lowerTo(g); lowered == nil {
						return &fault{what: "it cannot be lowered"}
					}
				}
				return runs[i].noticedBy(g, lowered, x.near)
			}
			if seen = guard(find)(ctx, runs[i].text, runs[i].entry, nil) != nil; seen {
				break
			}
		}
		if seen {
			m.applied = true
			v.noticed++
		}
		if m.applied {
			v.applied++
			if !seen {
				v.unnoticed = append(v.unnoticed, kind.name)
			}
		}
	}
	return v
}

// concerned are programs in which a rule fires, and as many in which its op is.
func (x *dialectTest) concerned(r rule, runs []known) []known {
	var fires, idle []known
	for _, k := range runs {
		switch {
		case slices.Contains(k.fired, r.name):
			fires = append(fires, k)
		case strings.Contains(k.text, r.of.Name):
			idle = append(idle, k)
		}
	}
	return append(fires[:min(len(fires), programsOfRule)], idle[:min(len(idle), programsOfRule)]...)
}

// mutant is a wrong rule in the place of one.
type mutant struct {
	original ir.Fold
	change   func(m *mutant, b *ir.Builder, c *ir.Call, v ir.Value) ir.Value

	mu      sync.Mutex // of what follows: functions are read at once
	busy    map[*ir.Builder]bool
	applied bool
	consts  []constant
	attrs   []ir.Attr
}

// constant is an operand with which the rule has fired.
type constant struct {
	at   int
	typ  ir.Type
	attr ir.Attr
}

var mutations = []struct {
	name   string
	change func(m *mutant, b *ir.Builder, c *ir.Call, v ir.Value) ir.Value
}{
	{"operands exchanged", (*mutant).exchanged},
	{"another result", (*mutant).another},
	{"its condition dropped", (*mutant).dropped},
}

// do is the rule but for the change. What the change builds is built by the rule as it was: else most changes
// would be changed again, without end.
func (m *mutant) do(b *ir.Builder, c *ir.Call) ir.Value {
	v := m.original.Apply(b, c)
	if !m.begin(b) {
		return v
	}
	w := m.change(m, b, c, v)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.busy, b)
	if w == 0 || w == v || b.Graph().Type(w) != c.Type {
		return v
	}
	m.applied = true
	return w
}

// begin reports that no change of the same graph is under way, and that one is now.
func (m *mutant) begin(b *ir.Builder) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.busy[b] {
		return false
	}
	m.busy[b] = true
	return true
}

// exchanged is what the rule makes of the first two operands exchanged.
func (m *mutant) exchanged(b *ir.Builder, c *ir.Call, _ ir.Value) ir.Value {
	if len(c.Args) < 2 || c.Args[0] == c.Args[1] || c.ArgType(0) != c.ArgType(1) {
		return 0
	}
	d := *c
	d.Args = slices.Clone(c.Args)
	d.Args[0], d.Args[1] = d.Args[1], d.Args[0]
	return m.original.Apply(b, &d)
}

// another is a result that is off by one, or another operand of the same type.
func (m *mutant) another(b *ir.Builder, c *ir.Call, v ir.Value) ir.Value {
	if v == 0 {
		return 0
	}
	if w := offByOne(b, v); w != 0 {
		return w
	}
	g := b.Graph()
	for _, a := range c.Args {
		if a != v && g.Type(a) == g.Type(v) {
			return a
		}
	}
	return m.part(b, v)
}

// offByOne is another number, or what has a part that is one; 0 for what has none.
func offByOne(b *ir.Builder, v ir.Value) ir.Value {
	c, t := b.Ctx(), b.Graph().Type(v)
	l := c.LoweringOf(t)
	switch {
	case t == ir.I1:
		return b.Op(arith.Xori, v, arith.ConstBool(b, true))
	case c.IsInt(t) && c.Info(t).Width <= 64:
		return b.Op(arith.Addi, v, b.Const(t, ir.Val{Bits: 1}))
	case elementwise.Computable(t):
		return arith.AddF(b, v, b.Const(t, ir.FloatVal(1, t)))
	case l == nil || c.IsTensor(t):
		return 0
	}
	parts := slices.Clone(l.Unpack(b, v))
	for i, p := range parts {
		if parts[i] = offByOne(b, p); parts[i] != 0 {
			return l.Pack(b, t, parts)
		}
		parts[i] = p
	}
	return 0
}

// part is the result with two of its operands exchanged, where it is an op without effects.
func (m *mutant) part(b *ir.Builder, v ir.Value) ir.Value {
	g := b.Graph()
	args := slices.Clone(g.Args(v))
	if !g.IsOp(v) || !g.IsPure(v) || len(g.Regions(v)) > 0 || len(args) < 2 || g.Type(args[0]) != g.Type(args[1]) {
		return 0
	}
	args[0], args[1] = args[1], args[0]
	return b.Must(ir.Call{Def: g.Def(v), Args: args, Attr: g.AttrsOf(v), Type: g.Type(v)})
}

// dropped fires where the rule does not: as if operands were equal, or the constants with which it fired before, or its
// attributes those.
func (m *mutant) dropped(b *ir.Builder, c *ir.Call, v ir.Value) ir.Value {
	consts, attrs := m.remember(b, c, v != 0)
	if v != 0 {
		return 0
	}
	for _, k := range consts {
		if k.at < len(c.Args) && c.ArgType(k.at) == k.typ && k.attr != 0 {
			if w := m.with(b, c, k.at, b.ConstAttr(k.typ, k.attr)); w != 0 {
				return w
			}
		}
	}
	for i := 1; i < len(c.Args); i++ {
		if c.ArgType(i) == c.ArgType(i-1) {
			if w := m.with(b, c, i, c.Args[i-1]); w != 0 {
				return w
			}
		}
	}
	for _, a := range attrs {
		d := *c
		d.Attr = a
		if w := m.original.Apply(b, &d); w != 0 {
			return w
		}
	}
	return 0
}

// remember notes the constants and attributes of a call, if the rule fires on it, and gives those of calls before.
func (m *mutant) remember(b *ir.Builder, c *ir.Call, fires bool) ([]constant, []ir.Attr) {
	m.mu.Lock()
	defer m.mu.Unlock()
	g := b.Graph()
	for i, a := range c.Args {
		if _, ok := g.Const(a); ok && fires {
			m.consts = appendSome(m.consts, constant{i, g.Type(a), g.Attr(a, "value")})
		}
	}
	if fires {
		m.attrs = appendSome(m.attrs, c.Attr)
	}
	return m.consts, m.attrs
}

// with is what the rule makes of a call with another operand.
func (m *mutant) with(b *ir.Builder, c *ir.Call, at int, v ir.Value) ir.Value {
	d := *c
	d.Args = slices.Clone(c.Args)
	d.Args[at] = v
	return m.original.Apply(b, &d)
}

// remembered bounds what a mutant keeps of calls.
const remembered = 8

func appendSome[T comparable](list []T, x T) []T {
	if len(list) < remembered && !slices.Contains(list, x) {
		list = append(list, x)
	}
	return list
}
