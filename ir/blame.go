package ir

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/internal/authors"
	"github.com/irc-lang/irc/ir/internal/parallel"
)

// What a hook of a dialect or a rule of a pass panics with is told as a mistake of its author, if that is not irc: with the op,
// the hook and the author's line. Where irc calls hooks (Builder.Make, Mirror.apply, the interpreter) it defers a function that
// knows the op. That looks at the stack, which is all there while deferred functions run, and raises an *OpError in the
// place of the panic. What is irc's own goes on as it is, and is told as a bug of irc.

// asks reports the functions of irc that call hooks, and know of which op.
func asks(function string) bool {
	return strings.Contains(function, "/ir.ask[") || strings.HasSuffix(function, "/ir.(*Builder).Make") || strings.HasSuffix(function, "/ir.(*Mirror).apply")
}

// begins reports the functions that run a pass or a command: what they were called by is not to blame.
func begins(function string) bool {
	return strings.HasSuffix(function, "/pass.(*Manager).guard") || strings.Contains(function, "/cli.(*Session).dispatch.")
}

// raises reports the functions that look at a panic of a hook and raise it again.
func raises(function string) bool {
	at := strings.LastIndexByte(function, '/') + 1
	switch function[at:] {
	case "ir.(*Call).named", "ir.(*Mirror).named", "ir.Node.named", "ir.(*Shape).named", "interp.named":
		return true
	}
	return false
}

// named is deferred while hooks of an op are asked: a panic of one of them names the op.
func (c *Call) named(done *bool) {
	if *done {
		return
	}
	if r := recover(); r != nil {
		panic(c.blame(r))
	}
}

// blame is what to raise in the place of a panic of a hook that was asked of an op.
func (c *Call) blame(r any) any {
	if !isFault(r) {
		return r
	}
	stack, was := authors.Raised(authors.Callers(), asks, raises)
	if was {
		return r
	}
	hook, outside := stack.Hook()
	var at string
	switch {
	case outside:
		at = stack.Line(hook)
	case c.fold != nil && c.fold.Do == nil && c.fold.Is == nil:
		return c.mistake(fmt.Sprintf("the rule %q", c.fold.Rule), "", "has no Do")
	case c.fold != nil:
		var theirs bool
		if at, theirs = c.rulePlace(); !theirs {
			return r
		}
	case c.Ctx().ops.theirs(c.Def) && c.Def.hookOf(stack) != "Infer": // a function of irc as a hook; as an Infer it must take all operands there are
		at = c.Def.place()
	default:
		return r
	}
	what := "a function of the definition"
	if c.fold != nil {
		what = fmt.Sprintf("the rule %q", c.fold.Rule)
	} else if h := c.Def.hookOf(stack); h != "" {
		what = "its " + h
	}
	return c.mistake(what, at, "panicked: %s", authors.Said(r))
}

// rulePlace is where the rule that is asked of an op stands, and whether that is outside of irc. A pattern is no function:
// it is where the ops of its dialect are.
func (c *Call) rulePlace() (at string, theirs bool) {
	if c.fold.Is == nil {
		return authors.Place(c.fold.Do), authors.Theirs(c.fold.Do)
	}
	of := c.fold.Of
	if d := c.Ctx().ops.dialectWith(c); d != nil && len(d.Ops) > 0 {
		of = d.Ops[0]
	}
	return of.place(), c.Ctx().ops.theirs(of)
}

// place is where an op is defined.
func (d *OpDef) place() string {
	at, _ := sites.all()[d.Written().id].Theirs()
	return at
}

// mistake is the error that says what is wrong with what an author has defined, and where that stands.
func (c *Call) mistake(what, at, format string, args ...any) *OpError {
	msg := "is defined wrongly"
	if d := c.Ctx().ops.dialectWith(c); d != nil {
		msg += " in dialect " + d.Name
	}
	msg += ": " + strings.TrimSuffix(what+" "+fmt.Sprintf(format, args...), " ")
	if at != "" {
		msg += ", at " + at
	}
	return &OpError{Op: c.Def.Name, Loc: c.Loc, Msg: msg, Author: true}
}

