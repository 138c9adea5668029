package memref

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text"
)

const (
	allocFormat = "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)"
	castFormat  = "$source attr-dict `:` type($source) `to` type($dest)"
)

var (
	memrefResult = []string{"memref"}
	destResult   = []string{"dest"}
	indexList    = map[string]text.Custom{"DynamicIndexList": IndexList}
)

var syntax = text.Syntax{
	Alloc:             {Format: allocFormat, Results: memrefResult, Name: named("alloc")},
	Alloca:            {Format: allocFormat, Results: memrefResult, Name: named("alloca")},
	Realloc:           {Format: "$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type(results)"},
	Dealloc:           {Format: "$memref attr-dict `:` type($memref)"},
	AllocaScope:       {Parse: parseAllocaScope, Print: printAllocaScope},
	AllocaScopeReturn: {Format: "attr-dict ($results^ `:` type($results))?"},
	Global:            {Parse: parseGlobal, Print: printGlobal},
	GetGlobal:         {Format: "$name `:` type($result) attr-dict"},
	Load:              {Format: "$memref `[` $indices `]` attr-dict `:` type($memref)"},
	Store:             {Format: "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)"},
	Copy:              {Format: "$source `,` $target attr-dict `:` type($source) `to` type($target)"},
	AtomicRMW: {Format: "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)` `->` type($result)",
		Attrs: map[string]text.AttrForm{"kind": kindForm()}},
	GenericAtomicRMW: {Parse: parseGenericAtomic, Print: printGenericAtomic},
	AtomicYield:      {Format: "$result attr-dict `:` type($result)"},
	Prefetch:         {Parse: parsePrefetch, Print: printPrefetch},
	AssumeAlignment: {Format: "$memref `,` $alignment attr-dict `:` type($memref)",
		Attrs: map[string]text.AttrForm{"alignment": {Parse: parseI32, Print: printNumber}}},
	DmaStart:        {Parse: parseDmaStart, Print: printDmaStart},
	DmaWait:         {Format: "$tagMemRef `[` $tagIndices `]` `,` $numElements attr-dict `:` type($tagMemRef)"},
	Cast:            {Format: castFormat, Results: destResult, Name: named("cast")},
	MemorySpaceCast: {Format: castFormat, Results: destResult, Name: named("memspacecast")},
	ReinterpretCast: {Format: "$source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets)" +
		" `` `,` `sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes)" +
		" `` `,` `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides)" +
		" attr-dict `:` type($source) `to` type($result)", Custom: indexList, Name: named("reinterpret_cast")},
	Subview: {Format: "$source `` custom<DynamicIndexList>($offsets, $static_offsets)" +
		" custom<DynamicIndexList>($sizes, $static_sizes) custom<DynamicIndexList>($strides, $static_strides)" +
		" attr-dict `:` type($source) `to` type($result)", Custom: indexList, Name: named("subview")},
	View: {Format: "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type(results)", Name: named("view")},
	ExpandShape: {Format: "$src $reassociation `output_shape` custom<DynamicIndexList>($output_shape, $static_output_shape)" +
		" attr-dict `:` type($src) `into` type($result)", Custom: indexList, Name: named("expand_shape")},
	CollapseShape:          {Format: "$src $reassociation attr-dict `:` type($src) `into` type($result)", Name: named("collapse_shape")},
	Reshape:                {Format: "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)", Name: named("reshape")},
	Transpose:              {Parse: parseTranspose, Print: printTranspose, Name: named("transpose")},
	Dim:                    {Format: "attr-dict $source `,` $index `:` type($source)", Name: named("dim")},
	Rank:                   {Format: "$memref attr-dict `:` type($memref)"},
	ExtractAlignedPointer:  {Format: "$source `:` type($source) `->` type(results) attr-dict", Name: named("intptr")},
	ExtractStridedMetadata: {Format: "$source `:` type($source) `->` type(results) attr-dict"},
}

func named(s string) func(*ir.Graph, ir.Value) string {
	return func(*ir.Graph, ir.Value) string { return s }
}

// argName strips the "$" of a parameter of a custom directive.
func argName(s string) string { return s[1:] }

// IndexList reads and prints a list of operands and numbers, `[%a, 4]`.
var IndexList = text.Custom{Parse: parseIndexList, Print: printIndexList}

