package rewrite

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/passes/rule"
)

// Rewrite applies the rules of files. They are read once, when the first graph comes: a pipeline that is printed
// or completed opens no file.
type Rewrite struct {
	Rules    []string `opt:"rules" file:"read" doc:"files of rules, in the grammar of irc prove"`
	Rule     string   `opt:"rule" doc:"rules that are written here"`
	Unproven bool     `opt:"unproven" doc:"take rules that nobody has proven"`

	load   sync.Once
	rules  *rules
	failed error
}

// Info is the row of the pass.
var Info = &pass.Info{
	Name: "rewrite",
	Doc: "Applies the rules of text files, in the grammar of irc prove (docs/prove.md), the first that matches, until nothing changes. " +
		"A rule is proven at 1 to 4 bits when its file is read, unless unproven says that this is not wanted. -rules=FILE is short for it.",
	Why: "Where a rule is tried out before it is written in Go: first, or behind the passes that make what it matches.",
	Example: `func.func @f(%x: i32, %y: i32) -> i32 {
  %a = arith.andi %x, %y : i32
  %b = arith.ori %x, %y : i32
  %s = arith.addi %a, %b : i32
  return %s : i32
}
`,
	Pipeline:   "rewrite{rule='arith.addi(arith.andi(x, y), arith.ori(x, y)) => arith.addi(x, y)'}",
	Statistics: []pass.Statistic{{Name: "applied", Doc: "ops that a rule made into something else"}, {Name: "rules", Doc: "rules that applied somewhere"}},
	New:        func() pass.Pass { return &Rewrite{} },
}

// Run rebuilds until nothing changes.
func (p *Rewrite) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	p.load.Do(func() { p.rules, p.failed = p.read(ctx, g.Ctx) })
	if p.failed != nil {
		return nil, p.failed
	}
	r := p.rules
	before := r.counts()
	n, err := r.settle(ctx, g)
	if err != nil {
		return nil, err
	}
	applied, used := 0, 0
	for i, x := range r.all {
		if k := int(x.applied.Load() - before[i]); k > 0 {
			applied, used = applied+k, used+1
			ctx.Fired(x.name, k)
			ctx.Remark("%s: applied %d times", x.name, k)
		}
	}
	ctx.Count("applied", applied)
	ctx.Count("rules", used)
	if used == 0 {
		ctx.Remark("no rule matches: what a rule is to match must be what irc makes of it when it reads it")
		return g, nil // the same graph: what is known of it stays known
	}
	return n, nil
}

// rules are those of all files. For each op there are the rules that begin with it, in the order of the files: the first that
// matches applies.
type rules struct {
	all     []*active
	of      map[*ir.OpDef][]*active
	endless atomic.Pointer[active]
}

// active is a rule as it is applied. Functions are rebuilt at the same time.
type active struct {
	name    string // its text in one line
	at      diag.Span
	of      *ir.OpDef
	pattern *ir.Pattern
	applied atomic.Int64
}

// counts is how often each rule has applied. Loops are rebuilt until what was assumed of them holds, so it is how often a
// rule was tried with success, not how many ops are different in the end.
func (r *rules) counts() []int64 {
	out := make([]int64, len(r.all))
	for i, x := range r.all {
		out[i] = x.applied.Load()
	}
	return out
}

// What a rule may do before it is taken for endless: to one op in a rebuild, and rebuilds that change something. Each takes
// what the one before has made of the operands of an op, so that they are as many as rules are nested.
const (
	mostSteps    = 1000
	mostRebuilds = 1000
)

// settle rebuilds until nothing changes. A rebuild makes operands first, so that an op is matched on what has become of
// them; what a rule makes inside of its right side is matched in the next one.
func (r *rules) settle(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	table := ir.Rules{}
	for def := range r.of {
		table[def] = r.apply
	}
	before, counts := fixpoint.Fingerprint(g), r.counts()
	for range mostRebuilds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		counts = r.counts()
		g = ir.Rewrite(g.Ctx, ir.ScheduleOf(g), table, nil)
		if x := r.endless.Load(); x != nil {
			return nil, diag.Errorf(x.at, "this rule does not end: it has applied %d times to what it has made of one op", mostSteps).
				WithFix("what a rule makes should be simpler than what it matches, and no rule should undo it")
		}
		after := fixpoint.Fingerprint(g)
		if after == before {
			return g, nil
		}
		before = after
	}
	var d *diag.Diagnostic
	for i, x := range r.all {
		switch {
		case x.applied.Load() == counts[i]:
		case d == nil:
			d = diag.Errorf(x.at, "the rules do not end: after %d rebuilds this one still applies", mostRebuilds).
				WithFix("what a rule makes should be simpler than what it matches, and no rule should undo it")
		default:
			d = d.WithNote(x.at, "and this one")
		}
	}
	if d == nil {
		return nil, fmt.Errorf("has not settled after %d rebuilds", mostRebuilds)
	}
	return nil, d
}

// apply makes what the rules say of an op, and of what they have made of it. A rule that the normal form of its own result
// undoes has not applied.
func (r *rules) apply(m *ir.Mirror, n ir.Node) ir.Value {
	call := ir.Call{Def: n.Def(), Args: m.All(n.Args()), Attr: n.Attrs(), Type: m.Type(n.Type())}
	made := ir.Value(0)
	for range mostSteps {
		x, v := r.step(m.B, call)
		if v == 0 {
			return made
		}
		made = v
		x.applied.Add(1)
		g := m.B.Graph()
		if !g.IsOp(v) || r.of[g.Def(v)] == nil {
			return made
		}
		call = ir.Call{Def: g.Def(v), Args: g.Args(v), Attr: g.AttrsOf(v), Type: g.Type(v)}
		if r.endless.Load() != nil {
			return made
		}
	}
	if x, v := r.step(m.B, call); v != 0 {
		r.endless.Store(x)
	}
	return made
}

// step applies the first rule that matches an op. A pattern that does not match makes nothing, and one that matches goes
// through the folds, which may give the very op back.
func (r *rules) step(b *ir.Builder, call ir.Call) (*active, ir.Value) {
	g := b.Graph()
	for _, x := range r.of[call.Def] {
		c := call
		v := x.pattern.Apply(b, &c)
		if v == 0 {
			continue
		}
		if same := g.IsOp(v) && g.Def(v) == call.Def && g.AttrsOf(v) == call.Attr && slices.Equal(g.Args(v), call.Args); !same {
			return x, v
		}
	}
	return nil, 0
}

// add makes a rule active. What can be proven may be more than what can be matched, which is an error.
func (r *rules) add(x *rule.Rule) error {
	of, pattern, err := x.Pattern()
	if err != nil {
		return err
	}
	a := &active{name: x.Line(), at: x.Span, of: of, pattern: pattern}
	r.all = append(r.all, a)
	r.of[of] = append(r.of[of], a)
	return nil
}
