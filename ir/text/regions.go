package text

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/literal"
	"github.com/irc-lang/irc/ir/text/internal/scan"
	"github.com/irc-lang/irc/ir/text/internal/values"
)

// regions reads what stands in the braces of an op. A region that is isolated has a graph and names of its own; that of a loop
// may be read again, once it is known what the loop writes.
type regions struct {
	host  *Parser
	ctx   *ir.Context
	in    *scan.Reader
	lit   *literal.Reader
	names *values.Names
	reg   *registry
	ops   *opReader

	opened  opened
	dialect string // whose ops need no prefix here
	again   int    // bytes of the isolated op that were read again, or nearly so
	each    func(g *ir.Graph) *ir.Graph
}

// isGraphRegion reports that the order of the ops of a region of an op says nothing.
func isGraphRegion(op *ir.OpDef) bool {
	return !op.Registered() || op.Name == "builtin.module"
}

// region reads `{ ... }` as the next region of an op. Params are bound to the
// arguments of its block; without them the block may have a label with some.
// bare says that `{}` has no block at all; otherwise it has an empty one.
func (p *regions) region(op *Op, params []Param, implicit *ir.OpDef, bare bool) {
	outer, undone, dialect, open, order := p.names.B, len(p.names.Scope.Defs), p.dialect, p.opened, p.names.Order
	if op.Def.Has(ir.Isolated) {
		sc, before := p.names.Scope, p.again
		p.names.B, p.again = p.names.NewBuilder(), 0
		p.names.OpenScope()
		p.opened, p.names.Order = opened{start: p.in.Tok.Start}, values.Order{}
		p.block(op, params, implicit, bare)
		p.names.UndefinedForwards()
		g := p.names.B.Finish()
		if p.each != nil && p.in.Errs.Err() == nil {
			g = p.each(g)
		}
		op.graphs = append(op.graphs, g)
		p.names.CloseScope(sc)
		p.again = before
	} else {
		guess := loopGuess{start: p.in.Tok, prev: p.in.Prev}
		mark := p.in.Index.Mark()
		for again := true; again; {
			p.dialect, p.opened, p.names.Order = dialect, open, order
			p.in.Index.Back(mark)
			p.openRegion(op, &guess)
			p.block(op, params, implicit, bare)
			p.names.Scope.Restore(undone)
			again = p.closeRegion(op, &guess)
		}
	}
	p.names.B, p.dialect, p.opened, p.names.Order = outer, dialect, open, order
	p.in.Next()
}

// block reads what is in a region, from its `{` up to its `}`.
func (p *regions) block(op *Op, params []Param, implicit *ir.OpDef, bare bool) {
	handsOn := p.opened.handsOn
	p.opened.handsOn, p.opened.last = false, 0
	p.names.Order.First = p.names.Scope.MadeForwards
	if p.names.Order.InGraph = isGraphRegion(op.Def); p.names.Order.InGraph {
		p.names.Order.Graphs++
	}
	p.dialect = ""
	if f := p.reg.forms.of(op.Def); f != nil {
		p.dialect = f.DefaultDialect
	}
	p.in.Expect("{")
	switch {
	case p.in.Tok.Kind == '}' && bare && len(params) == 0:
		p.names.B.NoBlock()
	case p.in.Tok.Kind == lex.Caret:
		if len(params) > 0 {
			p.in.Errorf(p.in.Tok.Start, "the block of this region has its arguments already")
		}
		p.label()
	}
	p.bindParams(params)
	p.entered(op)
	p.opened.torn, p.opened.flow = false, p.mayBranch(op)
	p.ops.list(false)
	op.torn = op.torn || p.opened.torn
	if p.in.Tok.Kind == lex.Caret || p.opened.flow != nil && p.opened.flow.end != nil {
		p.blocks(op)
	}
	if implicit != nil {
		p.terminate(implicit, handsOn)
	}
	switch p.in.Tok.Kind {
	case '}':
	case lex.Arrow:
		p.in.Fail(diag.Errorf(p.in.Here(), "the operation ends before '->'").
			WithFix("leave out '->' and the types behind it: the result of this op follows from its operands"))
	default:
		p.in.Errorf(p.in.Tok.Start, "expected an operation or '}', found %s", p.in.Found())
	}
}

// entered tells the op that a region of it is open.
func (p *regions) entered(op *Op) {
	defer blames(op, "Enter")
	switch b := p.names.B; {
	case !op.Def.Has(ir.Isolated):
		var attr ir.Attr
		if op.Def.Enter != nil && len(op.Def.Attrs) > 0 {
			attr = p.ctx.Props(slices.Clone(op.props), nil)
		}
		b.Enter(op.Def, attr, op.Args, len(op.Regions), b.Params(b.Current()))
	case op.Def.Begin != nil && !b.Graph().IsVerbatim():
		op.Def.Begin(b, p.ctx.Props(slices.Clone(op.props), slices.Clone(op.attrs)))
	}
}