// wrong ends the making of an op of which a hook or a rule gave what it must not: of an author outside of irc as his mistake.
func (c *Call) wrong(what string, hook any, format string, args ...any) {
	at, theirs := authors.Place(hook), authors.Theirs(hook)
	switch {
	case theirs:
	case c.fold != nil:
		at, theirs = c.rulePlace()
	default:
		at, theirs = c.Def.place(), c.Ctx().ops.theirs(c.Def)
	}
	if theirs {
		panic(c.mistake(what, at, format, args...))
	}
	panic("ir: " + what + " of " + c.Def.Name + " " + fmt.Sprintf(format, args...))
}

// endless ends rules that go on asking one another, and names those of the innermost ops: an author's, if one is outside of irc.
func (f *folding) endless(c *Call) {
	var rules []string
	blamed, outer := f.asked, f.asked
	for x, n := f.asked, 0; x != nil; x, n = x.under, n+1 {
		if outer = x; n > 20 {
			continue
		}
		if name := fmt.Sprintf("%q of %s", x.fold.Rule, x.Def.Name); !slices.Contains(rules, name) {
			rules = append(rules, name)
		}
		_, theirs := x.rulePlace()
		if _, already := blamed.rulePlace(); theirs && !already {
			blamed = x
		}
	}
	slices.Reverse(rules)
	what := "the fold " + rules[0] + " does not end: what it makes, it makes anew"
	if len(rules) > 1 {
		what = "the folds " + strings.Join(rules, ", ") + " do not end: what one makes, the next one makes anew"
	}
	at, theirs := blamed.rulePlace()
	if !theirs {
		panic("ir: " + what)
	}
	blamed.Loc = outer.Loc
	panic(blamed.mistake(what, at, ""))
}

// checkFold refuses what a rule gave and cannot stand for the op.
func (f *folding) checkFold(c *Call, v Value, needed bool) {
	what := ""
	switch {
	case !needed:
		what = "applies although what it needs is not there"
	case int(v) >= len(f.g.nodes):
		what = "gives what is no value of the graph"
	case f.g.nodes[v].typ != c.Type:
		what = "changes the type"
	case !f.b.open.holds(v):
		what = "gives " + f.g.Name(v) + ", which is made in a region that is closed"
	default:
		return
	}
	c.wrong(fmt.Sprintf("the rule %q", c.fold.Rule), c.fold.Do, "%s", what)
}

// checkEval refuses what the Eval of a dialect outside of irc gave and must not: its author has it from here, where programs
// are read, and not from a wrong program.
func (f *folding) checkEval(c *Call, vals []Val, out Val, err error) {
	what := ""
	switch again, wrong := c.Def.Eval(c, vals); {
	case IsTrap(err) && !c.mayTrap():
		what = fmt.Sprintf("traps (%v), which the op says that it does not: it needs the trait Partial, or its Traps is wrong", err)
	case err != nil:
		return
	case wrong != nil:
		what = fmt.Sprintf("gives an error for operands for which it gave a value before: %v", wrong)
	default:
		if what = IllFormed(f.g.Ctx, out, c.Type); what == "" && differ(out, again) {
			what = fmt.Sprintf("gives %#x for operands for which it gave %#x before: it may depend on nothing else", again.Bits, out.Bits)
		}
	}
	if what != "" {
		c.wrong("its Eval", c.Def.Eval, "%s", what)
	}
}

// differ reports two numbers that are not the same. Of values of other kinds it knows nothing.
func differ(v, w Val) bool { return v.Ref == nil && w.Ref == nil && v.Bits != w.Bits }

// isFault tells panics that say that something went wrong from others, and from mistakes that are named already.
func isFault(r any) bool {
	if e, ok := r.(*OpError); ok && e.Author {
		return false
	}
	return authors.Fault(r)
}

