package ir

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/irc-lang/irc/ir/internal/authors"
)

// Hooks that are asked outside of Builder.Make are called by the functions here: what an author's panics with names the op
// too, or the type. Where all dialects are irc's they are called as they are.

// blamed is what to raise in the place of a panic: what says makes of the function of an author that irc has called, by its name and
// line, if one raised it and nobody has named it yet. asks reports the functions of irc that call such ones.
func blamed(r any, asks func(function string) bool, says func(hook, at string) any) any {
	if !isFault(r) {
		return r
	}
	stack, was := authors.Raised(authors.Callers(), asks, raises)
	if hook, outside := stack.Hook(); outside && !was {
		return says(hook.Function, stack.Line(hook))
	}
	return r
}

// ask calls a hook of an op.
func ask[T any](c *Call, hook func(*Call) T) T {
	if !c.b.g.Ctx.ops.anyTheirs {
		return hook(c)
	}
	done := false
	defer c.named(&done)
	x := hook(c)
	done = true
	return x
}

// kindOf is the kind of region i of an op that has a Kind.
func kindOf(b *Builder, def *OpDef, attr Attr, i int) RegionKind {
	return ask(callOf(b, def, attr, nil), func(c *Call) RegionKind { return def.Kind(b.g.Ctx, attr, i) })
}

// enter calls the Enter of an op that has one.
func enter(b *Builder, def *OpDef, attr Attr, args []Value, i int, params []Value) {
	ask(callOf(b, def, attr, args), func(*Call) (none struct{}) {
		def.Enter(b, attr, args, i, params)
		return none
	})
}

// feedsOf calls the Feeds of an op that has one.
func feedsOf(b *Builder, def *OpDef, nargs, i, j int) []Source {
	return ask(callOf(b, def, 0, nil), func(*Call) []Source { return def.Feeds(nargs, i, j) })
}

// callOf is an op of which a hook is asked before it is made.
func callOf(b *Builder, def *OpDef, attr Attr, args []Value) *Call {
	return &Call{Def: def, Attr: attr, Args: args, Loc: b.Loc, b: b}
}

// Ask calls f, which asks a table of a dialect about the op: what a function of an author panics with is told as a mistake
// of the definition, with the op. What says which function that is, as in "its ir.SymbolUses".
func (n Node) Ask(what string, f func()) {
	if !n.g.Ctx.ops.anyTheirs {
		f()
		return
	}
	done := false
	defer n.named(what, &done)
	f()
	done = true
}

// named is deferred while a table of a dialect is asked about a node.
func (n Node) named(what string, done *bool) {
	if *done {
		return
	}
	if r := recover(); r != nil {
		asks := func(f string) bool { return strings.HasSuffix(f, "/ir.Node.Ask") }
		panic(blamed(r, asks, func(_, at string) any {
			c := &Call{Def: n.Def(), Loc: n.g.loc(n.v), b: readerOf(n.g)}
			return c.mistake(what, at, "panicked: %s", authors.Said(r))
		}))
	}
}

// asked calls a function of a type or an attribute.
func asked[T any](s *Shape, hook string, f func() T) T {
	done := false
	defer s.named(hook, &done)
	x := f()
	done = true
	return x
}

// named is deferred while a function of a type or an attribute is called: a panic of an author's names that.
func (s *Shape) named(hook string, done *bool) {
	if *done {
		return
	}
	if r := recover(); r != nil {
		asks := func(f string) bool { return strings.Contains(f, "/ir.asked[") }
		panic(blamed(r, asks, func(_, at string) any {
			return &OpError{Op: s.written, Author: true, Msg: fmt.Sprintf("is defined wrongly: its %s panicked: %s, at %s", hook, authors.Said(r), at)}
		}))
	}
}

// What opTable.origins says.
const (
	originOwn uint32 = 1 + iota
	originTheirs
)

// theirs reports an op that is defined outside of irc, which is looked up once: it is asked on the way.
func (t *opTable) theirs(def *OpDef) bool {
	d := def.Written()
	if int(d.id) >= len(t.origins) {
		return false
	}
	o := atomic.LoadUint32(&t.origins[d.id])
	if o == 0 {
		o = originOwn
		if _, theirs := sites.all()[d.id].Theirs(); theirs {
			o = originTheirs
		}
		atomic.StoreUint32(&t.origins[d.id], o)
	}
	return o == originTheirs
}

// begins reports a dialect whose first op, or one of whose rules if it has no op, is from outside of irc.
func (t *opTable) begins(d *Dialect) bool {
	if len(d.Ops) > 0 && t.theirs(d.Ops[0]) {
		return true
	}
	if len(d.Ops) > 0 && len(d.Folds) > 0 {
		return authors.Theirs(d.Folds[0].Do)
	}
	return slices.ContainsFunc(d.Folds, func(f Fold) bool { return authors.Theirs(f.Do) }) ||
		slices.ContainsFunc(d.Cleanups, func(c Cleanup) bool { return authors.Theirs(c.Do) })
}

// hookOf is the name of the first hook of an op that a stack has, from outside in, or "".
func (d *OpDef) hookOf(stack authors.Stack) string {
	v := reflect.ValueOf(d).Elem()
	for _, f := range slices.Backward(stack) {
		for i := range v.NumField() {
			if name := authors.Name(v.Field(i)); name != "" && name == f.Function {
				return v.Type().Field(i).Name
			}
		}
	}
	return ""
}
