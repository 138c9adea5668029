package text

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/operands"
)

// SetArgs sets the operands of one name in OpDef.Args. Once it is used, the
// operands are those that were set, in the order of OpDef.Args.
func (op *Op) SetArgs(name string, vs ...ir.Value) {
	for i, a := range op.Def.Args {
		if base, _ := operands.Kind(a); base == name {
			op.setGroup(i, vs)
			return
		}
	}
	panic("text: op " + op.Def.Name + " has no operand named " + name)
}

func (op *Op) setGroup(i int, vs []ir.Value) {
	if op.groups == nil {
		op.groups = make([][]ir.Value, len(op.Def.Args))
	}
	op.groups[i] = vs
}

const resultSegments = "resultSegmentSizes"

// assemble lists the operands, and notes how many each name has.
func (op *Op) assemble() []ir.Value {
	if op.groups == nil {
		return op.Args
	}
	var out []ir.Value
	sizes := make([]int64, len(op.groups))
	for i, g := range op.groups {
		out = append(out, g...)
		sizes[i] = int64(len(g))
	}
	if inherent(op.Def, operands.Segments) {
		op.SetProp(operands.Segments, op.ctx.DenseArray(ir.I32, sizes...))
	}
	return out
}

// Group returns the operands of an op that have the given name in OpDef.Args.
// Where several names have any number of operands, operandSegmentSizes tells;
// where one has, it has what the others leave.
func Group(g *ir.Graph, v ir.Value, name string) []ir.Value {
	def := g.Def(v)
	for i, a := range def.Args {
		if base, _ := operands.Kind(a); base == name {
			return groupAt(g, v, def, i)
		}
	}
	return nil
}

func groupAt(g *ir.Graph, v ir.Value, def *ir.OpDef, i int) []ir.Value {
	args := g.Args(v)
	sizes := g.Ctx.Ints(g.Attr(v, operands.Segments))
	if len(sizes) != len(def.Args) {
		sizes = make([]int64, len(def.Args))
		for j, a := range def.Args {
			sizes[j] = 1
			if _, k := operands.Kind(a); k != 1 {
				sizes[j] = int64(len(args) - len(def.Args) + 1)
			}
		}
	}
	from := int64(0)
	for _, n := range sizes[:i] {
		from += n
	}
	to := from + sizes[i]
	if from < 0 || to < from || to > int64(len(args)) {
		return nil // wrong in a way that Infer reports
	}
	return args[from:to]
}

// parse reads what the format says.
func (f *form) parse(p *Parser, op *Op) {
	s := &formatState{f: f, p: p, op: op}
	if len(op.Def.Args) > 0 {
		op.groups = make([][]ir.Value, len(op.Def.Args))
	}
	s.list(f.compiled())
	s.finish()
}

// formatState is what is known while a format is read.
type formatState struct {
	f       *form
	p       *Parser
	op      *Op
	results [][]ir.Type // by result name; nil where the format does not say
	given   bool
}

func (s *formatState) list(elems []element) {
	for i := range elems {
		s.elem(&elems[i])
	}
}

func (s *formatState) elem(e *element) {
	p, op := s.p, s.op
	switch e.kind {
	case eLiteral:
		if e.text != "" && e.text != " " && e.text != "\\n" {
			s.literal(e.text)
		}
	case eOperand:
		s.operand(e)
	case eAttr:
		s.attr(e)
	case eRegion:
		switch {
		case e.kindOf == 1, p.in.Peek("{"):
			p.regions.Region(op, nil, s.f.Terminator)
		}
	case eRegions:
		for p.in.Peek("{") {
			p.regions.Region(op, nil, s.f.Terminator)
			if !p.in.Optional(",") {
				break
			}
		}
	case eType:
		s.typ(e)
	case eOperands:
		op.groups, op.Args = nil, p.names.Operands()
	case eFunctional:
		in, out := p.lit.Types.FunctionType()
		p.names.CheckTypes(s.allArgs(), in)
		op.SetTypes(out...)
	case eAttrDict:
		if e.text != "" {
			p.ops.AttrDictWithKeyword(op)
		} else {
			p.ops.AttrDict(op)
		}
	case eCustom:
		s.f.Custom[e.text].Parse(p, op, e.args)
	case eGroup:
		s.group(e)
	}
}

// literal reads punctuation, which may be several tokens of ours.
func (s *formatState) literal(text string) {
	if text == "::" || text == "->" || text == "..." || lex.IsLetter(text[0]) {
		s.p.in.Expect(text)
		return
	}
	for i := range text {
		s.p.in.Expect(text[i : i+1])
	}
}

func (s *formatState) operand(e *element) {
	p := s.p
	switch e.kindOf {
	case 1:
		s.op.setGroup(e.group, []ir.Value{p.names.Operand()})
	case '?':
		if v, ok := p.names.OptionalOperand(); ok {
			s.op.setGroup(e.group, []ir.Value{v})
		}
	default:
		s.op.setGroup(e.group, p.names.Operands())
	}
}

func (s *formatState) attr(e *element) {
	af := s.f.Attrs[e.text]
	var a ir.Attr
	switch {
	case af.Unit:
		a = s.p.ctx.UnitAttr()
	case af.Parse != nil:
		a = af.Parse(s.p)
	default:
		a = s.p.lit.Attrs.Attr()
	}
	s.op.SetProp(e.text, a)
}

