package text

import (
	"errors"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/index"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/scan"
)

// resultName is one `%x` or `%x:2` left of an op.
type resultName struct {
	name string
	n    int
	at   int
}

// operation reads one op with its results and makes it.
func (p *opReader) operation() {
	p.in.Enter()
	start := p.in.Tok.Start
	var names [4]resultName
	results, total := p.resultNames(names[:0])
	op := p.newOp()
	op.named = total
	call, span := p.readOp(op)
	p.in.Index.Add(index.Entry{Kind: index.Op, Start: start, End: p.in.Prev, Name: op.At, Def: op.Def})
	if p.regions.endsBlock(op) {
		p.regions.endBlock(op, call, span)
		p.in.Leave()
		return
	}
	v := p.make(op, call, span)
	p.regions.opened.last = v
	if op.info != nil {
		p.gen.keepLine(op, &call, v)
	}
	p.bindResults(op, v, results, total, span)
	p.spare = append(p.spare, op)
	p.in.Leave()
}

// readOp reads an op from its name on.
func (p *opReader) readOp(op *Op) (ir.Call, diag.Span) {
	op.At = p.in.Tok.Start
	switch p.in.Tok.Kind {
	case lex.String:
		p.gen.generic(op)
	case lex.Ident:
		p.pretty(op)
	default:
		p.in.Errorf(p.in.Tok.Start, "expected an op name, found %s", p.in.Found())
	}
	loc := ir.Loc(op.At + 1)
	if l, ok := p.lit.Places.TrailingLoc(); ok {
		loc = l
	}
	args := op.assemble()
	p.names.TypedForwards(op.Def.Name, args)
	call := ir.Call{Def: op.Def, Args: args, Attr: p.gen.attrsOf(op), Regions: op.Regions, Graphs: op.graphs, Loc: loc}
	if op.hasTypes {
		call.Type = p.gen.resultType(op)
	}
	return call, p.in.File.Span(op.At, op.At+len(op.Def.Name))
}

// newOp takes an Op that is done with, and its lists, or makes one. (The lists are
// copied where they are kept; an op that was given up is not used again.)
func (p *opReader) newOp() *Op {
	n := len(p.spare)
	if n == 0 {
		return &Op{ctx: p.ctx}
	}
	op := p.spare[n-1]
	p.spare = p.spare[:n-1]
	*op = Op{ctx: p.ctx, Args: op.Args[:0], props: op.props[:0], attrs: op.attrs[:0]}
	return op
}

func (p *opReader) resultNames(out []resultName) ([]resultName, int) {
	if p.in.Tok.Kind != lex.Percent {
		return nil, 0
	}
	total := 0
	for {
		if p.in.Tok.Kind != lex.Percent {
			p.in.Errorf(p.in.Tok.Start, "expected the name of a result, found %s", p.in.Found())
		}
		r := resultName{p.in.Text(), 1, p.in.Tok.Start}
		p.in.Next()
		if p.in.Tok.Kind == ':' {
			p.in.Next()
			at := p.in.Tok.Start
			n := p.in.Integer()
			if n < 1 || n > 1<<20 {
				p.in.Errorf(at, "expected a number of results, from 1 to %d", 1<<20)
			}
			r.n = int(n)
		}
		total += r.n
		out = append(out, r)
		if p.in.Tok.Kind != ',' {
			break
		}
		p.in.Next()
	}
	p.in.Expect("=")
	return out, total
}

func (p *opReader) bindResults(op *Op, v ir.Value, names []resultName, total int, span diag.Span) {
	n := p.names.B.Graph().Results(v)
	if total == 0 && len(names) == 0 {
		return
	}
	if n != total {
		p.in.Fail(diag.Errorf(span, "'%s' op has %d results, but %d are named", op.Def.Name, n, total))
	}
	if n == 1 {
		p.names.Define(names[0].name, names[0].at, v)
		return
	}
	vals := p.names.B.Results(v)
	for _, r := range names {
		p.names.Define(r.name, r.at, vals[:r.n]...)
		vals = vals[r.n:]
	}
}

// make builds the op and reports what the builder says of it, unless that may
// follow from an error in it: a region without its end.
func (p *opReader) make(op *Op, call ir.Call, span diag.Span) ir.Value {
	v, err := p.names.B.Make(call)
	if err == nil {
		if p.names.B.Graph().Type(v) == ir.NoType {
			const msg = "is defined wrongly: neither its Infer nor its syntax gives the types of its results; for an op without any Infer returns ir.Void"
			panic(&ir.OpError{Op: op.Def.Name, Loc: call.Loc, Msg: msg, Author: true})
		}
		return v
	}
	if op.torn {
		panic(scan.Bail{}) // what is wrong in its region has been reported
	}
	msg := err.Error()
	var oe *ir.OpError
	if errors.As(err, &oe) {
		msg = "'" + op.Def.Name + "' op " + oe.Msg
		if l := oe.Loc; l != 0 && l != call.Loc && l&ir.LocAttr == 0 { // of an op inside
			span = p.in.File.At(int(l) - 1)
		}
	}
	d := diag.Errorf(span, "%s", msg)
	if t := p.inferred(call); t != ir.NoType && call.Type != ir.NoType && t != call.Type {
		d.Message = "'" + op.Def.Name + "' op has result type " + p.lit.Defs.Show(call.Type) + ", but its operands give " + p.lit.Defs.Show(t)
	}
	p.in.Fail(d)
	return 0
}

// inferred asks what the type of a wrong op should have been, or NoType.
func (p *opReader) inferred(call ir.Call) ir.Type {
	if call.Def.Infer == nil || call.Def.Has(ir.Terminator) || call.Def.Has(ir.Symbol) {
		return ir.NoType
	}
	call.Type = ir.NoType
	v, err := p.names.B.Make(call)
	if err != nil {
		return ir.NoType
	}
	return p.names.B.Graph().Type(v)
}

// defaults adds the properties that the op has anyway, and spells enumerations
// in one way.
func (p *opReader) defaults(op *Op) {
	f := p.reg.forms.of(op.Def)
	if f == nil {
		return
	}
	for i, e := range op.props {
		if canon := f.Attrs[e.Name].canon; canon != nil {
			op.props[i].Value = canon(p.ctx, e.Value)
		}
	}
	for _, d := range f.defaults {
		if op.Prop(d.name) == 0 {
			op.props = append(op.props, ir.NamedAttr{Name: d.name, Value: d.value})
		}
	}
}

// pretty reads an op in its custom syntax, from its name on.
func (p *opReader) pretty(op *Op) {
	f := p.reg.written(op, p.regions.dialect)
	p.in.Next()
	if f.theirs {
		defer blames(op, "Parse")
	}
	if f.Parse != nil {
		f.Parse(p.host, op)
		return
	}
	f.parse(p.host, op)
}

// blames is deferred while a function of an author outside of irc may be asked of an op that is read: a panic of it names
// the op, and the hook if nobody knows that.
func blames(op *Op, hook string) {
	if r := recover(); r != nil {
		panic(blamed(r, op.Def, hook, ir.Loc(op.At+1)))
	}
}

// blamed is what to raise in the place of what was raised while a function was asked of an op.
func blamed(r any, def *ir.OpDef, hook string, at ir.Loc) any {
	e := ir.AuthorError(r)
	if e == nil {
		return r
	}
	if e.Op == "" {
		e.Op, e.Msg = def.Name, "is defined wrongly: its "+hook+" panicked: "+e.Msg
	}
	if e.Loc == 0 {
		e.Loc = at
	}
	return e
}
