package cfg

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Structured is the table of the dialect that has ifs and loops. All of its functions give the results of what they build.
type Structured struct {
	If     func(b *ir.Builder, cond ir.Value, then, els func() []ir.Value) []ir.Value
	Switch func(b *ir.Builder, on ir.Value, cases []int64, arms []func() []ir.Value) []ir.Value
	While  func(b *ir.Builder, inits []ir.Value, before func(args []ir.Value) (ir.Value, []ir.Value), after func(args []ir.Value) []ir.Value) []ir.Value
	Is     func(b *ir.Builder, v ir.Value, n int64) ir.Value // v == n
	Not    func(b *ir.Builder, v ir.Value) ir.Value
	Poison func(b *ir.Builder, t ir.Type) ir.Value
}

// StructuredOf is that of the dialects of a context, or nil.
func StructuredOf(c *ir.Context) *Structured {
	for _, d := range c.Dialects() {
		if s := ir.Table[*Structured](d); s != nil {
			return s
		}
	}
	return nil
}

// An Emitter makes the ops of a tree: it keeps what variables hold, and makes ifs and loops; the client makes blocks.
type Emitter struct {
	B         *ir.Builder
	To        *Structured
	Tree      *Tree
	Run       func(block int)                           // makes the ops of a block, and Sets what they write
	Branch    func(block int) (on ir.Value, is []int64) // what the branch of a block looks at: a truth, or a number and its cases
	Undefined func(variable int) ir.Value               // what a variable holds that has no value
	table     []ir.Value                                // of variables; 0 where there is none
	trail     []setting
}

// setting undoes an entry of the table.
type setting struct {
	variable int
	before   ir.Value
}

// Emit makes the ops of the whole tree.
func (e *Emitter) Emit() { e.list(e.Tree.Body) }

// guard is a variable that structuring added; nil for others.
func (e *Emitter) guard(v int) *Guard {
	if i := v - e.Tree.FirstGuard; i >= 0 && i < len(e.Tree.Guards) {
		return &e.Tree.Guards[i]
	}
	return nil
}

// typ is the type of what a guard holds.
func (g *Guard) typ() ir.Type {
	if g.Values == 2 {
		return ir.I1
	}
	return ir.Index
}

// Get is what a variable holds.
func (e *Emitter) Get(v int) ir.Value {
	if v < len(e.table) && e.table[v] != 0 {
		return e.table[v]
	}
	if g := e.guard(v); g != nil {
		return e.To.Poison(e.B, g.typ())
	}
	return e.Undefined(v)
}

// Set has a variable hold a value, until the arm or the loop ends that is under way.
func (e *Emitter) Set(v int, x ir.Value) {
	for v >= len(e.table) {
		e.table = append(e.table, 0)
	}
	e.trail = append(e.trail, setting{v, e.table[v]})
	e.table[v] = x
}

func (e *Emitter) all(vs []int) (out []ir.Value) {
	return lists.Map(vs, e.Get)
}

func (e *Emitter) setAll(vs []int, xs []ir.Value) {
	for i, v := range vs {
		e.Set(v, xs[i])
	}
}

// inside builds what leaves the table as it was.
func (e *Emitter) inside(build func()) {
	mark := len(e.trail)
	build()
	for i := len(e.trail) - 1; i >= mark; i-- {
		e.table[e.trail[i].variable] = e.trail[i].before
	}
	e.trail = e.trail[:mark]
}

func (e *Emitter) list(body []Node) {
	for _, n := range body {
		switch n := n.(type) {
		case *Run:
			e.Run(n.Block)
		case *Assign:
			values := lists.Map(n.Moves, func(m Move) ir.Value { return e.Get(m.From) })
			for i, m := range n.Moves {
				e.Set(m.To, values[i])
			}
		case *Set:
			e.Set(n.Guard, e.B.Const(e.guard(n.Guard).typ(), ir.Val{Bits: uint64(n.Value)}))
		case *If:
			e.branch(n)
		case *Loop:
			e.loop(n)
		}
	}
}

// branch builds an if or a switch.
func (e *Emitter) branch(n *If) {
	at := e.B.Loc
	arms := make([]func() []ir.Value, len(n.Arms))
	for i, a := range n.Arms {
		arms[i] = func() (out []ir.Value) {
			e.inside(func() {
				e.list(a.Body)
				e.B.Loc = at
				out = e.all(n.Yields)
			})
			return out
		}
	}
	var results []ir.Value
	on, cases := e.decision(n.Test)
	switch {
	case len(arms) > 2 || cases != nil && e.B.Graph().Type(on) != ir.I1:
		results = e.To.Switch(e.B, on, cases, arms)
	case cases != nil && cases[0] == 0:
		results = e.To.If(e.B, on, arms[1], arms[0])
	default:
		results = e.To.If(e.B, on, arms[0], arms[1])
	}
	e.setAll(n.Yields, results)
	e.B.Loc = at
}

// decision is what a test looks at; with cases, which of them are for the first arms.
func (e *Emitter) decision(t Test) (on ir.Value, cases []int64) {
	if t.Kind == Branch {
		return e.Branch(t.Of)
	}
	for _, c := range t.Cases {
		cases = append(cases, int64(c))
	}
	return e.Get(t.Of), cases
}

// holds is the condition under which a loop goes on.
func (e *Emitter) holds(t Test) ir.Value {
	if t.Kind == Always {
		return e.B.Const(ir.I1, ir.Val{Bits: 1})
	}
	on, cases := e.decision(t)
	negated := t.Negated
	switch {
	case cases != nil && e.B.Graph().Type(on) == ir.I1:
		negated = negated != (cases[0] == 0)
	case cases != nil:
		on = e.To.Is(e.B, on, cases[0])
	}
	if negated {
		return e.To.Not(e.B, on)
	}
	return on
}

func (e *Emitter) loop(n *Loop) {
	at := e.B.Loc
	results := e.To.While(e.B, e.all(n.Carries), func(args []ir.Value) (cond ir.Value, pass []ir.Value) {
		e.inside(func() {
			e.setAll(n.Carries, args)
			e.list(n.Before)
			cond, pass = e.holds(n.Test), e.all(n.Passes)
		})
		return cond, pass
	}, func(args []ir.Value) (out []ir.Value) {
		e.inside(func() {
			e.setAll(n.Passes, args)
			e.list(n.After)
			out = e.all(n.Carries)
		})
		return out
	})
	e.setAll(n.Passes, results)
	e.B.Loc = at
}
