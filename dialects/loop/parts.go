package loop

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

// Level is the level at which arrays become memory.
const Level = "scf"

// typeLowerings: from level scf on
//
//	!loop.array<T> of numbers        memref<?xT>
//	!loop.array<T> of records        the parts of an array of each field
//	!loop.array<T> of strings        memref<?xindex> of n+1 offsets, and the bytes
//	!loop.array<T> of arrays         the offsets, and the parts of all elements as one array
//	!loop.array<T> of buckets        the offsets, and the parts of an array of each key
//	!loop.string                     memref<?xi8>
//	!loop.struct, !loop.nullable     the parts of each field
//	!loop.buckets<K...>              the parts of an array of each key
var typeLowerings = ir.TypeLowerings{Level: {
	arrayType: lowering, structType: lowering, nullableType: lowering, stringType: lowering, bucketsType: lowering,
}}

var lowering = ir.TypeLowering{
	Parts: Parts,
	Unpack: func(b *ir.Builder, v ir.Value) []ir.Value {
		u := b.Op(Unpack, v)
		out := make([]ir.Value, len(Parts(b.Ctx(), b.Graph().Type(v))))
		for i := range out {
			out[i] = b.Result(u, i)
		}
		return out
	},
	Pack: func(b *ir.Builder, t ir.Type, parts []ir.Value) ir.Value {
		return b.Must(ir.Call{Def: Pack, Args: parts, Type: t})
	},
	Split: splitVal,
	Join: func(c *ir.Context, t ir.Type, parts []ir.Val) ir.Val {
		v, _ := joinVal(c, t, parts)
		return v
	},
}

// Parts lists what a value of a type becomes; a type of others is itself.
func Parts(c *ir.Context, t ir.Type) (out []ir.Type) {
	fields, ok := Fields(c, t)
	switch v := c.Info(t).Value.(type) {
	case array:
		return PartsOfArray(c, v.Elem)
	case bytes:
		return PartsOfArray(c, ir.I8)
	case buckets:
		for _, k := range c.TypesOf(v.Keys) {
			out = append(out, PartsOfArray(c, k)...)
		}
		return out
	default:
		if !ok {
			return []ir.Type{t}
		}
	}
	for _, f := range fields {
		out = append(out, Parts(c, f.Type)...)
	}
	return out
}

// PartsOfArray lists the memory of an array of elements of type t.
func PartsOfArray(c *ir.Context, t ir.Type) []ir.Type {
	if fields, ok := Fields(c, t); ok {
		return lists.Join(fields, func(f ir.Field) []ir.Type { return PartsOfArray(c, f.Type) })
	}
	if IsJagged(c, t) {
		return append(PartsOfArray(c, ir.Index), Parts(c, t)...)
	}
	return []ir.Type{c.MemRef([]int64{ir.Dynamic}, t)}
}

// IsJagged reports elements that are arrays themselves: strings, arrays, buckets.
func IsJagged(c *ir.Context, t ir.Type) bool {
	switch c.Info(t).Value.(type) {
	case array, bytes, buckets:
		return true
	}
	return false
}

// splitVal makes memory of the arrays of a value of a running program.
func splitVal(c *ir.Context, t ir.Type, v ir.Val) []ir.Val {
	if fields, ok := Fields(c, t); ok {
		var out []ir.Val
		for i, x := range v.Ref.(ir.Vector) {
			out = append(out, splitVal(c, fields[i].Type, x)...)
		}
		return out
	}
	elems, types := rows(c, t, v)
	if types == nil {
		return []ir.Val{v}
	}
	var out []ir.Val
	for k, e := range elems {
		out = append(out, splitArray(c, types[k], e)...)
	}
	return out
}

// RowTypes lists the types of the elements of the arrays that an array, a string or buckets is.
func RowTypes(c *ir.Context, t ir.Type) []ir.Type {
	_, types := rows(c, t, empty(c, t))
	return types
}

// rows takes an array, a string or buckets for arrays of elements of the given types.
func rows(c *ir.Context, t ir.Type, v ir.Val) (elems []ir.Vector, types []ir.Type) {
	switch x := c.Info(t).Value.(type) {
	case array:
		return []ir.Vector{v.Ref.(ir.Vector)}, []ir.Type{x.Elem}
	case bytes:
		s := Text(v)
		out := make(ir.Vector, len(s))
		for i := range len(s) {
			out[i] = ir.IntVal(int64(s[i]), 8)
		}
		return []ir.Vector{out}, []ir.Type{ir.I8}
	case buckets:
		types = c.TypesOf(x.Keys)
		elems = make([]ir.Vector, len(types))
		for _, keys := range v.Ref.(*Groups).Keys {
			for k := range types {
				elems[k] = append(elems[k], keys[k])
			}
		}
	}
	return elems, types
}

