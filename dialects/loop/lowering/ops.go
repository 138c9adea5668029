package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

func (d down) lowerAt(n ir.Node) ir.Value {
	x, i := d.arrays.view(d.Of(n.Arg(0))), d.Of(n.Arg(1))
	if !x.whole && n.Graph().MayTrap(n.Old()) {
		d.arrays.assert(d.kit().Is(arith.ULT, i, x.n), "an index outside of a part of an array")
	}
	return d.arrays.element(x, i)
}

func (d down) lowerLen(n ir.Node) ir.Value {
	return d.arrays.viewOfRows(d.Of(n.Arg(0)))[0].n
}

// lowerSlice checks the bounds of a view, which is a view as long as nobody wants its memory.
func (d down) lowerSlice(n ir.Node) ir.Value {
	k := d.kit()
	v, from, to := d.Of(n.Arg(0)), d.Of(n.Arg(1)), d.Of(n.Arg(2))
	size := d.arrays.view(v).n
	d.arrays.assert(k.And(k.Is(arith.ULE, from, to), k.Is(arith.ULE, to, size)), "a slice outside of its array")
	return d.arrays.slice(v, from, to)
}

func (d down) lowerStruct(n ir.Node) ir.Value {
	return d.arrays.pack(n.Type(), d.arrays.allParts(d.All(n.Args()))...)
}

func (d down) lowerField(n ir.Node) ir.Value {
	c := d.B.Ctx()
	fields, _ := loop.Fields(c, n.Arg(0).Type())
	rest := d.arrays.parts(d.Of(n.Arg(0)))
	for _, f := range fields {
		k := len(loop.Parts(c, f.Type))
		if f.Name == c.AttrInfo(n.Attr("name")).Str {
			return d.arrays.pack(n.Type(), rest[:k]...)
		}
		rest = rest[k:]
	}
	panic(n.Errorf("names no field"))
}

// lowerColumn: a column of a view is a view of the column.
func (d down) lowerColumn(n ir.Node) ir.Value {
	c, g := d.B.Ctx(), d.B.Graph()
	name := c.AttrInfo(n.Attr("name")).Str
	column := func(v ir.Value) ir.Value {
		elem, _ := loop.ElemOf(c, g.Type(v))
		_, parts := columnOf(c, elem, d.arrays.parts(v), name)
		return d.arrays.pack(n.Type(), parts...)
	}
	if v := d.Of(n.Arg(0)); g.Def(v) == loop.Slice {
		a := g.Args(v)
		return d.arrays.slice(column(a[0]), a[1], a[2])
	}
	return column(d.Of(n.Arg(0)))
}

// columnOf is a column of an array of elem, records or arrays of such: what its elements are, and
// its parts.
func columnOf(c *ir.Context, elem ir.Type, parts []ir.Value, name string) (ir.Type, []ir.Value) {
	fields, ok := loop.Fields(c, elem)
	if !ok {
		inner, _ := loop.ElemOf(c, elem)
		of, rest := columnOf(c, inner, parts[1:], name)
		return loop.Array(c, of), append(parts[:1:1], rest...)
	}
	for _, f := range fields {
		k := len(loop.PartsOfArray(c, f.Type))
		if f.Name == name {
			return f.Type, parts[:k]
		}
		parts = parts[k:]
	}
	panic("loop: no column is named " + name) // whoever names one has checked it
}

func (d down) lowerZip(n ir.Node) ir.Value {
	c, k := d.B.Ctx(), d.kit()
	vs := d.All(n.Args())
	first := d.arrays.view(vs[0]).n
	columns := make([][]ir.Value, len(vs))
	for i, v := range vs {
		if columns[i] = d.arrays.parts(v); i > 0 && n.Graph().MayTrap(n.Old()) {
			d.arrays.assert(k.Is(arith.EQ, d.arrays.view(v).n, first), "the columns of a zip differ in length")
		}
	}
	elem, _ := loop.ElemOf(c, n.Type())
	return d.arrays.pack(n.Type(), zipped(c, elem, columns)...)
}

