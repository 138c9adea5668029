package text

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/cfg"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/scan"
	"github.com/irc-lang/irc/ir/unwind"
)

// A region of several blocks comes in as structured control flow. The entry block is read where it stands. The others
// are read twice: once for what is wrong with them, their types, and what they define and use, and once more in their
// place in the tree that package cfg makes of the graph. Ops that branch say so in a table of their dialect (Branches), and
// another dialect says how ifs and loops are built (cfg.Structured); text knows neither.

// Branches is the table of a dialect whose ops end one block and go on in another.
type Branches map[*ir.OpDef]func(p *Parser, op *Op) Branch

// Branch is what such an op does.
type Branch struct {
	On    ir.Value       // what decides, 0 if there is one way only
	Cases []int64        // the values for which the first ways are taken, the last one otherwise; nil: true, false
	To    []BranchTarget // the ways
}

// BranchTarget is a block with values for its arguments. Which one is the index among the op's successors.
type BranchTarget struct {
	Successor int        // from 0
	Args      []ir.Value // one for each argument of the block
}

// blocks are those of a region that may have several.
type blocks struct {
	p       *Parser
	owner   *Op
	depth   int  // of the builder, where its ops stand
	reading bool // blocks after the first are read: terminators end them and are not made
	end     *blockEnd

	list   []*block
	byName map[string]int
	close  int // offset of the closing brace
	named  map[int32]name
	defs   []int32   // where the name of a variable is defined
	types  []ir.Type // of variables
	leave  *blockEnd // the first that leaves
	result int       // the first of the variables that hold what it leaves with
	used   []int32   // definitions that the block that is read uses, by their place
}

// name is what is known of the name of values that a block defines.
type name struct {
	block int
	text  string
	first int // variable
	n     int
}

// block is one block.
type block struct {
	label  string
	at     int // its label
	start  int // its first op
	succs  []reference
	params []Param
	first  int // variable of the first parameter
	temps  int // variable of the first operand of its terminator
	end    *blockEnd
	reads  []int
	writes []int
}

// reference is the use of a label.
type reference struct {
	label string
	at    int
}

// blockEnd is a terminator.
type blockEnd struct {
	op     *Op
	call   ir.Call
	span   diag.Span
	branch Branch
}

// mayBranch begins the region of an op that may have several blocks.
func (p *regions) mayBranch(op *Op) *blocks {
	if f := p.reg.forms.of(op.Def); f == nil || !f.Blocks {
		return nil
	}
	return &blocks{p: p.host, owner: op, depth: p.names.B.Depth(), byName: map[string]int{}, named: map[int32]name{}}
}

// Successor reads `^name`; the index counts those of the op.
func (p *regions) Successor(op *Op) int {
	if p.in.Tok.Kind != lex.Caret {
		p.in.Errorf(p.in.Tok.Start, "expected the label of a block, found %s", p.in.Found())
	}
	op.succs = append(op.succs, reference{p.in.Text(), p.in.Tok.Start})
	p.in.Next()
	return len(op.succs) - 1
}

// Successors is how many there are.
func (op *Op) Successors() int { return len(op.succs) }

// Segments gives the operands from a number on, in groups of these sizes.
func (op *Op) Segments(p *Parser, from int, sizes []int64) (out [][]ir.Value) {
	args := op.Args[min(from, len(op.Args)):]
	for _, n := range sizes {
		if n < 0 || int(n) > len(args) {
			p.in.Errorf(op.At, "'%s' op has sizes of groups of operands that are not those of its operands", op.Def.Name)
		}
		out, args = append(out, args[:n]), args[n:]
	}
	if len(args) > 0 {
		p.in.Errorf(op.At, "'%s' op has more operands than its groups", op.Def.Name)
	}
	return out
}

// endsBlock tells whether an op that was read ends a block of a region of several, and is not to be made.
func (p *regions) endsBlock(op *Op) bool {
	return len(op.succs) > 0 || p.opened.flow != nil && p.opened.flow.reading && op.Def.Has(ir.Terminator) && p.names.B.Depth() == p.opened.flow.depth
}

// whole is what to do about blocks where a program is read verbatim: by -verbatim, or by irc prove.
const whole = "leave -verbatim out, or take the program with ifs and loops that `irc FILE` writes"