func (s *formatState) allArgs() []ir.Value {
	if s.op.groups == nil {
		return s.op.Args
	}
	var out []ir.Value
	for _, g := range s.op.groups {
		out = append(out, g...)
	}
	return out
}

// typ reads type(...): types of operands are compared, those of results kept.
func (s *formatState) typ(e *element) {
	p := s.p
	switch {
	case e.results && e.all:
		s.op.SetTypes(s.optionalTypes()...)
	case e.results:
		s.given = true
		for len(s.results) <= e.nth {
			s.results = append(s.results, nil)
		}
		if e.kindOf == 1 {
			s.results[e.nth] = []ir.Type{s.oneType(e)}
		} else {
			s.results[e.nth] = append([]ir.Type{}, s.optionalTypes()...)
		}
	case e.all:
		p.names.CheckTypes(s.allArgs(), s.optionalTypes())
	case e.kindOf == 1:
		p.names.CheckType(s.op.groups[e.group][0], s.oneType(e))
	default:
		if args := s.op.groups[e.group]; len(args) > 0 {
			p.names.CheckTypes(args, p.lit.Types.Types())
		}
	}
}

// oneType reads a type; of one whose name the form knows the <...> alone may stand here.
func (s *formatState) oneType(e *element) ir.Type {
	if name := s.f.Short[e.text]; name != "" && s.p.in.Tok.Kind == '<' {
		return s.p.lit.Types.ShortType(name)
	}
	return s.p.lit.Types.Type()
}

func (s *formatState) optionalTypes() (out []ir.Type) {
	for {
		t, ok := s.p.lit.Types.OptionalType()
		if !ok {
			if len(out) > 0 {
				s.p.lit.Types.Type() // says what is wrong
			}
			return out
		}
		out = append(out, t)
		if !s.p.in.Optional(",") {
			return out
		}
	}
}

// group reads an optional group if its first element is there.
func (s *formatState) group(e *element) {
	first := 0
	for first < len(e.body)-1 && e.body[first].kind == eLiteral && e.body[first].text == "" {
		first++ // no space: says nothing when reading
	}
	if !s.begins(&e.body[first]) {
		s.list(e.orElse)
		return
	}
	for i := range e.body {
		x := &e.body[i]
		if x.anchor && x.kind == eAttr && s.f.Attrs[x.text].Unit {
			s.op.SetProp(x.text, s.p.ctx.UnitAttr())
			continue
		}
		s.elem(x)
	}
}

func (s *formatState) begins(e *element) bool {
	p := s.p
	switch e.kind {
	case eLiteral:
		if lex.IsLetter(e.text[0]) || len(e.text) == 1 {
			return p.in.Peek(e.text)
		}
		return p.in.Peek(e.text) || p.in.Peek(e.text[:1])
	case eOperand, eOperands:
		return p.in.Tok.Kind == lex.Percent && !p.in.Defines()
	case eRegion, eRegions:
		return p.in.Peek("{")
	case eAttr:
		if f := s.f.Attrs[e.text].begins; f != nil {
			return f(p)
		}
		switch p.in.Tok.Kind {
		case lex.Int, lex.Float, '-', lex.String, lex.At, '[', lex.Hash:
			return true
		}
		return p.in.Tok.Kind == lex.Ident
	case eCustom:
		if f := s.f.Custom[e.text].begins; f != nil {
			return f(p)
		}
	}
	return true
}

// finish sets the result types if the format gives all of them, and checks that
// single operands are there.
func (s *formatState) finish() {
	op := s.op
	if op.groups != nil {
		for i, a := range op.Def.Args {
			if _, k := operands.Kind(a); k == 1 && len(op.groups[i]) != 1 {
				s.p.in.Fail(diag.Errorf(s.p.in.File.Span(op.At, op.At+1), "'%s' op has no operand '%s'", op.Def.Name, a))
			}
		}
	}
	if !op.hasTypes && !s.given && typesResults(s.f.elems) {
		op.SetTypes() // only an optional group that is absent gives types: no results
	}
	if op.hasTypes || !s.given {
		return
	}
	var all []ir.Type
	for i, ts := range s.results {
		if ts == nil {
			return
		}
		if len(s.f.Form.Results) > 1 && inherent(op.Def, resultSegments) {
			s.segments(i)
		}
		all = append(all, ts...)
	}
	if len(s.results) < len(s.f.Form.Results) {
		return
	}
	op.SetTypes(all...)
}

// typesResults reports that a format has a place for types of results.
func typesResults(elems []element) bool {
	for i := range elems {
		e := &elems[i]
		if e.kind == eType && e.results || typesResults(e.body) || typesResults(e.orElse) {
			return true
		}
	}
	return false
}

func (s *formatState) segments(i int) {
	if i > 0 {
		return
	}
	sizes := make([]int64, len(s.results))
	for j, ts := range s.results {
		sizes[j] = int64(len(ts))
	}
	s.op.SetProp(resultSegments, s.p.ctx.DenseArray(ir.I32, sizes...))
}
