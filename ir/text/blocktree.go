package text

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/cfg"
	"github.com/irc-lang/irc/ir/diag"
)

// checkBlocks reports what is wrong between blocks.
func (p *Parser) checkBlocks(order []int) {
	f := p.flow
	for _, i := range append([]int{0}, order...) {
		if b := f.list[i]; b.end != nil {
			p.attempt(func() { p.checkEnd(b.end) })
		}
	}
	p.checkDominance()
}

// checkEnd compares what a terminator hands on with what takes it.
func (p *Parser) checkEnd(e *blockEnd) {
	f, g := p.flow, p.b.Graph()
	if len(e.op.succs) == 0 {
		p.checkLeave(e)
		return
	}
	for _, to := range e.branch.To {
		r := e.op.succs[to.Successor]
		b := f.list[f.byName[r.label]]
		here, there := p.file.Span(r.at, r.at+len(r.label)), p.file.Span(b.at, b.at+len(b.label))
		if len(to.Args) != len(b.params) {
			p.Fail(diag.Errorf(here, "block '%s' takes %d arguments, but is given %d", short(r.label), len(b.params), len(to.Args)).WithNote(there, "it begins here").
				WithFix("give one value for each of its arguments: %s(%%x : type)", short(r.label)))
		}
		for j, a := range to.Args {
			if have, want := g.Type(a), b.params[j].Type; have != want {
				p.Fail(diag.Errorf(here, "argument %d of block '%s' is %s, but is given %s", j, short(r.label), p.show(want), p.show(have)).WithNote(there, "it begins here").
					WithFix("pass a value of type %s", p.show(want)))
			}
		}
	}
}

// checkLeave compares a terminator that leaves the region with the first one that does.
func (p *Parser) checkLeave(e *blockEnd) {
	f, g := p.flow, p.b.Graph()
	if f.leave == nil {
		f.leave = e
		return
	}
	first, why := f.leave, ""
	switch {
	case first.call.Def != e.call.Def || first.call.Attr != e.call.Attr:
		why = "the blocks of a region end in one kind of op where they leave it"
	case len(first.call.Args) != len(e.call.Args):
		why = "the blocks of a region leave it with as many values"
	default:
		for i, a := range e.call.Args {
			if g.Type(a) != g.Type(first.call.Args[i]) {
				why = "the blocks of a region leave it with values of the same types"
			}
		}
	}
	if why != "" {
		p.Fail(diag.Errorf(e.span, "%s", why).WithNote(first.span, "another one leaves here").WithFix("leave with the same op and types everywhere"))
	}
}

// checkDominance reports uses of values in blocks that can be reached without passing their definition.
func (p *Parser) checkDominance() {
	f := p.flow
	g := f.labels()
	up := cfg.Dominators(g)
	depth := make([]int, len(up))
	for _, i := range cfg.Order(g)[1:] {
		depth[i] = depth[up[i]] + 1
	}
	f.defsOf()
	for i, b := range f.list {
		if up[i] < 0 {
			continue
		}
		for _, v := range b.reads {
			n := f.names[f.defs[v]]
			above := i
			for depth[above] > depth[n.block] {
				above = up[above]
			}
			if above != n.block && n.first == v {
				p.report(p.undominated(b, n, int(f.defs[v])))
			}
		}
	}
}

// undominated says that a block uses a value that need not be there.
func (p *Parser) undominated(b *block, n name, at int) *diag.Diagnostic {
	span := p.file.Span(b.at, b.at+len(b.label))
	for t := p.lex(b.start); t.kind != tEOF; t = p.lex(t.end) {
		if t.kind == tPct && p.src[t.start:t.end] == n.text {
			span = p.file.Span(t.start, t.end)
			break
		}
	}
	return diag.Errorf(span, "value '%s' does not dominate this use: control may come here without passing its definition", short(n.text)).
		WithNote(p.file.Span(at, at+len(n.text)), "defined here").
		WithFix("pass it on as an argument of the block: %s(%%x : type)", short(b.label))
}

// variable makes a new variable of a type.
func (f *blocks) variable(t ir.Type) int {
	f.types = append(f.types, t)
	return len(f.types) - 1
}

