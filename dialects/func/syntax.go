package funcs

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

var syntax = text.Syntax{
	Func:         {Parse: ParseFunction, Print: PrintFunction, DefaultDialect: "func", Blocks: true, Ends: ends},
	Return:       {Format: "attr-dict ($operands^ `:` type($operands))?"},
	Call:         {Format: "$callee `(` $operands `)` attr-dict `:` functional-type(operands, results)"},
	CallIndirect: {Format: "$callee `(` $callee_operands `)` attr-dict `:` type($callee)"},
	Constant: {Format: "attr-dict $value `:` type(results)", Name: func(g *ir.Graph, v ir.Value) string {
		return g.Ctx.AttrInfo(g.Attr(v, "value")).Str
	}},
}

// ends is the return of a function that control never leaves.
func ends(c *ir.Context, op *text.Op) (*ir.OpDef, []ir.Type) {
	t := op.Prop("function_type")
	if t == 0 || c.AttrInfo(t).Kind != ir.AttrType || c.Info(c.AttrInfo(t).Type).Kind != ir.KindFunction {
		return Return, nil
	}
	info := c.Info(c.AttrInfo(t).Type)
	return Return, info.Types[info.NumIn:]
}

// ParseFunction reads `private @name(%a: t) -> t attributes {...} { ... }`, for ops
// with the attributes of func.func.
func ParseFunction(p *text.Parser, op *text.Op) {
	c := p.Ctx()
	visibility := p.OptionalKeywordOf("public", "private", "nested")
	if w := visibility; w != "" {
		op.SetProp("sym_visibility", c.StringAttr(w))
	}
	op.SetProp("sym_name", c.StringAttr(p.Symbol()))
	at := p.At()
	sig := p.Signature()
	if sig.Variadic {
		p.Errorf(at, "a function takes a fixed number of arguments")
	}
	in := make([]ir.Type, len(sig.Params))
	argAttrs := make([]ir.Attr, len(sig.Params))
	named := true
	for i, a := range sig.Params {
		in[i], argAttrs[i] = a.Type, a.Attr
		named = named && a.Name != ""
	}
	op.SetProp("function_type", c.TypeAttr(c.Func(in, sig.Results)))
	op.SetProp("arg_attrs", dicts(c, argAttrs))
	op.SetProp("res_attrs", dicts(c, sig.ResAttrs))
	dict := p.At()
	p.AttrDictWithKeyword(op)
	if visibility == "" && op.Prop("sym_visibility") != 0 {
		p.Errorf(dict, "'sym_visibility' is written before the name: private @f")
	}
	op.SetTypes()
	if !p.Peek("{") {
		p.NoRegion(op)
		return
	}
	switch {
	case named:
		p.Region(op, sig.Params, nil)
	case p.PeekLabel():
		p.Region(op, nil, nil) // Infer compares the label's arguments with the type
	default:
		p.Errorf(at, "the arguments of a function with a body have names: (%%a: i32)")
	}
}

// dicts makes an array of dictionaries, or 0 if all of them are empty.
func dicts(c *ir.Context, attrs []ir.Attr) ir.Attr {
	some := false
	out := make([]ir.Attr, len(attrs))
	for i, a := range attrs {
		if a == 0 {
			a = c.Attr(ir.AttrInfo{Kind: ir.AttrDict})
		}
		out[i] = a
		some = some || len(c.AttrInfo(a).Dict) > 0
	}
	if !some {
		return 0
	}
	return c.ArrayAttr(out...)
}

// PrintFunction writes what ParseFunction reads.
func PrintFunction(p *text.Printer, v ir.Value) {
	c := p.Ctx()
	p.Str(" ")
	if a := p.Prop(v, "sym_visibility"); a != 0 {
		p.Str(c.AttrInfo(a).Str, " ")
	}
	p.Symbol(NameOf(p.Graph(), v))
	t := TypeOf(c, p.Graph().AttrsOf(v))
	p.Signature(v, t.Types[:t.NumIn], t.Types[t.NumIn:], p.Prop(v, "arg_attrs"), p.Prop(v, "res_attrs"))
	p.AttrDictWithKeyword(v, Func.Attrs...)
	if p.HasBody(v, 0) {
		p.Region(v, 0, text.RegionStyle{})
	}
}
