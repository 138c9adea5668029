package loop

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// What holds a record is split as soon as it is made, in the hope that only parts of it are
// needed ("LMS Compiler Internals", "Splitting and Combining Statements", "Representation
// Conversion"). A type is split down to its leaves, which are no records and no arrays, of any
// depth, of records.
var splitting = []ir.Fold{
	{Of: For, Rule: "a collection of structs is a struct of collections", Do: splitFor},
	{Of: scf.If, Rule: "an if that gives a struct gives its fields", Do: splitCarried},
	{Of: scf.IndexSwitch, Rule: "an index_switch that gives a struct gives its fields", Do: splitCarried},
	{Of: scf.For, Rule: "a for that carries a struct carries its fields", Do: splitCarried},
	{Of: scf.While, Rule: "a while that carries or passes a struct does so with its fields", Do: splitCarried},
	{Of: arith.Select, Rule: "a choice of structs is the struct of the choices of their fields", Do: splitSelect},
	{Of: Find, Rule: "groups with structs for keys are found by the fields", Do: made(Rekey, splitFind)},
	{Of: Keys, Rule: "keys that are structs are the zip of those that are fields", Do: made(Rekey, splitKeys)},
	{Of: At, Rule: "rekey(x)[i] = rekey(x[i])", Do: made(Rekey, foldAtRekey)},
	{Of: Sort, Rule: "the order of structs is that of their fields in turn", Do: splitSort},
	{Of: Slice, Rule: "a slice of an array of structs is the zip of slices of its columns", Do: splitSlice},
}

// components lists what a value of type t is split into: the fields of a record, the columns of
// an array of records, or of arrays of such.
func components(c *ir.Context, t ir.Type) (fields []ir.Field, ok bool) {
	a, isArray := c.Info(t).Value.(array)
	if !isArray {
		return Fields(c, t)
	}
	inner, ok := components(c, a.Elem)
	for _, f := range inner {
		fields = append(fields, ir.Field{Name: f.Name, Type: Array(c, f.Type)})
	}
	return fields, ok
}

// component is a field of a record, or a column of an array.
func component(b *ir.Builder, v ir.Value, name string) ir.Value {
	if is[array](b.Ctx(), b.Graph().Type(v)) {
		return ColumnOf(b, v, name)
	}
	return FieldOf(b, v, name)
}

// compose makes a record of its fields, or an array of its columns.
func compose(b *ir.Builder, t ir.Type, parts ...ir.Value) ir.Value {
	if is[array](b.Ctx(), t) {
		return Zipped(b, t, parts...)
	}
	return MakeStruct(b, t, parts...)
}

// Leaves lists the types of the leaves of values.
func Leaves(c *ir.Context, ts ...ir.Type) (out []ir.Type) {
	for _, t := range ts {
		fields, ok := components(c, t)
		if !ok {
			out = append(out, t)
			continue
		}
		for _, f := range fields {
			out = append(out, Leaves(c, f.Type)...)
		}
	}
	return out
}

// holdsRecord reports types of which one is not its only leaf.
func holdsRecord(c *ir.Context, ts ...ir.Type) bool {
	return slices.ContainsFunc(ts, func(t ir.Type) bool { _, ok := components(c, t); return ok })
}

// apart lists the leaves of values.
func apart(b *ir.Builder, vs ...ir.Value) (out []ir.Value) {
	for _, v := range vs {
		fields, ok := components(b.Ctx(), b.Graph().Type(v))
		if !ok {
			out = append(out, v)
			continue
		}
		for _, f := range fields {
			out = append(out, apart(b, component(b, v, f.Name))...)
		}
	}
	return out
}

// together makes values of the given types of their leaves. Groups by leaves become
// groups by what these are leaves of.
func together(b *ir.Builder, ts []ir.Type, parts []ir.Value) []ir.Value {
	out := make([]ir.Value, len(ts))
	for i, t := range ts {
		out[i], parts = whole(b, t, parts)
	}
	return out
}

func whole(b *ir.Builder, t ir.Type, parts []ir.Value) (v ir.Value, rest []ir.Value) {
	fields, ok := components(b.Ctx(), t)
	if !ok {
		if b.Graph().Type(parts[0]) != t {
			return b.Must(ir.Call{Def: Rekey, Args: parts[:1], Type: t}), parts[1:]
		}
		return parts[0], parts[1:]
	}
	own := make([]ir.Value, len(fields))
	for i, f := range fields {
		own[i], parts = whole(b, f.Type, parts)
	}
	return compose(b, t, own...), parts
}

