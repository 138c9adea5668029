package loop

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

var folds = slices.Concat(splitting, normalForms, []ir.Fold{
	{Of: Seq, Rule: "a sequence of nothing is none, of one itself, of sequences their parts", Do: foldSeq},
	{Of: Yield, Rule: "yield (emit x) = yield x", Do: foldYield},
	{Of: Field, Rule: "a field of a struct is the value that it was made of", Do: made(Struct, foldField)},
	{Of: Struct, Rule: "the struct of all fields of x is x", Do: foldStruct},
	{Of: Column, Rule: "a column of zip (x, y) is x or y", Do: made(Zip, foldColumn)},
	{Of: Zip, Rule: "the zip of all columns of x is x", Do: foldZip},
	{Of: At, Rule: "an element of an array of structs is the struct of the elements of its columns", Do: foldAtRecord},
	{Of: At, Rule: "slice(x, from, to)[i] = x[from + i]", Do: foldAtSlice},
	{Of: Len, Rule: "what is made of n elements has length n", Do: foldLen},
	{Of: Unpack, Rule: "the parts of what is made of parts", Do: made(Pack, foldUnpack)},
})

// foldSeq leaves out what emits nothing and takes sequences in sequences apart.
func foldSeq(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	var parts []ir.Value
	for _, p := range c.Args {
		switch g.Def(p) {
		case None:
		case Seq:
			parts = append(parts, g.Args(p)...)
		default:
			parts = append(parts, p)
		}
	}
	switch {
	case len(parts) == 0:
		return b.Must(ir.Call{Def: None, Type: c.Type, Loc: c.Loc})
	case len(parts) == 1:
		return parts[0]
	case slices.Equal(parts, c.Args):
		return 0
	}
	return b.Must(ir.Call{Def: Seq, Args: parts, Type: c.Type, Loc: c.Loc})
}

// foldYield: one tuple is written as its values, so that there is one way to say it.
func foldYield(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	var vs []ir.Value
	for _, v := range c.Args {
		if g.Def(v) == Emit {
			vs = append(vs, g.Args(v)...)
		} else {
			vs = append(vs, v)
		}
	}
	if slices.Equal(vs, c.Args) {
		return 0
	}
	return b.Must(ir.Call{Def: Yield, Args: vs, Loc: c.Loc})
}

// made is a fold of what an op has made of some operands.
func made(by *ir.OpDef, f func(b *ir.Builder, c *ir.Call, of []ir.Value) ir.Value) func(b *ir.Builder, c *ir.Call) ir.Value {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		if g := b.Graph(); g.Def(c.Args[0]) == by {
			return f(b, c, g.Args(c.Args[0]))
		}
		return 0
	}
}

func foldField(_ *ir.Builder, c *ir.Call, of []ir.Value) ir.Value {
	fields, _ := Fields(c.Ctx(), c.ArgType(0))
	return of[fieldPlace(c, fields)]
}

// wholeOf returns x if the operands are all parts of it, in order: its fields by Field, or its
// columns by Column.
func wholeOf(c *ir.Call, part *ir.OpDef, fields []ir.Field) ir.Value {
	g := c.Graph()
	var x ir.Value
	for i, a := range c.Args {
		if g.Def(a) != part || i > 0 && g.Args(a)[0] != x {
			return 0
		}
		if x = g.Args(a)[0]; g.Type(x) != c.Type || c.Ctx().AttrInfo(g.Attr(a, "name")).Str != fields[i].Name {
			return 0
		}
	}
	return x
}

func foldStruct(_ *ir.Builder, c *ir.Call) ir.Value {
	fields, _ := Fields(c.Ctx(), c.Type)
	return wholeOf(c, Field, fields)
}

func foldZip(_ *ir.Builder, c *ir.Call) ir.Value {
	fields, _ := columnsOf(c.Ctx(), c.Type)
	return wholeOf(c, Column, fields)
}

func foldColumn(_ *ir.Builder, c *ir.Call, of []ir.Value) ir.Value {
	fields, _ := columnsOf(c.Ctx(), c.ArgType(0))
	return of[fieldPlace(c, fields)]
}

func foldAtRecord(b *ir.Builder, c *ir.Call) ir.Value {
	fields, ok := columnsOf(c.Ctx(), c.ArgType(0))
	if !ok {
		return 0
	}
	vs := make([]ir.Value, len(fields))
	for i, f := range fields {
		vs[i] = Element(b, ColumnOf(b, c.Args[0], f.Name), c.Args[1])
	}
	return compose(b, c.Type, vs...)
}

func foldUnpack(b *ir.Builder, _ *ir.Call, of []ir.Value) ir.Value {
	return b.Pack(of...)
}