// terminate adds a terminator that the text leaves out; handsOn says that it has the results of the
// last op for operands.
func (p *regions) terminate(implicit *ir.OpDef, handsOn bool) {
	b := p.names.B
	if b.Graph().Term(b.Current()) != 0 {
		return
	}
	var regions []ir.Region // as many as the terminator has, empty (scf.forall.in_parallel)
	for _, kind := range implicit.Bodies {
		b.Open(kind)
		regions = append(regions, b.Close())
	}
	var args []ir.Value
	if handsOn && p.opened.last != 0 {
		args = b.Results(p.opened.last)
	}
	if _, err := b.Make(ir.Call{Def: implicit, Args: args, Type: ir.Void, Regions: regions, Loc: ir.Loc(p.in.Tok.Start + 1)}); err != nil {
		p.in.Errorf(p.in.Tok.Start, "%v", err)
	}
}

func (p *regions) bindParams(params []Param) {
	for _, a := range params {
		v := p.names.B.Param(a.Type)
		if a.Name != "" {
			p.names.Define(a.Name, a.at, v)
		}
	}
}

// label reads `^name(%a: type, ...):`.
func (p *regions) label() {
	p.in.Next()
	var params []Param
	p.in.OptionalList("(", ")", func() {
		a := p.Argument()
		if l, ok := p.lit.Places.TrailingLoc(); ok {
			a.loc = l
		}
		params = append(params, a)
	})
	p.in.Expect(":")
	p.bindParams(params)
}

// opened is what there is to know of the region that is open.
type opened struct {
	last    ir.Value // that was made last in the region that is read
	handsOn bool     // the terminator of the region that is read next hands on what the op before it gives
	start   int      // of the isolated op's region around it
	loops   int      // regions of loops in that which are read by guess
	torn    bool     // its last op was given up, and with it maybe its terminator
	flow    *blocks  // if it may have several
}

// ArgumentName reads the name of a region's argument.
func (p *regions) ArgumentName() Param {
	if p.in.Tok.Kind != lex.Percent {
		p.in.Errorf(p.in.Tok.Start, "expected the name of an argument, found %s", p.in.Found())
	}
	a := Param{Name: p.in.Text(), at: p.in.Tok.Start}
	p.in.Next()
	return a
}

// Argument reads `%name : type`.
func (p *regions) Argument() Param {
	a := p.ArgumentName()
	a.Type = p.lit.Types.ColonType()
	return a
}

// Region reads `{ ... }` as the next region of op, which always has a block.
// Params are the arguments that the op's own syntax gives it; implicit is the
// terminator that the text may leave out, or nil.
func (p *regions) Region(op *Op, params []Param, implicit *ir.OpDef) {
	p.region(op, params, implicit, false)
}

// RegionOf is Region for `{ op }`: where the text leaves the terminator out, it hands on what the
// last op gives.
func (p *regions) RegionOf(op *Op, terminator *ir.OpDef) {
	p.opened.handsOn = true
	p.region(op, nil, terminator, false)
}

// NoRegion adds a region without a block: the body of a declaration.
func (p *regions) NoRegion(op *Op) {
	if op.Def.Has(ir.Isolated) {
		b := p.names.NewBuilder()
		b.NoBlock()
		op.graphs = append(op.graphs, b.Finish())
		return
	}
	p.names.B.Open(p.regionKind(op))
	p.names.B.NoBlock()
	op.Regions = append(op.Regions, p.names.B.Close())
}

// Signature reads `(%a: t {attrs}, ...) -> (t {attrs}, ...)`. In a declaration
// the names may be missing.
func (p *regions) Signature() (s Signature) {
	p.in.List("(", ")", func() {
		if p.in.Optional("...") {
			s.Variadic = true
			return
		}
		var a Param
		if p.in.Tok.Kind == lex.Percent {
			a = p.Argument()
		} else {
			a.at = p.in.Tok.Start
			a.Type = p.lit.Types.Type()
		}
		if p.in.Tok.Kind == '{' {
			a.Attr = p.lit.Attrs.Attr()
		}
		if l, ok := p.lit.Places.TrailingLoc(); ok {
			a.loc = l
		}
		s.Params = append(s.Params, a)
	})
	if !p.in.Optional("->") {
		return s
	}
	result := func() {
		s.Results = append(s.Results, p.lit.Types.Type())
		a := ir.Attr(0)
		if p.in.Tok.Kind == '{' {
			a = p.lit.Attrs.Attr()
		}
		s.ResAttrs = append(s.ResAttrs, a)
	}
	if p.in.Tok.Kind == '(' {
		p.in.List("(", ")", result)
	} else {
		s.Results = append(s.Results, p.lit.Types.Type())
		s.ResAttrs = append(s.ResAttrs, 0)
	}
	return s
}

// argAttrs returns the array of the arguments' dictionaries, or 0 if all are empty.
func (s Signature) argAttrs(c *ir.Context) ir.Attr {
	list := make([]ir.Attr, len(s.Params))
	for i, a := range s.Params {
		list[i] = a.Attr
	}
	return dictList(c, list)
}

// resultAttrs returns the array of the results' dictionaries, or 0 if all are empty.
func (s Signature) resultAttrs(c *ir.Context) ir.Attr {
	return dictList(c, append([]ir.Attr(nil), s.ResAttrs...))
}

func dictList(c *ir.Context, list []ir.Attr) ir.Attr {
	empty := c.Attr(ir.AttrInfo{Kind: ir.AttrDict})
	some := false
	for i, a := range list {
		if a == 0 {
			list[i] = empty
		}
		some = some || list[i] != empty
	}
	if !some {
		return 0
	}
	return c.ArrayAttr(list...)
}
