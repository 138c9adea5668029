package loop

import "github.com/irc-lang/irc/ir"

// BuildFor makes a loop and returns its results. body gets the index and returns for each
// generator either a sequence or the values of one tuple. Of generators that combine by a region
// (Regional), identities has the identities and combine makes of two tuples, one after the
// other, their combination.
func BuildFor(b *ir.Builder, size ir.Value, list []Generator, identities []ir.Value, combine []func(xy []ir.Value) []ir.Value, body func(i ir.Value) []ir.Value) []ir.Value {
	args := append([]ir.Value{size}, identities...)
	regions := []ir.Region{b.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
		b.Enter(For, 0, args, 0, p)
		b.Op(Yield, body(p[0])...)
	})}
	for k, g := range Regional(list) {
		params := append(append([]ir.Type(nil), g.Types...), g.Types...)
		regions = append(regions, b.Region(ir.Loop, params, func(p []ir.Value) { b.Op(Yield, combine[k](p)...) }))
	}
	return Assemble(b, args, list, regions)
}

// Assemble makes a loop of its size and the identities, and of its regions, and returns its
// results.
func Assemble(b *ir.Builder, args []ir.Value, list []Generator, regions []ir.Region) []ir.Value {
	attr := b.Ctx().Props([]ir.NamedAttr{{Name: "generators", Value: listAttr(b.Ctx(), list)}}, nil)
	v := b.Must(ir.Call{Def: For, Args: args, Attr: attr, Regions: regions})
	n := 0
	for _, g := range list {
		n += len(g.Results(b.Ctx()))
	}
	return resultsOf(b, v, n)
}

// Element is an element of an array.
func Element(b *ir.Builder, array, i ir.Value) ir.Value { return b.Op(At, array, i) }

// Size is the number of elements of an array, a string or of groups.
func Size(b *ir.Builder, array ir.Value) ir.Value { return b.Op(Len, array) }

// MakeStruct makes a struct, or a nullable value, of type t.
func MakeStruct(b *ir.Builder, t ir.Type, fields ...ir.Value) ir.Value {
	return b.Must(ir.Call{Def: Struct, Args: fields, Type: t})
}

// FieldOf is a field of a record.
func FieldOf(b *ir.Builder, record ir.Value, name string) ir.Value {
	return b.OpAttr(Field, nameProp(b.Ctx(), name), record)
}

// ColumnOf is the array of one field of an array of records.
func ColumnOf(b *ir.Builder, array ir.Value, name string) ir.Value {
	return b.OpAttr(Column, nameProp(b.Ctx(), name), array)
}

// Zipped is the array of records of type t, an array's, with the given columns.
func Zipped(b *ir.Builder, t ir.Type, columns ...ir.Value) ir.Value {
	return b.Must(ir.Call{Def: Zip, Args: columns, Type: t})
}

// KeyOf is a key of each group.
func KeyOf(b *ir.Builder, buckets ir.Value, k int) ir.Value {
	return b.OpAttr(Keys, b.Ctx().Props([]ir.NamedAttr{{Name: "index", Value: b.Ctx().IntAttr(int64(k), ir.I64)}}, nil), buckets)
}

// Predicate is a way to compare strings.
type Predicate int64

// The predicates of loop.compare.
const (
	EQ Predicate = iota
	NE
	LT
	LE
	GT
	GE
)

// CompareStrings compares two strings, byte by byte.
func CompareStrings(b *ir.Builder, p Predicate, x, y ir.Value) ir.Value {
	return b.OpAttr(Compare, b.Ctx().Props([]ir.NamedAttr{{Name: "predicate", Value: b.Ctx().IntAttr(int64(p), ir.I64)}}, nil), x, y)
}

func nameProp(c *ir.Context, name string) ir.Attr {
	return c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(name)}}, nil)
}