// dialectWith is the dialect that the rule of a call is of, else that of its op.
func (t *opTable) dialectWith(call *Call) *Dialect {
	if call.fold == nil {
		return t.dialectOf(call.Def)
	}
	for _, d := range t.dialects {
		for i := range d.Folds {
			if x := &d.Folds[i]; x.Of == call.fold.Of && x.Rule == call.fold.Rule {
				return d
			}
		}
	}
	return nil
}

// apply asks a rule for a node.
func (m *Mirror) apply(rule func(*Mirror, Node) Value, n Node) Value {
	done := false
	defer m.named(n, rule, &done)
	w := rule(m, n)
	if w != 0 {
		m.checkRule(n, rule, w)
	}
	done = true
	return w
}

// named is deferred while a rule is asked: a panic of it names the op.
func (m *Mirror) named(n Node, rule func(*Mirror, Node) Value, done *bool) {
	if *done {
		return
	}
	if r := recover(); r != nil {
		panic(blamed(r, asks, func(hook, at string) any {
			e := m.mistake(n, at, "panicked: %s", authors.Said(r))
			if rule := m.cleanup(n, hook); rule != "" {
				e.Msg = fmt.Sprintf("is rewritten wrongly: the cleanup %q panicked: %s, at %s", rule, authors.Said(r), at)
			}
			return e
		}))
	}
}

// cleanup is the sentence of a cleanup for a node of which the function has a name, or "".
func (m *Mirror) cleanup(n Node, function string) string {
	for _, d := range m.g.Ctx.ops.dialects {
		for _, x := range d.Cleanups {
			if x.Of == n.Def() && authors.Name(reflect.ValueOf(x.Do)) == function {
				return x.Rule
			}
		}
	}
	return ""
}

// mistake is the error that says what is wrong with a rule for an op.
func (m *Mirror) mistake(n Node, at, format string, args ...any) *OpError {
	what := "a rule for it"
	if m.phase != "" {
		what += " in phase " + m.phase
	}
	msg := "is rewritten wrongly: " + what + " " + fmt.Sprintf(format, args...)
	if at != "" {
		msg += ", at " + at
	}
	return &OpError{Op: n.Def().Name, Loc: n.g.loc(n.v), Author: true, Msg: msg}
}

// checkRule refuses what a rule gave for a node and cannot stand for it.
func (m *Mirror) checkRule(n Node, rule func(*Mirror, Node) Value, w Value) {
	g, what := m.B.g, ""
	switch {
	case int(w) >= len(g.nodes) || int(w) <= m.shift:
		what = "gives what is no value of the new graph"
		m.B.open.old = m.B.open.old || int(w) <= m.shift
		if int(w) < len(m.g.nodes) {
			what += "; of a value of the old one m.Of gives the new"
		}
	case !m.B.open.holds(w):
		what = fmt.Sprintf("gives %s, which is made in a region that is closed", g.Name(w))
	case otherResults(m, n, w) && m.theirs(n, rule):
		what = fmt.Sprintf("gives %s, which has %d results where the op has %d", g.Name(w), m.B.g.Results(w), m.g.Results(n.v))
	case g.nodes[w].typ != m.g.nodes[n.v].typ && keepsType(m, n, w) && m.theirs(n, rule):
		what = fmt.Sprintf("gives %s, whose type is not that of the op", g.Name(w))
	default:
		return
	}
	if m.theirs(n, rule) {
		at := place(rule)
		if at == "" {
			at = n.Def().place()
		}
		panic(m.mistake(n, at, "%s", what))
	}
	panic(fmt.Sprintf("ir: a rule for %s %s", n.Def().Name, what))
}

// place is where an author's rule stands; "" of one that irc has made of it.
func place(rule func(*Mirror, Node) Value) string {
	if authors.Theirs(rule) {
		return authors.Place(rule)
	}
	return ""
}

