package interp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/internal/authors"
)

// Evals and Funcs of dialects outside of irc are looked at as they run: what they panic with and what they must not give is told
// as their author's mistake. Those of irc are called as they are.

// checkedEval is the Eval of an op with what it must keep to.
func (m *Machine) checkedEval(def *ir.OpDef, o *Op) func(*ir.Call, []ir.Val) (ir.Val, error) {
	g, v := o.G, o.V
	types := g.Ctx.Results(g.Type(v))
	d, watch := declared{}, g.Ctx.CheckHooks && slices.ContainsFunc(g.Args(v), func(a ir.Value) bool { return g.Ctx.Info(g.Type(a)).Kind == ir.KindMemRef })
	return func(c *ir.Call, args []ir.Val) (ir.Val, error) {
		done := false
		defer named(g, v, "its Eval", &done)
		var seen *observed
		if watch {
			seen = m.observe(o, args)
		}
		x, err := def.Eval(c, args)
		done = true
		what := ""
		if seen != nil {
			seen.end()
			what = seen.undeclared(args, d)
		}
		if err != nil {
			checkTrap(g, v, c, "its Eval", def.Eval, err)
			return x, err
		}
		if what != "" {
			panic(mistake(g, v, "its Eval", authors.Place(def.Eval), what))
		}
		if len(types) == 1 {
			what = ir.IllFormed(g.Ctx, x, types[0])
		} else if parts, ok := x.Ref.(ir.Vector); len(types) > 1 && (!ok || len(parts) != len(types)) {
			what = fmt.Sprintf("gives no ir.Vector of its %d results", len(types))
		}
		if what != "" {
			panic(mistake(g, v, "its Eval", authors.Place(def.Eval), what))
		}
		return x, nil
	}
}

// funcHook is what is said of a Func.
const funcHook = "the Func that runs it"

// checkedFunc is the Func of an op with what it must keep to. With Context.CheckHooks that are its effects, too.
func (m *Machine) checkedFunc(f Func) Func {
	d, watch := declared{}, m.Ctx.CheckHooks
	return func(m *Machine, o *Op, args, out []ir.Val) error {
		done := false
		defer named(o.G, o.V, funcHook, &done)
		var x *observed
		if watch && len(o.Regions) == 0 {
			x = m.observe(o, args)
		}
		err := f(m, o, args, out)
		done = true
		if x != nil {
			x.end()
		}
		if err != nil {
			checkTrap(o.G, o.V, o.Call, funcHook, f, err)
			return err
		}
		if x != nil {
			if what := x.undeclared(args, d); what != "" {
				panic(mistake(o.G, o.V, funcHook, authors.Place(f), what))
			}
		}
		types := o.G.Ctx.Results(o.G.Type(o.V))
		for i := range min(len(out), len(types)) {
			if what := ir.IllFormed(o.G.Ctx, out[i], types[i]); what != "" {
				panic(mistake(o.G, o.V, funcHook, authors.Place(f), what))
			}
		}
		return nil
	}
}

// checkTrap refuses a trap of an op that says that it never traps: it would run where the program does not run it. An op
// with regions stays where it is in any case.
func checkTrap(g *ir.Graph, v ir.Value, c *ir.Call, what string, hook any, err error) {
	trap, ok := err.(*ir.Trap)
	if !ok || c.Def.Has(ir.Partial) && (c.Def.Traps == nil || c.Def.Traps(c)) || len(g.Regions(v)) > 0 || g.IsPinned(v) {
		return
	}
	panic(mistake(g, v, what, authors.Place(hook),
		fmt.Sprintf("traps (%v), which the op says that it does not: it needs the trait Partial, or its Traps is wrong", trap)))
}

// named is deferred while an op of a dialect outside runs: a panic of it names the op.
func named(g *ir.Graph, v ir.Value, what string, done *bool) {
	if *done {
		return
	}
	r := recover()
	if r == nil {
		return
	}
	if authors.Fault(r) {
		runs := func(f string) bool { return strings.HasSuffix(f, "/interp.(*Machine).exec") }
		again := func(f string) bool { return strings.HasSuffix(f, "/interp.named") }
		stack, was := authors.Raised(authors.Callers(), runs, again)
		if hook, ok := stack.Hook(); ok && !was {
			r = mistake(g, v, what, stack.Line(hook), "panicked: "+authors.Said(r))
		}
	}
	panic(r)
}

// mistake says what is wrong with what an author has defined, and where that stands.
func mistake(g *ir.Graph, v ir.Value, what, at, wrong string) *ir.OpError {
	e := &ir.OpError{Op: g.Def(v).Name, Author: true, Msg: "is defined wrongly"}
	if d := g.Ctx.DialectOf(g.Def(v)); d != nil {
		e.Msg += " in dialect " + d.Name
	}
	e.Msg += fmt.Sprintf(": %s %s, at %s", what, wrong, at)
	if ls := g.LocsOf(v); len(ls) > 0 {
		e.Loc = ls[0]
	}
	return e
}
