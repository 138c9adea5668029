package text

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/cfg"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/scan"
)

// checkBlocks reports what is wrong between blocks.
func (f *blocks) checkBlocks(order []int) {
	for _, i := range append([]int{0}, order...) {
		if b := f.list[i]; b.end != nil {
			f.attempt(func() { f.checkEnd(b.end) })
		}
	}
	f.checkDominance()
}

// checkEnd compares what a terminator hands on with what takes it.
func (f *blocks) checkEnd(e *blockEnd) {
	g := f.p.names.B.Graph()
	if len(e.op.succs) == 0 {
		f.checkLeave(e)
		return
	}
	for _, to := range e.branch.To {
		r := e.op.succs[to.Successor]
		b := f.list[f.byName[r.label]]
		here, there := f.p.in.File.Span(r.at, r.at+len(r.label)), f.p.in.File.Span(b.at, b.at+len(b.label))
		if len(to.Args) != len(b.params) {
			f.p.in.Fail(diag.Errorf(here, "block '%s' takes %d arguments, but is given %d", scan.Short(r.label), len(b.params), len(to.Args)).WithNote(there, "it begins here").
				WithFix("give one value for each of its arguments: %s(%%x : type)", scan.Short(r.label)))
		}
		for j, a := range to.Args {
			if have, want := g.Type(a), b.params[j].Type; have != want {
				f.p.in.Fail(diag.Errorf(here, "argument %d of block '%s' is %s, but is given %s", j, scan.Short(r.label), f.p.lit.Defs.Show(want), f.p.lit.Defs.Show(have)).WithNote(there, "it begins here").
					WithFix("pass a value of type %s", f.p.lit.Defs.Show(want)))
			}
		}
	}
}

// checkLeave compares a terminator that leaves the region with the first one that does.
func (f *blocks) checkLeave(e *blockEnd) {
	g := f.p.names.B.Graph()
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
		f.p.in.Fail(diag.Errorf(e.span, "%s", why).WithNote(first.span, "another one leaves here").WithFix("leave with the same op and types everywhere"))
	}
}

// checkDominance reports uses of values in blocks that can be reached without passing their definition.
func (f *blocks) checkDominance() {
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
			n := f.named[f.defs[v]]
			above := i
			for depth[above] > depth[n.block] {
				above = up[above]
			}
			if above != n.block && n.first == v {
				f.p.in.Report(f.undominated(b, n, int(f.defs[v])))
			}
		}
	}
}

// undominated says that a block uses a value that need not be there.
func (f *blocks) undominated(b *block, n name, at int) *diag.Diagnostic {
	span := f.p.in.File.Span(b.at, b.at+len(b.label))
	for t := f.p.in.At(b.start); t.Kind != lex.EOF; t = f.p.in.At(t.End) {
		if t.Kind == lex.Percent && f.p.in.Src[t.Start:t.End] == n.text {
			span = f.p.in.File.Span(t.Start, t.End)
			break
		}
	}
	return diag.Errorf(span, "value '%s' does not dominate this use: control may come here without passing its definition", scan.Short(n.text)).
		WithNote(f.p.in.File.Span(at, at+len(n.text)), "defined here").
		WithFix("pass it on as an argument of the block: %s(%%x : type)", scan.Short(b.label))
}

// variable makes a new variable of a type.
func (f *blocks) variable(t ir.Type) int {
	f.types = append(f.types, t)
	return len(f.types) - 1
}

// opBytes is about how long the text of an op is.
const opBytes = 40

// graph is the control-flow graph of the blocks; numbers of blocks are those of the list.
func (f *blocks) graph() *cfg.Graph {
	types := f.p.names.B.Graph()
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
		if i > 0 { // the entry is not read again
			x.Cost = 1 + (int(b.end.call.Loc)-b.start)/opBytes
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

// emitter builds the tree of the blocks.
type emitter struct {
	cfg.Emitter
	f *blocks
}

// structure builds the region from its blocks.
func (f *blocks) structure() {
	e := &emitter{f: f, Emitter: cfg.Emitter{B: f.p.names.B, To: cfg.StructuredOf(f.p.ctx), Tree: cfg.Structure(f.graph())}}
	e.Run, e.Undefined = e.run, e.poison
	e.Branch = func(i int) (ir.Value, []int64) { return f.list[i].end.branch.On, f.list[i].end.branch.Cases }
	if e.To == nil {
		f.p.in.Errorf(f.list[1].at, "no dialect has ifs and loops for several blocks")
	}
	before := f.p.names.B.Loc
	e.Emit()
	if end := f.leave; end != nil {
		call := end.call
		call.Args = nil
		for i := range end.call.Args {
			call.Args = append(call.Args, e.Get(f.result+i))
		}
		f.p.ops.make(end.op, call, end.span)
	} else {
		e.never()
	}
	f.p.names.B.Loc = before
}

// never makes the terminator of a region that control does not leave.
func (e *emitter) never() {
	f := e.f
	def, types := f.p.reg.forms.of(f.owner.Def).Ends(f.p.ctx, f.owner)
	call := ir.Call{Def: def, Type: ir.Void, Loc: ir.Loc(f.close + 1)}
	for _, t := range types {
		call.Args = append(call.Args, e.To.Poison(f.p.names.B, t))
	}
	f.p.ops.make(&Op{Def: def, ctx: f.p.ctx}, call, f.p.in.File.At(f.close))
}

// poison is what a variable holds that has no value.
func (e *emitter) poison(v int) ir.Value { return e.To.Poison(e.f.p.names.B, e.f.types[v]) }

// run reads a block in its place. Of the entry only the operands of its terminator are to be noted.
func (e *emitter) run(i int) {
	b := e.f.list[i]
	if i > 0 {
		e.read(i, b)
	}
	e.f.p.names.B.Loc = b.end.call.Loc
	at := b.temps
	note := func(v ir.Value) {
		e.Set(at, v)
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
	f := e.f
	f.p.regions.opened.flow = f
	f.depth = f.p.names.B.Depth()
	undone := len(f.p.names.Scope.Defs)
	for j, a := range b.params {
		f.p.names.Define(a.Name, a.at, e.Get(b.first+j))
	}
	for k := 0; k < len(b.reads); {
		at := f.defs[b.reads[k]]
		n := f.named[at]
		if n.block == i { // an argument
			k += n.n
			continue
		}
		values := make([]ir.Value, n.n)
		for j := range values {
			values[j] = e.Get(n.first + j)
		}
		f.p.names.Define(n.text, int(at), values...)
		k += n.n
	}
	mine := len(f.p.names.Scope.Defs)
	f.p.in.Reset(b.start)
	f.end = nil
	f.p.ops.list(false)
	if b.end = f.end; b.end == nil {
		panic(scan.Bail{}) // what is wrong has been reported
	}
	for k := mine; k < len(f.p.names.Scope.Defs); k++ {
		d := &f.p.names.Scope.Defs[k]
		n := f.named[d.At]
		for j := range int(d.N) {
			v, _ := f.p.names.Scope.Value(d, j)
			e.Set(n.first+j, v)
		}
	}
	f.p.names.Scope.Restore(undone)
}

// defsOf lists where the names of variables are defined.
func (f *blocks) defsOf() {
	f.defs = make([]int32, len(f.types))
	for at, n := range f.named {
		for j := range n.n {
			f.defs[n.first+j] = at
		}
	}
}