// parseIndexList reads `[%a, 4, ...]`: operands and numbers.
func parseIndexList(p *text.Parser, op *text.Op, args []string) {
	var static []int64
	var dynamic []ir.Value
	p.List("[", "]", func() {
		if v, ok := p.OptionalOperand(); ok {
			p.CheckType(v, ir.Index)
			dynamic, static = append(dynamic, v), append(static, ir.Dynamic)
			return
		}
		static = append(static, p.Integer())
	})
	op.SetArgs(argName(args[0]), dynamic...)
	op.SetProp(argName(args[1]), p.Ctx().DenseArray(ir.I64, static...))
}

func printIndexList(p *text.Printer, v ir.Value, args []string) {
	dynamic := p.Group(v, argName(args[0]))
	p.Str("[")
	for i, n := range p.Ctx().Ints(p.Prop(v, argName(args[1]))) {
		if i > 0 {
			p.Str(", ")
		}
		if n != ir.Dynamic {
			p.Int(n)
			continue
		}
		p.Value(dynamic[0])
		dynamic = dynamic[1:]
	}
	p.Str("]")
}

func parseI32(p *text.Parser) ir.Attr        { return p.Ctx().IntAttr(p.Integer(), ir.I32) }
func printNumber(p *text.Printer, a ir.Attr) { p.Int(p.Ctx().AttrInfo(a).Int) }

// parseGlobal reads `"private" constant @name : type = value {...}`, of which
// all but name and type may be missing.
func parseGlobal(p *text.Parser, op *text.Op) {
	c := p.Ctx()
	constant := p.Optional("constant")
	name, ok := p.OptionalSymbol()
	if !ok && !constant {
		op.SetProp("sym_visibility", c.StringAttr(p.String()))
		constant = p.Optional("constant")
	}
	if constant {
		op.SetProp("constant", c.UnitAttr())
	}
	if !ok {
		name = p.Symbol()
	}
	op.SetProp("sym_name", c.StringAttr(name))
	t := p.ColonType()
	op.SetProp("type", c.TypeAttr(t))
	if p.Optional("=") {
		op.SetProp("initial_value", globalValue(p, c.Info(t)))
	}
	p.AttrDict(op)
	op.SetTypes()
}

// globalValue reads `uninitialized` or `dense<...>`, whose type follows from
// that of the global.
func globalValue(p *text.Parser, info *ir.TypeInfo) ir.Attr {
	if p.Optional("uninitialized") {
		return p.Ctx().UnitAttr()
	}
	return p.AttrOf(p.Ctx().Type(ir.TypeInfo{Kind: ir.KindTensor, Shape: info.Shape, Elem: info.Elem}))
}

func printGlobal(p *text.Printer, v ir.Value) {
	c := p.Ctx()
	p.Str(" ")
	if a := p.Prop(v, "sym_visibility"); a != 0 {
		p.Quoted(c.AttrInfo(a).Str)
		p.Str(" ")
	}
	if p.Prop(v, "constant") != 0 {
		p.Str("constant ")
	}
	p.Symbol(c.AttrInfo(p.Prop(v, "sym_name")).Str)
	p.Str(" : ")
	p.Type(c.AttrInfo(p.Prop(v, "type")).Type)
	switch init := p.Prop(v, "initial_value"); {
	case init == 0:
	case c.AttrInfo(init).Kind == ir.AttrUnit:
		p.Str(" = uninitialized")
	default:
		p.Str(" = ")
		p.AttrNoType(init)
	}
	p.AttrDict(v, "constant", "initial_value", "sym_name", "sym_visibility", "type")
}

// kindForm is how the kind of an atomic operation is written.
func kindForm() text.AttrForm {
	names := lists.Map(atomicKinds, func(k atomicKind) string { return k.name })
	return text.Enum(names...)
}

func parseAllocaScope(p *text.Parser, op *text.Op) {
	var ts []ir.Type
	if p.Peek("->") {
		ts = p.ArrowTypes()
	}
	op.SetTypes(ts...)
	var end *ir.OpDef
	if len(ts) == 0 {
		end = AllocaScopeReturn
	}
	p.Region(op, nil, end)
	p.AttrDict(op)
}

func printAllocaScope(p *text.Printer, v ir.Value) {
	ts := p.Ctx().Results(p.Graph().Type(v))
	style := text.RegionStyle{Implicit: AllocaScopeReturn}
	if len(ts) > 0 {
		style.Implicit = nil
		p.Str(" -> (")
		p.Types(ts)
		p.Str(")")
	}
	p.Region(v, 0, style)
	p.AttrDict(v)
}