// canonicalKey is a key of which equal ones have equal leaves: the value of a nullable that has
// none is zero.
func canonicalKey(b *ir.Builder, v ir.Value) ir.Value {
	g := b.Graph()
	t := g.Type(v)
	fields, ok := Fields(b.Ctx(), t)
	if !ok {
		return v
	}
	parts := lists.Map(fields, func(f ir.Field) ir.Value { return canonicalKey(b, FieldOf(b, v, f.Name)) })
	if IsNullable(b.Ctx(), t) {
		values := apart(b, parts[0])
		for i, x := range values {
			values[i] = arith.Choose(b, parts[1], x, zero(b, g.Type(x)))
		}
		parts[0] = together(b, []ir.Type{fields[0].Type}, values)[0]
	}
	return MakeStruct(b, t, parts...)
}

// keysApart lists the leaves of keys.
func keysApart(b *ir.Builder, vs ...ir.Value) []ir.Value {
	return lists.Join(vs, func(v ir.Value) []ir.Value { return apart(b, canonicalKey(b, v)) })
}

// zero is 0, or the string of no bytes.
func zero(b *ir.Builder, t ir.Type) ir.Value { return b.Const(t, zeroVal(b.Ctx(), t)) }

// splitCarried makes an op that hands values on hand on their leaves.
func splitCarried(b *ir.Builder, c *ir.Call) ir.Value {
	g, results := b.Graph(), c.Ctx().Results(c.Type)
	if !holdsRecord(c.Ctx(), results...) && !holdsRecord(c.Ctx(), typesOf(g, c.Args)...) {
		return 0
	}
	args := apart(b, c.Args...)
	regions := make([]ir.Region, len(c.Regions))
	for i, r := range c.Regions {
		old := typesOf(g, g.Params(r))
		body := func(params []ir.Value) {
			b.Enter(c.Def, c.Attr, args, i, params)
			term := g.Term(r)
			ys := b.Splice(r, together(b, old, params))
			b.Must(ir.Call{Def: g.Def(term), Attr: g.AttrsOf(term), Args: apart(b, ys...)})
		}
		if types := Leaves(c.Ctx(), old...); len(c.Regions) == 1 {
			regions[i] = b.RegionLike(r, types, body)
		} else {
			regions[i] = b.Region(g.KindOf(r), types, body)
		}
	}
	v := b.Must(ir.Call{Def: c.Def, Args: args, Attr: c.Attr, Regions: regions, Loc: c.Loc})
	return b.Pack(together(b, results, b.Results(v))...)
}

func splitSelect(b *ir.Builder, c *ir.Call) ir.Value {
	if !holdsRecord(c.Ctx(), c.Type) {
		return 0
	}
	xs, ys := apart(b, c.Args[1]), apart(b, c.Args[2])
	for i := range xs {
		xs[i] = arith.Choose(b, c.Args[0], xs[i], ys[i])
	}
	return together(b, []ir.Type{c.Type}, xs)[0]
}

// splitFind looks for the leaves of the keys in the groups that have them for keys.
func splitFind(b *ir.Builder, c *ir.Call, of []ir.Value) ir.Value {
	return b.Op(Find, append([]ir.Value{of[0]}, keysApart(b, c.Args[1:]...)...)...)
}

func splitKeys(b *ir.Builder, c *ir.Call, of []ir.Value) ir.Value {
	keys, _ := KeysOf(c.Ctx(), c.ArgType(0))
	k, err := place(c, len(keys))
	if err != nil {
		return 0
	}
	first := len(Leaves(c.Ctx(), keys[:k]...))
	parts := make([]ir.Value, len(Leaves(c.Ctx(), keys[k])))
	for i := range parts {
		parts[i] = KeyOf(b, of[0], first+i)
	}
	return together(b, []ir.Type{c.Type}, parts)[0]
}

func foldAtRekey(b *ir.Builder, c *ir.Call, of []ir.Value) ir.Value {
	return b.Must(ir.Call{Def: Rekey, Args: []ir.Value{Element(b, of[0], c.Args[1])}, Type: c.Type, Loc: c.Loc})
}

func splitSort(b *ir.Builder, c *ir.Call) ir.Value {
	if !holdsRecord(c.Ctx(), typesOf(b.Graph(), c.Args)...) {
		return 0
	}
	var keys []ir.Value
	var down []int64
	for i, d := range Descending(c.Ctx(), c.Attr, len(c.Args)) {
		columns := sortColumns(b, c.Args[i])
		keys = append(keys, columns...)
		for range columns {
			down = append(down, 0)
			if d {
				down[len(down)-1] = 1
			}
		}
	}
	attr := c.Ctx().With(c.Attr, "descending", c.Ctx().DenseArray(ir.I64, down...))
	return b.Must(ir.Call{Def: Sort, Args: keys, Attr: attr, Loc: c.Loc})
}

// sortColumns lists columns by which rows are in the order of an array.
func sortColumns(b *ir.Builder, x ir.Value) []ir.Value {
	var list []Generator
	elem, _ := ElemOf(b.Ctx(), b.Graph().Type(x))
	for _, t := range sortTypes(b.Ctx(), elem) {
		list = append(list, Generator{Kind: CollectKind, Types: []ir.Type{t}})
	}
	return BuildFor(b, Size(b, x), list, nil, nil, func(i ir.Value) []ir.Value {
		return sortKeys(b, canonicalKey(b, Element(b, x, i)))
	})
}

