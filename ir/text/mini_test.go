package text

import (
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// Dialects to test with: some ops under MLIR's names, so that mlir-opt can be
// asked, and some of our own.

func given(c *ir.Call) (ir.Type, error) { return c.Type, nil }

func void(*ir.Call) (ir.Type, error) { return ir.Void, nil }

func sameAsFirst(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 2 || c.ArgType(0) != c.ArgType(1) {
		return 0, c.Errorf("wants two operands of one type")
	}
	return c.ArgType(0), nil
}

var (
	mModule = ir.Define(&ir.OpDef{Name: "builtin.module", Attrs: []string{"sym_name", "sym_visibility"}, Traits: ir.Isolated | ir.Symbol, Infer: void})
	mFunc   = ir.Define(&ir.OpDef{Name: "func.func", Attrs: []string{"sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"},
		Traits: ir.Isolated | ir.Symbol, Infer: void})
	mReturn = ir.Define(&ir.OpDef{Name: "func.return", Args: []string{"operands..."}, Traits: ir.Terminator, Infer: void})
	mConst  = ir.Define(&ir.OpDef{Name: "arith.constant", Attrs: []string{"value"}, Traits: ir.ConstantLike, Infer: given})
	mAddi   = ir.Define(&ir.OpDef{Name: "arith.addi", Args: []string{"lhs", "rhs"}, Attrs: []string{"overflowFlags"}, Infer: sameAsFirst})
	mAddf   = ir.Define(&ir.OpDef{Name: "arith.addf", Args: []string{"lhs", "rhs"}, Attrs: []string{"fastmath"}, Infer: sameAsFirst})
	mCmpi   = ir.Define(&ir.OpDef{Name: "arith.cmpi", Args: []string{"lhs", "rhs"}, Attrs: []string{"predicate"},
		Infer: func(*ir.Call) (ir.Type, error) { return ir.I1, nil }})
	mYield = ir.Define(&ir.OpDef{Name: "scf.yield", Args: []string{"results..."}, Traits: ir.Terminator, Infer: void})
	mFor   = ir.Define(&ir.OpDef{Name: "scf.for", Args: []string{"lower", "upper", "step", "inits..."}, Body: ir.Loop, Infer: given})
	mSeg   = ir.Define(&ir.OpDef{Name: "t.seg", Args: []string{"a...", "b?", "c"}, Attrs: []string{"operandSegmentSizes", "kind", "flag", "n"}, Infer: given})
	mWrap  = ir.Define(&ir.OpDef{Name: "t.wrap", Attrs: []string{"what"}, Body: ir.Once, Infer: void,
		Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.IO}} }})
	mEnd = ir.Define(&ir.OpDef{Name: "t.end", Traits: ir.Terminator, Infer: void})

	miniDialects = []*ir.Dialect{
		{Name: "builtin", Ops: []*ir.OpDef{mModule}, Tables: []any{Syntax{mModule: {Parse: parseModule, Print: printModule}}}},
		{Name: "func", Ops: []*ir.OpDef{mFunc, mReturn}, Tables: []any{Syntax{
			mFunc:   {Parse: parseFunc, Print: printFunc, DefaultDialect: "func"},
			mReturn: {Format: "attr-dict ($operands^ `:` type($operands))?"},
		}}},
		{Name: "arith", Ops: []*ir.OpDef{mConst, mAddi, mAddf, mCmpi}, Tables: []any{Syntax{
			mConst: {Parse: parseConst, Print: printConst},
			mAddi: {Format: "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)", Attrs: map[string]AttrForm{
				"overflowFlags": DialectEnum("arith.overflow", "none", " ", "none", "nsw", "nuw")}},
			mAddf: {Format: "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)", Attrs: map[string]AttrForm{
				"fastmath": DialectEnum("arith.fastmath", "none", "", "none", "reassoc", "nnan", "ninf", "fast")}},
			mCmpi: {Format: "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)", Attrs: map[string]AttrForm{
				"predicate": Enum("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")}},
		}}},
		{Name: "scf", Ops: []*ir.OpDef{mYield, mFor}, Tables: []any{Syntax{
			mYield: {Format: "attr-dict ($results^ `:` type($results))?"},
			mFor:   {Parse: parseFor, Print: printFor},
		}}},
		{Name: "t", Ops: []*ir.OpDef{mSeg, mWrap, mEnd}, Tables: []any{Syntax{
			mSeg: {Format: "$kind $c `[` $a `]` (`with` $b^)? (`flag` $flag^)? (`n` `=` $n^ `;`)? attr-dict `:` type($c) `,` type($a) (`->` type($result)^)?",
				Attrs: map[string]AttrForm{"kind": Enum("x", "y"), "flag": UnitFlag(), "n": Number(ir.I32)}},
			mWrap: {Format: "($what^)? $body attr-dict", Regions: []string{"body"}, Terminator: mEnd},
			mEnd:  {Format: "attr-dict"},
		}}},
	}
)