// splitArray makes the memory of an array.
func splitArray(c *ir.Context, elem ir.Type, vs ir.Vector) (out []ir.Val) {
	if fields, ok := Fields(c, elem); ok {
		for k, f := range fields {
			col := make(ir.Vector, len(vs))
			for i, v := range vs {
				if col[i] = v; !v.IsPoison() {
					col[i] = v.Ref.(ir.Vector)[k]
				}
			}
			out = append(out, splitArray(c, f.Type, col)...)
		}
		return out
	}
	if !IsJagged(c, elem) {
		return []ir.Val{memory(c, elem, vs)}
	}
	offsets := make(ir.Vector, 1, len(vs)+1)
	types := RowTypes(c, elem)
	all := make([]ir.Vector, len(types))
	for _, v := range vs {
		elems, _ := rows(c, elem, v)
		for k, e := range elems {
			all[k] = append(all[k], e...)
		}
		offsets = append(offsets, ir.IntVal(int64(len(all[0])), 64))
	}
	out = append(out, memory(c, ir.Index, offsets))
	for k, e := range all {
		out = append(out, splitArray(c, types[k], e)...)
	}
	return out
}

// empty is an array, string or buckets without elements.
func empty(c *ir.Context, t ir.Type) ir.Val {
	switch c.Info(t).Value.(type) {
	case bytes:
		return Str("")
	case buckets:
		return ir.Val{Ref: &Groups{}}
	}
	return ir.Val{Ref: ir.Vector{}}
}

// memory is an array of numbers as a memref.
func memory(c *ir.Context, elem ir.Type, vs ir.Vector) ir.Val {
	b := interp.NewBuffer(c, elem, len(vs), false)
	b.Static = true
	for i, v := range vs {
		b.Store(i, v)
	}
	return (&interp.MemRef{Buf: b, Sizes: []int64{int64(len(vs))}, Strides: []int64{1}}).Val()
}

// joinVal is the inverse of splitVal; it returns the parts that are left.
func joinVal(c *ir.Context, t ir.Type, parts []ir.Val) (ir.Val, []ir.Val) {
	if fields, ok := Fields(c, t); ok {
		out := make(ir.Vector, len(fields))
		for i, f := range fields {
			out[i], parts = joinVal(c, f.Type, parts)
		}
		return ir.Val{Ref: out}, parts
	}
	types := RowTypes(c, t)
	if types == nil {
		return parts[0], parts[1:]
	}
	elems := make([]ir.Vector, len(types))
	for k, e := range types {
		elems[k], parts = joinArray(c, e, parts)
	}
	return fromRows(c, t, elems), parts
}

// fromRows is the inverse of rows.
func fromRows(c *ir.Context, t ir.Type, elems []ir.Vector) ir.Val {
	switch x := c.Info(t).Value.(type) {
	case bytes:
		s := lists.Map(elems[0], func(v ir.Val) byte { return byte(v.Bits) })
		return Str(string(s))
	case buckets:
		types, g := c.TypesOf(x.Keys), &Groups{}
		for i := range elems[0] {
			keys := make([]ir.Val, len(types))
			for k := range types {
				keys[k] = elems[k][i]
			}
			g.place(c, types, keys)
		}
		return ir.Val{Ref: g}
	}
	return ir.Val{Ref: elems[0]}
}

// joinArray is the inverse of splitArray.
func joinArray(c *ir.Context, elem ir.Type, parts []ir.Val) (ir.Vector, []ir.Val) {
	if fields, ok := Fields(c, elem); ok {
		var out ir.Vector
		for k, f := range fields {
			var col ir.Vector
			col, parts = joinArray(c, f.Type, parts)
			if k == 0 {
				out = make(ir.Vector, len(col))
				for i := range out {
					out[i].Ref = make(ir.Vector, len(fields))
				}
			}
			for i, v := range col {
				out[i].Ref.(ir.Vector)[k] = v
			}
		}
		return out, parts
	}
	flat := elements(parts[0])
	if !IsJagged(c, elem) {
		return flat, parts[1:]
	}
	types := RowTypes(c, elem)
	all := make([]ir.Vector, len(types))
	parts = parts[1:]
	for k, t := range types {
		all[k], parts = joinArray(c, t, parts)
	}
	out := make(ir.Vector, len(flat)-1)
	for i := range out {
		from, to := flat[i].Bits, flat[i+1].Bits
		part := make([]ir.Vector, len(all))
		for k := range all {
			part[k] = all[k][from:to:to]
		}
		out[i] = fromRows(c, elem, part)
	}
	return out, parts
}

// elements lists the elements of a memref.
func elements(v ir.Val) ir.Vector {
	r := v.Ref.(*interp.MemRef)
	out := make(ir.Vector, 0, r.Len())
	r.Each(func(pos int) { out = append(out, r.Buf.Load(pos)) })
	return out
}