// endBlock notes the terminator of a block.
func (p *regions) endBlock(op *Op, call ir.Call, span diag.Span) {
	f, end := p.opened.flow, &blockEnd{op: op, span: span}
	if len(op.succs) > 0 {
		branch := p.reg.branchOf(op.Def)
		switch {
		case p.names.Verbatim:
			p.in.Fail(diag.Errorf(span, "control flow between blocks (%s) becomes ifs and loops when it is read", op.Def.Name).WithFix(whole))
		case branch == nil:
			p.in.Fail(diag.Errorf(span, "'%s' has successors, and nothing says where it goes", op.Def.Name).WithFix("write it with cf.br, cf.cond_br or cf.switch"))
		case f == nil:
			p.in.Fail(diag.Errorf(span, "'%s' branches in a region that has one block", op.Def.Name).WithFix("put the blocks into an scf.execute_region"))
		}
		end.branch = branch(p.host, op)
	}
	call.Args = slices.Clone(call.Args)
	end.call, f.end = call, end
	if p.in.Tok.Kind != lex.Caret && p.in.Tok.Kind != '}' {
		p.in.Fail(diag.Errorf(span, "'%s' op must be the last operation in its block", op.Def.Name).WithFix("begin the next block with a label: ^name:"))
	}
}

// blocks reads the blocks after the first of a region, of which the current token begins the next one.
func (p *regions) blocks(op *Op) {
	f := p.opened.flow
	if f == nil && p.opened.torn {
		panic(scan.Bail{}) // its branch has been reported
	}
	if f == nil {
		p.in.Fail(diag.Errorf(p.in.Here(), "a region of '%s' has one block only", op.Def.Name).WithFix("put the blocks into an scf.execute_region"))
	}
	if p.names.Verbatim {
		p.in.Fail(diag.Errorf(p.in.Here(), "a region of several blocks becomes ifs and loops when it is read").WithFix(whole))
	}
	errs := len(p.in.Errs)
	p.opened.flow.scanBlocks()
	if !p.opened.flow.checkLabels(errs) {
		op.torn = true
		p.in.Reset(f.close)
		return
	}
	order := p.opened.flow.blockOrder()
	p.opened.flow.readBlocks(order)
	if len(p.in.Errs) == errs {
		p.opened.flow.checkBlocks(order)
	}
	if len(p.in.Errs) == errs && f.list[0].end != nil {
		p.opened.flow.structure()
	}
	if op.torn = op.torn || len(p.in.Errs) > errs; op.torn {
		p.opened.torn = true
	}
	p.in.Reset(f.close)
}

// scanBlocks finds the blocks of the region by their labels, up to its end, and which labels each of them names.
func (f *blocks) scanBlocks() {
	entry := &block{end: f.end}
	if f.end != nil {
		entry.succs = f.end.op.succs
	}
	f.list = append(f.list, entry)
	last := entry
	for t, nest, braces := f.p.in.Tok, 0, 0; ; t = f.p.in.At(t.End) {
		switch t.Kind {
		case '(', '[':
			nest++
		case ')', ']':
			nest--
		case '{':
			braces++
		case '}':
			if braces--; braces < 0 {
				f.close = t.Start
				return
			}
		case lex.Caret:
			label := f.p.in.Src[t.Start:t.End]
			if start, ok := f.p.in.LabelEnd(t); ok && nest == 0 && braces == 0 {
				last = &block{label: label, at: t.Start, start: start}
				f.newLabel(last)
				f.list = append(f.list, last)
			} else if braces == 0 {
				last.succs = append(last.succs, reference{label, t.Start})
			}
		case lex.EOF:
			f.p.in.Errorf(t.Start, "expected '}' at the end of a region, found the end of the file")
		}
	}
}

// newLabel notes the label of a block that is to be the next of the list.
func (f *blocks) newLabel(b *block) {
	if j, ok := f.byName[b.label]; ok {
		first := f.list[j]
		f.p.in.Report(diag.Errorf(f.p.in.File.Span(b.at, b.at+len(b.label)), "redefinition of block '%s'", scan.Short(b.label)).
			WithNote(f.p.in.File.Span(first.at, first.at+len(b.label)), "previously defined here").WithFix("give one of them another label"))
		return
	}
	f.byName[b.label] = len(f.list)
}

// checkLabels reports labels that are used and not defined, and tells whether all is well with labels since there were so many
// errors.
func (f *blocks) checkLabels(errs int) bool {
	labels := lists.Map(f.list[1:], func(b *block) string { return b.label })
	for _, b := range f.list {
		for _, r := range b.succs {
			if _, ok := f.byName[r.label]; ok {
				continue
			}
			d := diag.Errorf(f.p.in.File.Span(r.at, r.at+len(r.label)), "reference to an undefined block '%s'", scan.Short(r.label))
			if near := diag.Nearest(r.label, labels); near != "" && len(r.label) < 100 {
				d.WithFix("did you mean '%s'?", near)
			} else {
				d.WithFix("begin a block of this region with %s: (the first one has no label that can be used)", scan.Short(r.label))
			}
			f.p.in.Report(d)
		}
	}
	return len(f.p.in.Errs) == errs
}

