package loop

import "github.com/irc-lang/irc/ir"

// The ops of the dialect.
var (
	For = ir.Define(&ir.OpDef{Name: "loop.for", Doc: "Runs its first region for 0 <= i < size and gives what that emits to its generators. The other regions combine tuples for generators without a named way, whose identities follow the size, which is not negative.",
		Args: []string{"size", "identities..."}, Attrs: []string{"generators"}, Traits: ir.Partial, Body: ir.Loop, Infer: inferFor, Traps: sizeTraps, Enter: enterFor, Harmless: func(_ *ir.Call, i int) bool { return i > 0 }})
	Yield = ir.Define(&ir.OpDef{Name: "loop.yield", Doc: "Ends a region of a loop: for each generator what it emits, or the values of one tuple.",
		Args: []string{"values..."}, Traits: ir.Terminator, Infer: noRegions(inferYield)})

	Emit = ir.Define(&ir.OpDef{Name: "loop.emit", Doc: "One tuple for a generator.",
		Args: []string{"values..."}, Infer: noRegions(inferEmit), Eval: evalEmit})
	None = ir.Define(&ir.OpDef{Name: "loop.none", Doc: "No tuple for a generator.",
		Infer: takes(0, inferNone), Eval: evalSeq})
	Seq = ir.Define(&ir.OpDef{Name: "loop.seq", Doc: "The tuples of each operand, in turn.",
		Args: []string{"parts..."}, Infer: noRegions(inferSeq), Eval: evalSeq})

	At = ir.Define(&ir.OpDef{Name: "loop.at", Doc: "An element of an array, or a byte of a string.",
		Args: []string{"array", "index"}, Traits: ir.Partial, Infer: takes(2, inferAt), Eval: evalAt, Traps: atTraps, Poisons: ir.Always})
	Len = ir.Define(&ir.OpDef{Name: "loop.len", Doc: "The number of elements of an array, of bytes of a string, or of groups.",
		Args: []string{"array"}, Infer: takes(1, inferLen), Eval: evalLen})
	Slice = ir.Define(&ir.OpDef{Name: "loop.slice", Doc: "The elements from <= i < to of an array or string, a view of it.",
		Args: []string{"array", "from", "to"}, Traits: ir.Partial, Infer: takes(3, inferSlice), Eval: evalSlice})
	Sort = ir.Define(&ir.OpDef{Name: "loop.sort", Doc: "The places of the rows in the order of their keys, equal ones as they stand. NaN comes last, and without a value first.",
		Args: []string{"keys..."}, Attrs: []string{"descending"}, Traits: ir.Partial, Infer: noRegions(inferSort), Eval: evalSort})

	Struct = ir.Define(&ir.OpDef{Name: "loop.struct", Doc: "A struct of its fields, or a nullable value of a value and whether there is one.",
		Args: []string{"fields..."}, Infer: noRegions(inferStruct), Eval: evalStruct})
	Field = ir.Define(&ir.OpDef{Name: "loop.field", Doc: "A field of a struct; value or valid of a nullable value.",
		Args: []string{"record"}, Attrs: []string{"name"}, Infer: takes(1, inferField), Eval: evalField, Poisons: ir.Always})
	Zip = ir.Define(&ir.OpDef{Name: "loop.zip", Doc: "The array of structs with the given columns, which are equally long.",
		Args: []string{"columns..."}, Traits: ir.Partial, Infer: noRegions(inferZip), Eval: evalZip, Traps: zipTraps})
	Column = ir.Define(&ir.OpDef{Name: "loop.column", Doc: "The array of one field of an array of structs.",
		Args: []string{"array"}, Attrs: []string{"name"}, Infer: takes(1, inferColumn), Eval: evalColumn})

	Keys = ir.Define(&ir.OpDef{Name: "loop.keys", Doc: "A key of each group.",
		Args: []string{"buckets"}, Attrs: []string{"index"}, Infer: takes(1, inferKeys), Eval: evalKeys})
	Rekey = ir.Define(&ir.OpDef{Name: "loop.rekey", Doc: "Groups, or an array of such, whose keys are fields, as groups whose keys are structs of them.",
		Args: []string{"buckets"}, Infer: takes(1, inferRekey), Eval: evalRekey})
	Find = ir.Define(&ir.OpDef{Name: "loop.find", Doc: "The place of the group with the given keys, or -1.",
		Args: []string{"buckets", "keys..."}, Infer: noRegions(inferFind), Eval: evalFind})

	Pack = ir.Define(&ir.OpDef{Name: "loop.pack", Doc: "The value whose parts are given: of an array of numbers the memory that holds them. The memory does not change as long as there is such a value.",
		Args: []string{"parts..."}, Infer: noRegions(inferPack), Eval: evalPack})
	Unpack = ir.Define(&ir.OpDef{Name: "loop.unpack", Doc: "The parts of a value.",
		Args: []string{"value"}, Infer: takes(1, inferUnpack), Eval: evalUnpack, Poisons: takesApart})

	Constant = ir.Define(&ir.OpDef{Name: "loop.constant", Doc: "A string.",
		Attrs: []string{"value"}, Traits: ir.ConstantLike, Infer: noRegions(inferConstant)})
	Compare = ir.Define(&ir.OpDef{Name: "loop.compare", Doc: "Compares two strings, byte by byte.",
		Args: []string{"lhs", "rhs"}, Attrs: []string{"predicate"}, Infer: takes(2, inferCompare), Eval: evalCompare})
)

// text is a string that is known.
type text struct{ Bytes string }

var stringAttr = ir.DefineAttr(&ir.AttrDef[text]{Name: "loop.text", Doc: "A string that is known.",
	Params:    []ir.Param[text]{ir.StringParam("bytes", func(t *text) *string { return &t.Bytes })},
	ValueType: func(c *ir.Context, _ text) ir.Type { return String(c) },
	Value:     func(_ *ir.Context, t text) ir.Val { return Str(t.Bytes) },
	FromValue: func(c *ir.Context, t ir.Type, v ir.Val) (text, bool) {
		s, ok := v.Ref.(str)
		return text{string(s)}, ok && IsString(c, t)
	}})