// zipped are the parts of an array of elem, records or arrays of such, of those of its
// columns; the offsets of arrays are those of the first.
func zipped(c *ir.Context, elem ir.Type, columns [][]ir.Value) (out []ir.Value) {
	if _, ok := loop.Fields(c, elem); ok {
		return slices.Concat(columns...)
	}
	inner, _ := loop.ElemOf(c, elem)
	rest := lists.Map(columns, func(x []ir.Value) []ir.Value { return x[1:] })
	return append(columns[0][:1:1], zipped(c, inner, rest)...)
}

func (d down) lowerKeys(n ir.Node) ir.Value {
	c := d.B.Ctx()
	keys, _ := loop.KeysOf(c, n.Arg(0).Type())
	at := int64(0)
	if a := n.Attr("index"); a != 0 {
		at = c.AttrInfo(a).Int
	}
	rest := d.arrays.parts(d.Of(n.Arg(0)))
	for _, t := range keys[:at] {
		rest = rest[len(loop.PartsOfArray(c, t)):]
	}
	return d.arrays.pack(n.Type(), rest[:len(loop.PartsOfArray(c, keys[at]))]...)
}

// lowerRekey: a struct's parts are those of its fields.
func (d down) lowerRekey(n ir.Node) ir.Value {
	return d.arrays.pack(n.Type(), d.arrays.parts(d.Of(n.Arg(0)))...)
}

// lowerConstant stores the bytes of a string. (A comparison with it needs no memory.)
func (d down) lowerConstant(n ir.Node) ir.Value {
	k := d.kit()
	v, _ := n.Const()
	text := loop.Text(v)
	mem := d.arrays.owned(ir.I8, k.Index(int64(len(text))))
	for i := range len(text) {
		k.Store(k.Int(ir.I8, int64(int8(text[i]))), mem, k.Index(int64(i)))
	}
	return d.arrays.pack(n.Type(), mem)
}

// lowerCompare goes through two strings up to the first byte in which they differ.
func (d down) lowerCompare(n ir.Node) ir.Value {
	k := d.kit()
	p := loop.Predicate(d.B.Ctx().AttrInfo(n.Attr("predicate")).Int)
	x, y := d.arrays.view(d.Of(n.Arg(0))), d.arrays.view(d.Of(n.Arg(1)))
	byteOf := func(v view, i ir.Value) ir.Value { return k.Load(v.parts[0], k.Add(v.from, i)) }
	prefix := func(n ir.Value) ir.Value {
		return k.While([]ir.Value{k.Index(0)}, func(s []ir.Value) ir.Value {
			return k.Where(k.Less(s[0], n), func() ir.Value { return k.Is(arith.EQ, byteOf(x, s[0]), byteOf(y, s[0])) },
				func() ir.Value { return arith.ConstBool(d.B, false) })
		}, func(s []ir.Value) []ir.Value { return []ir.Value{k.Next(s[0])} })[0]
	}
	if p == loop.EQ || p == loop.NE {
		same := k.Where(k.Is(arith.EQ, x.n, y.n), func() ir.Value { return k.Is(arith.EQ, prefix(x.n), x.n) },
			func() ir.Value { return arith.ConstBool(d.B, false) })
		if p == loop.NE {
			return k.Not(same)
		}
		return same
	}
	shorter := k.Min(x.n, y.n)
	at := prefix(shorter)
	less := func(a, b view, ifEqual arith.CmpIPredicate) ir.Value {
		return k.Where(k.Less(at, shorter), func() ir.Value { return k.Is(arith.ULT, byteOf(a, at), byteOf(b, at)) },
			func() ir.Value { return k.Is(ifEqual, a.n, b.n) })
	}
	switch p {
	case loop.LT:
		return less(x, y, arith.SLT)
	case loop.LE:
		return less(x, y, arith.SLE)
	case loop.GT:
		return less(y, x, arith.SLT)
	}
	return less(y, x, arith.SLE)
}