// blockOrder lists the blocks after the first in reverse postorder, in which a definition comes before its uses; then those that
// cannot be reached.
func (f *blocks) blockOrder() (order []int) {
	order = cfg.Order(f.labels())
	reached := make([]bool, len(f.list))
	for _, i := range order {
		reached[i] = true
	}
	for i, ok := range reached {
		if !ok {
			order = append(order, i)
		}
	}
	return order[1:]
}

// labels is the graph of the labels.
func (f *blocks) labels() *cfg.Graph {
	g := &cfg.Graph{}
	for _, b := range f.list {
		x := cfg.Block{}
		for _, r := range b.succs {
			x.Succs = append(x.Succs, cfg.Edge{To: f.byName[r.label]})
		}
		g.Blocks = append(g.Blocks, x)
	}
	return g
}

// readBlocks reads the blocks for the first time.
func (f *blocks) readBlocks(order []int) {
	f.reading = true
	undone := len(f.p.names.Scope.Defs)
	var types []ir.Type
	for i, b := range f.list[1:] {
		b.first = len(f.types)
		f.blockParams(b)
		for j, a := range b.params {
			f.named[int32(a.at)] = name{i + 1, a.Name, b.first + j, 1}
			types = append(types, a.Type)
		}
		f.types = append(f.types, types[len(types)-len(b.params):]...)
	}
	r := f.p.names.B.Open(ir.Branch, types...)
	values := f.p.names.B.Params(r)
	f.depth = f.p.names.B.Depth()
	for _, i := range order {
		b := f.list[i]
		f.p.in.Reset(b.start)
		if f.attempt(func() {
			for j, a := range b.params {
				f.p.names.Define(a.Name, a.at, values[b.first+j])
			}
		}) {
			f.readBlock(i)
		}
	}
	f.p.names.Scope.Restore(undone)
	f.p.names.B.Close()
	f.depth = f.p.names.B.Depth()
}

// attempt does what may report an error and give up.
func (f *blocks) attempt(do func()) (ok bool) {
	_, bailed := unwind.Catch[scan.Bail](do)
	return !bailed
}

// blockParams reads the arguments of a block's label.
func (f *blocks) blockParams(b *block) {
	f.attempt(func() {
		f.p.in.Reset(b.at)
		f.p.in.Next()
		f.p.in.OptionalList("(", ")", func() {
			a := f.p.regions.Argument()
			if l, ok := f.p.lit.Places.TrailingLoc(); ok {
				a.loc = l
			}
			b.params = append(b.params, a)
		})
	})
}

// readBlock reads the ops of a block for the first time, and notes what it defines and uses.
func (f *blocks) readBlock(i int) {
	b, defs := f.list[i], len(f.p.names.Scope.Defs)
	f.end, f.used = nil, f.used[:0]
	f.p.names.Scope.Note = &f.used
	f.p.ops.list(false)
	f.p.names.Scope.Note = nil
	b.end = f.end
	switch {
	case f.p.in.Tok.Kind != lex.Caret && f.p.in.Tok.Kind != '}':
		f.p.in.Report(diag.Errorf(f.p.in.Here(), "expected an operation, a label or '}', found %s", f.p.in.Found()))
	case b.end == nil && !f.p.regions.opened.torn:
		f.p.in.Report(diag.Errorf(f.p.in.File.Span(b.at, b.at+len(b.label)), "block '%s' does not end with a terminator", scan.Short(b.label)).
			WithFix("say where it goes on: cf.br ^next"))
	}
	f.p.regions.opened.torn = false
	for k := defs; k < len(f.p.names.Scope.Defs); k++ {
		d := &f.p.names.Scope.Defs[k]
		if d.Wrong() {
			continue
		}
		f.named[d.At] = name{i, f.p.names.Scope.Name(d), len(f.types), int(d.N)}
		for j := range int(d.N) {
			v, _ := f.p.names.Scope.Value(d, j)
			b.writes = append(b.writes, len(f.types))
			f.types = append(f.types, f.p.names.B.Graph().Type(v))
		}
	}
	for _, at := range f.used {
		if n, ok := f.named[at]; ok && (n.block != i || n.first < b.first+len(b.params)) {
			for j := range n.n {
				b.reads = append(b.reads, n.first+j)
			}
		}
	}
	slices.Sort(b.reads)
	b.reads = slices.Compact(b.reads)
}
