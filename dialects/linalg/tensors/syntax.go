package tensors

import (
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

const part = " custom<DynamicIndexList>($offsets, $static_offsets) custom<DynamicIndexList>($sizes, $static_sizes) custom<DynamicIndexList>($strides, $static_strides)"

var indexLists = map[string]text.Custom{"DynamicIndexList": memref.IndexList}

var syntax = text.Syntax{
	Empty:        {Format: "`(` $dynamicSizes `)` attr-dict `:` type($result)"},
	FromElements: {Parse: parseFromElements, Print: printFromElements, Name: named("from_elements")},
	Splat:        {Format: "$input (`[` $dynamicSizes^ `]`)? attr-dict `:` type($result)", Name: named("splat")},
	Generate:     {Format: "$dynamicExtents $body attr-dict `:` type($result)", Regions: []string{"body"}, Name: named("generated")},
	Yield:        {Format: "$value attr-dict `:` type($value)"},
	Extract:      {Format: "$tensor `[` $indices `]` attr-dict `:` type($tensor)", Name: named("extracted")},
	Insert:       {Format: "$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)", Name: named("inserted")},
	ExtractSlice: {Format: "$source ``" + part + " attr-dict `:` type($source) `to` type($result)", Custom: indexLists, Name: named("extracted_slice")},
	InsertSlice:  {Format: "$source `into` $dest ``" + part + " attr-dict `:` type($source) `into` type($dest)", Custom: indexLists, Name: named("inserted_slice")},
	Pad: {Format: "$source (`nofold` $nofold^)? `low` `` custom<DynamicIndexList>($low, $static_low) `high` `` custom<DynamicIndexList>($high, $static_high) $region attr-dict `:` type($source) `to` type($result)",
		Custom: indexLists, Regions: []string{"region"}, Attrs: map[string]text.AttrForm{"nofold": text.UnitFlag()}, Name: named("padded")},
	Concat:        {Format: "`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)", Attrs: map[string]text.AttrForm{"dim": text.Number(ir.I64)}, Name: named("concat")},
	Cast:          {Format: "$source attr-dict `:` type($source) `to` type($result)", Name: named("cast")},
	Dim:           {Format: "attr-dict $source `,` $index `:` type($source)", Name: named("dim")},
	Rank:          {Format: "$tensor attr-dict `:` type($tensor)", Name: named("rank")},
	ExpandShape:   {Format: "$src $reassociation `output_shape` custom<DynamicIndexList>($output_shape, $static_output_shape) attr-dict `:` type($src) `into` type($result)", Custom: indexLists, Name: named("expanded")},
	CollapseShape: {Format: "$src $reassociation attr-dict `:` type($src) `into` type($result)", Name: named("collapsed")},
	Reshape:       {Format: "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)", Name: named("reshape")},
}

func named(s string) func(*ir.Graph, ir.Value) string {
	return func(*ir.Graph, ir.Value) string { return s }
}

// parseFromElements reads `%a, %b : tensor<2xf32>`: the type of the operands is that of its elements.
func parseFromElements(p *text.Parser, op *text.Op) {
	op.Args = p.Operands()
	p.AttrDict(op)
	t := p.ColonType()
	if info := p.Ctx().Info(t); info.Kind == ir.KindTensor {
		for _, v := range op.Args {
			p.CheckType(v, info.Elem)
		}
	}
	op.SetTypes(t)
}

func printFromElements(p *text.Printer, v ir.Value) {
	if args := p.Graph().Args(v); len(args) > 0 {
		p.Str(" ")
		p.Values(args)
	}
	p.AttrDict(v)
	p.Str(" : ")
	p.Type(p.Graph().Type(v))
}