// theirs reports a rule of an author outside of irc, or for an op of one.
func (m *Mirror) theirs(n Node, rule func(*Mirror, Node) Value) bool {
	return authors.Theirs(rule) || m.B.g.Ctx.ops.theirs(n.Def())
}

// otherResults reports that w cannot stand for n: both have results, and not as many. A w without results says that the
// rule has told by Set what stands for n.
func otherResults(m *Mirror, n Node, w Value) bool {
	have, want := m.B.g.Results(w), m.g.Results(n.v)
	return have > 0 && want > 0 && have != want
}

// keepsType reports that w must be of the type of n: a number that no type lowering makes another.
func keepsType(m *Mirror, n Node, w Value) bool {
	k := m.g.Ctx.Info(m.g.nodes[n.v].typ).Kind
	return m.types == nil && m.retype == nil && m.B.g.nodes[w].op != opPack.id && (k == KindInteger || k == KindIndex || k == KindFloat)
}

// trial asks the rules that are not irc's once more, for a graph in which values have numbers that no old value has: a rule that
// takes an old value for a new one fails there. (Values are numbers. A Node is what the compiler tells from them, but Node.Old
// and what ops say of themselves to passes give old values.) What else goes wrong is no mistake: irc's rules are not asked.
func (m *Mirror) trial(ctx *Context) {
	if len(m.theirRules) == 0 || m.g.verbatim || m.spec != nil || m.types != nil || m.retype != nil || ctx.Watch != nil {
		return
	}
	t := *m
	t.shift, t.once, t.rules = len(m.g.nodes), nil, m.theirRules
	if wrong := t.tried(ctx); wrong != nil {
		panic(wrong)
	}
}

// fewRules is how many rules of a Rewrite are looked at whose they are where all dialects are irc's: those of a pass are few.
const fewRules = 16

// rulesOfTheirs are the rules that are not irc's, or for ops that are not.
func (m *Mirror) rulesOfTheirs(ctx *Context) Rules {
	out := Rules{}
	if len(m.rules) > fewRules && !ctx.ops.anyTheirs {
		return out
	}
	for def, rule := range m.rules {
		if authors.Theirs(rule) || def != nil && ctx.ops.theirs(def) { // nil stands for parameters
			out[def] = rule
		}
	}
	return out
}

// tried is what a rule panics with that has met an old value among the new ones, or nil.
func (m *Mirror) tried(ctx *Context) (wrong any) {
	defer func() {
		if r := recover(); r != nil && m.B.open.old {
			wrong = r
		}
	}()
	m.rebuild(ctx)
	return nil
}

// pad takes n numbers for values that nothing may use.
func (b *Builder) pad(n int) {
	if n == 0 {
		return
	}
	nowhere := Region(len(b.g.regions))
	b.g.regions = append(b.g.regions, region{depth: 1 << 30, closed: true})
	for range n {
		b.g.nodes, b.g.locs = append(b.g.nodes, record{op: opLater.id, home: nowhere}), append(b.g.locs, 0)
	}
}

// AuthorError is what a panic says of a definition or a function outside of irc, on whichever goroutine it was raised; nil
// if it is irc's own. It is called by the function that was deferred and has recovered the panic. Op is "" where no op is known.
func AuthorError(recovered any) *OpError {
	err, _ := recovered.(error)
	if e := (*OpError)(nil); errors.As(err, &e) && e.Author {
		return e
	}
	if !isFault(recovered) {
		return nil
	}
	stack, was := authors.Raised(parallel.Callers(recovered), begins, raises)
	hook, outside := stack.Mistaken()
	if was || !outside {
		return nil
	}
	e := &OpError{Author: true, Msg: authors.Said(recovered) + ", at " + stack.Line(hook)}
	for _, d := range defs.all() {
		if d == nil || d.twinOf != nil {
			continue
		}
		if h := d.hookOf(stack); h != "" {
			e.Op, e.Msg = d.Name, "is defined wrongly: its "+h+" panicked: "+e.Msg
			break
		}
	}
	return e
}