// sortTypes lists the types of sortKeys.
func sortTypes(c *ir.Context, t ir.Type) (out []ir.Type) {
	fields, ok := Fields(c, t)
	if !ok {
		return []ir.Type{t}
	}
	if IsNullable(c, t) {
		slices.Reverse(fields)
	}
	for _, f := range fields {
		out = append(out, sortTypes(c, f.Type)...)
	}
	return out
}

// sortKeys lists what two canonical keys are compared by, in turn: of a nullable first whether
// there is a value, as none comes before any.
func sortKeys(b *ir.Builder, v ir.Value) (out []ir.Value) {
	t := b.Graph().Type(v)
	fields, ok := Fields(b.Ctx(), t)
	if !ok {
		return []ir.Value{v}
	}
	if IsNullable(b.Ctx(), t) {
		slices.Reverse(fields)
	}
	for _, f := range fields {
		out = append(out, sortKeys(b, FieldOf(b, v, f.Name))...)
	}
	return out
}

func splitSlice(b *ir.Builder, c *ir.Call) ir.Value {
	if !holdsRecord(c.Ctx(), c.Type) {
		return 0
	}
	parts := apart(b, c.Args[0])
	for i, p := range parts {
		parts[i] = b.Op(Slice, p, c.Args[1], c.Args[2])
	}
	return together(b, []ir.Type{c.Type}, parts)[0]
}

// splitFor gives generators the leaves of what they take, and makes of what they give what was
// to be given. Combining regions get leaves and give leaves.
func splitFor(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	list, _ := generatorsIn(c.Ctx(), c.Get("generators"))
	if !splits(g, c.Regions[0], list) {
		return 0
	}
	flat := lists.Map(list, func(x Generator) Generator { return x.split(c.Ctx()) })
	var combine []func(xy []ir.Value) []ir.Value
	for k, x := range Regional(list) {
		combine = append(combine, func(xy []ir.Value) []ir.Value {
			return apart(b, b.Splice(c.Regions[1+k], together(b, slices.Concat(x.Types, x.Types), xy))...)
		})
	}
	results := BuildFor(b, c.Args[0], flat, apart(b, c.Args[1:]...), combine, func(i ir.Value) (out []ir.Value) {
		for k, given := range Split(g, list, b.Splice(c.Regions[0], []ir.Value{i})) {
			out = append(out, list[k].giveApart(b, flat[k], given)...)
		}
		return out
	})
	return b.Pack(together(b, c.Ctx().Results(c.Type), results)...)
}

// splits reports a loop with a generator that takes records, all of which can be seen.
func splits(g *ir.Graph, body ir.Region, list []Generator) bool {
	any := false
	for k, given := range Split(g, list, g.Yields(body)) {
		if x := list[k]; x.Kind != EmitKind && holdsRecord(g.Ctx, x.Tuple()...) {
			if any = true; EmitsIn(g, given) && !Known(g, given[0]) {
				return false
			}
		}
	}
	return any
}

// split is the generator that takes leaves. One that hands tuples to the loop around it is
// split with that.
func (g Generator) split(c *ir.Context) Generator {
	if g.Kind == EmitKind {
		return g
	}
	g.Types, g.Inner = Leaves(c, g.Types...), slices.Clone(g.Inner)
	for i, x := range g.Inner {
		g.Inner[i] = x.split(c)
	}
	return g
}

// giveApart makes of what the generator is given what flat takes.
func (g Generator) giveApart(b *ir.Builder, flat Generator, given []ir.Value) []ir.Value {
	switch {
	case g.Kind == EmitKind || !holdsRecord(b.Ctx(), g.Tuple()...):
		return given
	case !EmitsIn(b.Graph(), given):
		out, _ := g.apart(b, given)
		return out
	}
	return Bind(b, given[0], []ir.Type{EmitOf(b.Ctx(), flat.Tuple()...)}, func(tuple []ir.Value) []ir.Value {
		out, _ := g.apart(b, tuple)
		return []ir.Value{b.Op(Emit, out...)}
	})
}

// apart lists the leaves of a tuple, and returns the values after it.
func (g Generator) apart(b *ir.Builder, tuple []ir.Value) (out, rest []ir.Value) {
	own, rest := tuple[:len(g.Types)], tuple[len(g.Types):]
	if g.Kind == BucketKind {
		out = keysApart(b, own...)
	} else {
		out = apart(b, own...)
	}
	for _, x := range g.Inner {
		var inner []ir.Value
		inner, rest = x.apart(b, rest)
		out = append(out, inner...)
	}
	return out, rest
}