// graph is the control-flow graph of the blocks; numbers of blocks are those of the list.
func (p *Parser) graph() *cfg.Graph {
	f, types := p.flow, p.b.Graph()
	g := &cfg.Graph{Blocks: make([]cfg.Block, len(f.list))}
	if f.leave != nil {
		f.result = len(f.types)
		for _, a := range f.leave.call.Args {
			g.Results = append(g.Results, f.variable(types.Type(a)))
		}
	}
	for i, b := range f.list {
		x := &g.Blocks[i]
		x.Reads, x.Writes = b.reads, b.writes
		if b.end == nil {
			continue
		}
		b.temps = len(f.types)
		slot := func(v ir.Value) int {
			t := f.variable(types.Type(v))
			x.Writes = append(x.Writes, t)
			return t
		}
		if len(b.end.op.succs) == 0 {
			e := cfg.Edge{To: cfg.Leave}
			for j, a := range b.end.call.Args {
				e.Moves = append(e.Moves, cfg.Move{To: f.result + j, From: slot(a)})
			}
			x.Succs = append(x.Succs, e)
			continue
		}
		for _, to := range b.end.branch.To {
			e := cfg.Edge{To: f.byName[b.end.op.succs[to.Successor].label]}
			for j, a := range to.Args {
				e.Moves = append(e.Moves, cfg.Move{To: f.list[e.To].first + j, From: slot(a)})
			}
			x.Succs = append(x.Succs, e)
		}
	}
	return g
}

// emitter builds the tree of the blocks, as package cfg says how.
type emitter struct {
	*Parser
	f     *blocks
	tree  *cfg.Tree
	to    *Structured
	table []ir.Value // of variables; 0 where there is none
	trail []setting
}

// setting undoes an entry of the table.
type setting struct {
	variable int
	before   ir.Value
}

// structure builds the region from its blocks.
func (p *Parser) structure() {
	f := p.flow
	e := &emitter{Parser: p, f: f, tree: cfg.Structure(p.graph())}
	for _, d := range p.ctx.Dialects() {
		if s := ir.Table[*Structured](d); s != nil {
			e.to = s
		}
	}
	if e.to == nil {
		p.Errorf(f.list[1].at, "no dialect has ifs and loops for several blocks")
	}
	for _, g := range e.tree.Guards {
		t := ir.Index
		if g.Values == 2 {
			t = ir.I1
		}
		f.variable(t)
	}
	e.table = make([]ir.Value, len(f.types))
	before := p.b.Loc
	e.list(e.tree.Body)
	end := f.leave
	if end == nil {
		end = p.never()
	}
	call := end.call
	call.Args = nil
	for i := range end.call.Args {
		call.Args = append(call.Args, e.get(f.result+i))
	}
	p.make(end.op, call, end.span)
	p.b.Loc = before
}

// never is the terminator of a region that control does not leave.
func (p *Parser) never() *blockEnd {
	f := p.flow
	form := p.forms.of(f.owner.Def)
	def, types := form.Ends(p.ctx, f.owner)
	op := &Op{Def: def, ctx: p.ctx}
	end := &blockEnd{op: op, span: p.file.At(f.close), call: ir.Call{Def: def, Type: ir.Void, Loc: ir.Loc(f.close + 1)}}
	f.result = len(f.types)
	for _, t := range types {
		f.variable(t)
		end.call.Args = append(end.call.Args, 0)
	}
	return end
}

// get is the value of a variable.
func (e *emitter) get(v int) ir.Value {
	if v < len(e.table) && e.table[v] != 0 {
		return e.table[v]
	}
	return e.to.Poison(e.b, e.f.types[v])
}

func (e *emitter) all(vs []int) (out []ir.Value) {
	for _, v := range vs {
		out = append(out, e.get(v))
	}
	return out
}

func (e *emitter) set(v int, x ir.Value) {
	e.trail = append(e.trail, setting{v, e.table[v]})
	e.table[v] = x
}

func (e *emitter) setAll(vs []int, xs []ir.Value) {
	for i, v := range vs {
		e.set(v, xs[i])
	}
}

// inside builds what leaves the table as it was.
func (e *emitter) inside(build func()) {
	mark := len(e.trail)
	build()
	for i := len(e.trail) - 1; i >= mark; i-- {
		e.table[e.trail[i].variable] = e.trail[i].before
	}
	e.trail = e.trail[:mark]
}

func (e *emitter) list(body []cfg.Node) {
	for _, n := range body {
		switch n := n.(type) {
		case *cfg.Run:
			e.run(n.Block)
		case *cfg.Assign:
			values := make([]ir.Value, len(n.Moves))
			for i, m := range n.Moves {
				values[i] = e.get(m.From)
			}
			for i, m := range n.Moves {
				e.set(m.To, values[i])
			}
		case *cfg.Set:
			e.set(n.Guard, e.b.Const(e.f.types[n.Guard], ir.Val{Bits: uint64(n.Value)}))
		case *cfg.If:
			e.branch(n)
		case *cfg.Loop:
			e.loop(n)
		}
	}
}

