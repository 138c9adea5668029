package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

var syntax = text.Syntax{
	Einsum:    {Format: "$spec $operands attr-dict `:` type($operands) `->` type($result)", Attrs: map[string]text.AttrForm{"spec": stringForm}},
	Map:       {Parse: parseMap, Print: printMap},
	Yield:     {Format: "$value attr-dict `:` type($value)"},
	Reduce:    {Format: "$kind $operand `along` $dims attr-dict `:` type($operand)", Attrs: map[string]text.AttrForm{"kind": text.Enum(kinds...), "dims": listForm}},
	Transpose: {Format: "$operand $perm attr-dict `:` type($operand)", Attrs: map[string]text.AttrForm{"perm": listForm}},
	Reshape:   {Format: "$operand (`[` $extents^ `]`)? attr-dict `:` type($operand) `->` type($result)"},
	Fill:      {Format: "$value (`[` $extents^ `]`)? attr-dict `:` type($result)"},
	Iota:      {Format: "$dim (`[` $extents^ `]`)? attr-dict `:` type($result)", Attrs: dimForm},
	Dim:       {Format: "$operand `,` $dim attr-dict `:` type($operand)", Attrs: dimForm},
	Extract:   {Format: "$operand `[` $indices `]` attr-dict `:` type($operand)"},
	Argmax:    {Format: alongDimension, Attrs: dimForm},
	Softmax:   {Format: alongDimension, Attrs: dimForm},
	LogSumExp: {Format: alongDimension, Attrs: dimForm},
	LayerNorm: {Format: "$operand `scale` $scale `bias` $bias `epsilon` $epsilon attr-dict `:` type($operand) `,` type($scale) `,` type($bias)", Attrs: map[string]text.AttrForm{"epsilon": floatForm}},
	Slice: {Format: "$operand `[` $starts `]` `by` $steps (`extents` `[` $extents^ `]`)? attr-dict `:` type($operand) `->` type($result)",
		Attrs: map[string]text.AttrForm{"steps": listForm}},
	Pad:    {Format: "$operand `with` $value `low` $low `high` $high attr-dict `:` type($operand)", Attrs: map[string]text.AttrForm{"low": listForm, "high": listForm}},
	Concat: {Format: "$operands `along` $dim attr-dict `:` type($operands)", Attrs: dimForm},
	Conv: {Format: "$image `by` $kernel `low` $low `high` $high `strides` $strides `dilations` $dilations `groups` $groups attr-dict `:` type($image) `,` type($kernel) `->` type($result)",
		Attrs: map[string]text.AttrForm{"low": listForm, "high": listForm, "strides": listForm, "dilations": listForm, "groups": text.Number(ir.I64)}},
	Pool: {Format: "$kind $image `window` $window `low` $low `high` $high `strides` $strides `dilations` $dilations attr-dict `:` type($image) `->` type($result)",
		Attrs: map[string]text.AttrForm{"kind": text.Enum(poolKinds...), "window": listForm, "low": listForm, "high": listForm, "strides": listForm, "dilations": listForm}},
	Extend: {Format: "$mode $operand `low` $low `high` $high attr-dict `:` type($operand)",
		Attrs: map[string]text.AttrForm{"mode": text.Enum(modes...), "low": listForm, "high": listForm}},
	Gather:          {Format: gathers, Attrs: dimForm},
	GatherElements:  {Format: gathers, Attrs: dimForm},
	Scatter:         {Format: scatters, Attrs: scatterForm},
	ScatterElements: {Format: scatters, Attrs: scatterForm},
	Relu:            {Format: "$operand `above` $threshold attr-dict `:` type($operand)", Attrs: map[string]text.AttrForm{"threshold": floatForm}},
	Gelu:            {Format: "$form $operand attr-dict `:` type($operand)", Attrs: map[string]text.AttrForm{"form": text.Enum(geluForms...)}},
	Pack:            {Format: "$memory attr-dict `:` type($memory)"},
	Write:           {Format: "$operand `to` $memory attr-dict `:` type($operand) `,` type($memory)"},
	Unpack:          {Format: "$operand attr-dict `:` type($operand)"},
}

const (
	gathers  = "$operand `by` $indices `along` $dim attr-dict `:` type($operand) `,` type($indices)"
	scatters = "$kind $updates `to` $operand `by` $indices `along` $dim attr-dict `:` type($updates) `,` type($operand) `,` type($indices)"
)

var scatterForm = map[string]text.AttrForm{"kind": text.Enum(scatterKinds...), "dim": text.Number(ir.I64)}

const alongDimension = "$operand `along` $dim attr-dict `:` type($operand)"

// floatForm is a number, an f64.
var floatForm = text.AttrForm{Parse: (*text.Parser).Attr, Print: (*text.Printer).Attr}

var dimForm = map[string]text.AttrForm{"dim": text.Number(ir.I64)}

var stringForm = text.AttrForm{
	Parse: func(p *text.Parser) ir.Attr { return p.Ctx().StringAttr(p.String()) },
	Print: func(p *text.Printer, a ir.Attr) { p.Quoted(p.Ctx().AttrInfo(a).Str) },
}

// listForm is [1, 0].
var listForm = text.AttrForm{
	Parse: func(p *text.Parser) ir.Attr {
		list := []int64{}
		p.List("[", "]", func() { list = append(list, p.Integer()) })
		return p.Ctx().DenseArray(ir.I64, list...)
	},
	Print: func(p *text.Printer, a ir.Attr) {
		p.Str("[")
		for i, n := range p.Ctx().Ints(a) {
			if i > 0 {
				p.Str(", ")
			}
			p.Int(n)
		}
		p.Str("]")
	},
}

// parseMap reads `(%x = %a : tensor<4xf64>, ...) -> type {...}`.
func parseMap(p *text.Parser, op *text.Op) {
	var params []text.Param
	p.List("(", ")", func() {
		x := p.ArgumentName()
		p.Expect("=")
		v := p.Operand()
		p.Expect(":")
		t := p.Type()
		p.CheckType(v, t)
		x.Type = p.Ctx().ElemOrSelf(t)
		op.Args, params = append(op.Args, v), append(params, x)
	})
	p.Expect("->")
	op.SetTypes(p.Type())
	p.Region(op, params, nil)
	p.AttrDict(op)
}

func printMap(p *text.Printer, v ir.Value) {
	g := p.Graph()
	p.Str(" (")
	for i, a := range g.Args(v) {
		if i > 0 {
			p.Str(", ")
		}
		p.ParamName(v, 0, i)
		p.Str(" = ")
		p.Value(a)
		p.Str(" : ")
		p.Type(g.Type(a))
	}
	p.Str(") -> ")
	p.Type(g.Type(v))
	p.Region(v, 0, text.RegionStyle{})
	p.AttrDict(v)
}

// Ints is a list of numbers as an attribute.
func Ints(c *ir.Context, list ...int64) ir.Attr { return c.DenseArray(ir.I64, slices.Clone(list)...) }