func parseModule(p *Parser, op *Op) {
	if s, ok := p.OptionalSymbol(); ok {
		op.SetProp("sym_name", p.Ctx().StringAttr(s))
	}
	p.AttrDictWithKeyword(op)
	p.Region(op, nil, nil)
}

func printModule(p *Printer, v ir.Value) {
	if a := p.Prop(v, "sym_name"); a != 0 {
		p.Str(" ")
		p.Symbol(p.Ctx().AttrInfo(a).Str)
	}
	p.AttrDictWithKeyword(v, "sym_name")
	p.Region(v, 0, RegionStyle{})
}

func parseFunc(p *Parser, op *Op) {
	c := p.Ctx()
	if w := p.OptionalKeywordOf("private", "public", "nested"); w != "" {
		op.SetProp("sym_visibility", c.StringAttr(w))
	}
	op.SetProp("sym_name", c.StringAttr(p.Symbol()))
	s := p.Signature()
	var in []ir.Type
	for _, a := range s.Params {
		in = append(in, a.Type)
	}
	op.SetProp("arg_attrs", s.argAttrs(c))
	op.SetProp("res_attrs", s.resultAttrs(c))
	op.SetProp("function_type", c.TypeAttr(c.Func(in, s.Results)))
	p.AttrDictWithKeyword(op)
	if p.Peek("{") {
		p.Region(op, s.Params, nil)
	} else {
		p.NoRegion(op)
	}
}

func printFunc(p *Printer, v ir.Value) {
	c := p.Ctx()
	if a := p.Prop(v, "sym_visibility"); a != 0 {
		p.Str(" ", c.AttrInfo(a).Str)
	}
	p.Str(" ")
	p.Symbol(c.AttrInfo(p.Prop(v, "sym_name")).Str)
	t := c.Info(c.AttrInfo(p.Prop(v, "function_type")).Type)
	p.Signature(v, t.Types[:t.NumIn], t.Types[t.NumIn:], p.Prop(v, "arg_attrs"), p.Prop(v, "res_attrs"))
	p.AttrDictWithKeyword(v, "sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")
	if p.HasBody(v, 0) {
		p.Region(v, 0, RegionStyle{})
	}
}

func parseConst(p *Parser, op *Op) {
	p.AttrDict(op)
	a := p.Attr()
	op.SetProp("value", a)
	op.SetTypes(p.Ctx().AttrInfo(a).Type)
}

func printConst(p *Printer, v ir.Value) {
	p.AttrDict(v, "value")
	p.Str(" ")
	p.Attr(p.Prop(v, "value"))
}

func parseFor(p *Parser, op *Op) {
	iv := p.ArgumentName()
	p.Expect("=")
	lo := p.Operand()
	p.Expect("to")
	hi := p.Operand()
	p.Expect("step")
	step := p.Operand()
	iv.Type = ir.Index
	params := []Param{iv}
	var inits []ir.Value
	op.SetTypes()
	if p.Optional("iter_args") {
		p.List("(", ")", func() {
			a := p.ArgumentName()
			p.Expect("=")
			inits = append(inits, p.Operand())
			params = append(params, a)
		})
		types := p.ArrowTypes()
		op.SetTypes(types...)
		p.CheckTypes(inits, types)
		for i := range inits {
			params[i+1].Type = types[i]
		}
	}
	op.SetArgs("lower", lo)
	op.SetArgs("upper", hi)
	op.SetArgs("step", step)
	op.SetArgs("inits", inits...)
	p.Region(op, params, mYield)
	p.AttrDict(op)
}

func printFor(p *Printer, v ir.Value) {
	a := p.Graph().Args(v)
	p.Str(" ")
	p.ParamName(v, 0, 0)
	p.Str(" = ")
	p.Value(a[0])
	p.Str(" to ")
	p.Value(a[1])
	p.Str(" step ")
	p.Value(a[2])
	style := RegionStyle{Implicit: mYield}
	if inits := p.Group(v, "inits"); len(inits) > 0 {
		p.Str(" iter_args(")
		for i, x := range inits {
			if i > 0 {
				p.Str(", ")
			}
			p.ParamName(v, 0, i+1)
			p.Str(" = ")
			p.Value(x)
		}
		p.Str(") -> (")
		p.Types(p.Ctx().Results(p.Graph().Type(v)))
		p.Str(")")
		style.Implicit = nil
	}
	p.Region(v, 0, style)
	p.AttrDict(v)
}

func miniContext() *ir.Context { return ir.NewContext(miniDialects...) }

func parse(t testing.TB, src string, opts Options) *ir.Graph {
	t.Helper()
	g, errs := Parse(miniContext(), diag.NewSource("in.mlir", src), opts)
	if errs.Err() != nil {
		t.Fatalf("%v", errs)
	}
	return g
}