// run reads a block in its place. Of the entry only the operands of its terminator are to be noted.
func (e *emitter) run(i int) {
	b := e.f.list[i]
	if i > 0 {
		e.read(i, b)
	}
	e.b.Loc = b.end.call.Loc
	at := b.temps
	note := func(v ir.Value) {
		e.set(at, v)
		at++
	}
	if len(b.end.op.succs) == 0 {
		for _, a := range b.end.call.Args {
			note(a)
		}
		return
	}
	for _, to := range b.end.branch.To {
		for _, a := range to.Args {
			note(a)
		}
	}
}

// read reads the ops of a block once more, with the names that it uses bound to what they are here.
func (e *emitter) read(i int, b *block) {
	p, f := e.Parser, e.f
	p.flow = f
	f.depth = p.b.Depth()
	undone := len(p.scope.defs)
	for j, a := range b.params {
		p.define(a.Name, a.At, e.get(b.first+j))
	}
	for k := 0; k < len(b.reads); {
		at := f.defs[b.reads[k]]
		n := f.names[at]
		if n.block == i { // an argument
			k += n.n
			continue
		}
		values := make([]ir.Value, n.n)
		for j := range values {
			values[j] = e.get(n.first + j)
		}
		p.define(n.text, int(at), values...)
		k += n.n
	}
	mine := len(p.scope.defs)
	p.reset(b.start)
	f.end = nil
	p.ops(false)
	if b.end = f.end; b.end == nil {
		panic(bail{}) // what is wrong has been reported
	}
	for k := mine; k < len(p.scope.defs); k++ {
		d := &p.scope.defs[k]
		n := f.names[d.at]
		for j := range int(d.n) {
			v := d.one
			if d.n > 1 {
				v = p.scope.values[int(d.one)+j]
			}
			e.set(n.first+j, v)
		}
	}
	p.scope.restore(undone)
}

// branch builds an if or a switch.
func (e *emitter) branch(n *cfg.If) {
	at := e.b.Loc
	arms := make([]func() []ir.Value, len(n.Arms))
	for i, a := range n.Arms {
		arms[i] = func() (out []ir.Value) {
			e.inside(func() {
				e.list(a.Body)
				e.b.Loc = at
				out = e.all(n.Yields)
			})
			return out
		}
	}
	var results []ir.Value
	on, cases := e.decision(n.Test)
	switch {
	case len(arms) > 2 || cases != nil && e.b.Graph().Type(on) != ir.I1:
		results = e.to.Switch(e.b, on, cases, arms)
	case cases != nil && cases[0] == 0:
		results = e.to.If(e.b, on, arms[1], arms[0])
	default:
		results = e.to.If(e.b, on, arms[0], arms[1])
	}
	e.setAll(n.Yields, results)
	e.b.Loc = at
}

// decision is what a test looks at; with cases, which of them are for the first arms.
func (e *emitter) decision(t cfg.Test) (on ir.Value, cases []int64) {
	if t.Kind == cfg.OnGuard {
		for _, c := range t.Cases {
			cases = append(cases, int64(c))
		}
		return e.get(t.Of), cases
	}
	branch := e.f.list[t.Of].end.branch
	return branch.On, branch.Cases
}

// holds is the condition under which a loop goes on.
func (e *emitter) holds(t cfg.Test) ir.Value {
	if t.Kind == cfg.Always {
		return e.b.Const(ir.I1, ir.Val{Bits: 1})
	}
	on, cases := e.decision(t)
	negated := t.Negated
	switch {
	case cases != nil && e.b.Graph().Type(on) == ir.I1:
		negated = negated != (cases[0] == 0)
	case cases != nil:
		on = e.to.Is(e.b, on, cases[0])
	}
	if negated {
		return e.to.Not(e.b, on)
	}
	return on
}

// loop builds a loop.
func (e *emitter) loop(n *cfg.Loop) {
	at := e.b.Loc
	results := e.to.While(e.b, e.all(n.Carries), func(args []ir.Value) (cond ir.Value, pass []ir.Value) {
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
	e.b.Loc = at
}

// defsOf lists where the names of variables are defined.
func (f *blocks) defsOf() {
	f.defs = make([]int32, len(f.types))
	for at, n := range f.names {
		for j := range n.n {
			f.defs[n.first+j] = at
		}
	}
}
