package vector

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

const castFormat = "$source attr-dict `:` type($source) `to` type($result)"

var (
	kindForm  = text.DialectEnum("vector.kind", "", "", kindNames()...)
	positions = map[string]text.Custom{"DynamicIndexList": memref.IndexList}
)

func kinded(format string) text.Form {
	return text.Form{Format: format, Attrs: map[string]text.AttrForm{"kind": kindForm, "fastmath": elementwise.FastMathForm()}}
}

// punctuation is what vector.print prints behind a value, a new line if nothing else is said.
var punctuation = text.DialectEnum("vector.punctuation", "newline", "", "no_punctuation", "newline", "comma", "open", "close")

// defaultAdd: what is combined is added where the text does not say how.
var defaultAdd = map[string]text.AttrForm{"kind": text.AttrForm{}.WithDefault(func(c *ir.Context) ir.Attr { return kindAttr(c, "add") })}

var syntax = text.Syntax{
	Broadcast:    {Format: "$source attr-dict `:` type($source) `to` type($result)"},
	Splat:        {Format: "$input attr-dict `:` type($result)"},
	FromElements: {Format: "$elements attr-dict `:` type($result)"},
	ShapeCast:    {Format: castFormat},
	Shuffle:      {Format: "$v1 `,` $v2 $mask attr-dict `:` type($v1) `,` type($v2)"},
	Transpose:    {Format: "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)", Attrs: map[string]text.AttrForm{"permutation": text.IntList()}},
	Extract: {Format: "$vector `` custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict `:` type($result) `from` type($vector)",
		Custom: positions},
	Insert: {Format: "$source `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict `:` type($source) `into` type($dest)",
		Custom: positions},
	ExtractElement: {Format: "$vector `[` ($position^ `:` type($position))? `]` attr-dict `:` type($vector)"},
	InsertElement:  {Format: "$source `,` $dest `[` ($position^ `:` type($position))? `]` attr-dict `:` type($result)"},
	Bitcast:        {Format: castFormat},
	FMA:            {Format: "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)"},
	Reduction:      kinded("$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($vector) `into` type($result)"),

	ExtractStridedSlice: {Format: "$vector attr-dict `:` type($vector) `to` type($result)"},
	InsertStridedSlice:  {Format: "$source `,` $dest attr-dict `:` type($source) `into` type($dest)"},
	Interleave:          {Format: "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"},
	Deinterleave:        {Format: "$source attr-dict `:` type($source) `->` type($res1)", Results: []string{"res1", "res2"}},
	FlatTranspose:       {Format: "$matrix attr-dict `:` type($matrix) `->` type($result)"},

	MultiReduction: {Format: "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($result)", Attrs: map[string]text.AttrForm{"kind": kindForm}},
	Scan: {Format: "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)",
		Results: []string{"dest", "accumulated_value"}, Attrs: map[string]text.AttrForm{"kind": kindForm}},
	Contract:     {Parse: parseContract, Print: printContract, Attrs: defaultAdd},
	OuterProduct: {Parse: parseOuterProduct, Print: printOuterProduct, Attrs: defaultAdd},

	ConstantMask: {Format: "$mask_dim_sizes attr-dict `:` type($result)"},
	CreateMask:   {Format: "$operands attr-dict `:` type($result)"},
	Step:         {Format: "attr-dict `:` type($result)"},
	Mask:         {Parse: parseMask, Print: printMask},
	Yield:        {Format: "attr-dict ($operands^ `:` type($operands))?"},

	Print: {Format: "($source^ `:` type($source))? (`str` $stringLiteral^)? (`punctuation` $punctuation^)? attr-dict",
		Attrs: map[string]text.AttrForm{"punctuation": punctuation}},
	MatrixMultiply:  {Format: "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($result)"},
	TypeCast:        {Format: "$memref attr-dict `:` type($memref) `to` type($result)"},
	VScale:          {Format: "attr-dict"},
	ScalableInsert:  {Format: "$source `,` $dest `[` $pos `]` attr-dict `:` type($source) `into` type($dest)", Attrs: map[string]text.AttrForm{"pos": text.Number(ir.I64)}},
	ScalableExtract: {Format: "$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)", Attrs: map[string]text.AttrForm{"pos": text.Number(ir.I64)}},

	MaskedLoad:    {Format: "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)"},
	ExpandLoad:    {Format: "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)"},
	MaskedStore:   {Format: "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` type($mask) `,` type($valueToStore)"},
	CompressStore: {Format: "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` type($mask) `,` type($valueToStore)"},
	Gather:        {Format: "$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($index_vec) `,` type($mask) `,` type($pass_thru) `into` type($result)"},
	Scatter:       {Format: "$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` type($index_vec) `,` type($mask) `,` type($valueToStore)"},
	TransferRead:  {Parse: parseTransferRead, Print: printTransferRead},
	TransferWrite: {Parse: parseTransferWrite, Print: printTransferWrite},

	Load:  {Format: "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"},
	Store: {Format: "$valueToStore `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($valueToStore)"},
}

var tables = []any{syntax.With(onlySyntax), table, takesPoison, accesses, lowerings, derivatives, noDerivative}
