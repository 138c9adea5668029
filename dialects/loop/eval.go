package loop

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

func evalEmit(_ *ir.Call, a []ir.Val) (ir.Val, error) {
	return ir.Val{Ref: emits{slices.Clone(ir.Vector(a))}}, nil
}

func evalSeq(_ *ir.Call, a []ir.Val) (ir.Val, error) {
	var out emits
	for _, x := range a {
		out = append(out, x.Ref.(emits)...)
	}
	return ir.Val{Ref: out}, nil
}

// length is that of an array or string.
func length(v ir.Val) int {
	switch x := v.Ref.(type) {
	case str:
		return len(x)
	case ir.Vector:
		return len(x)
	}
	return len(v.Ref.(*Groups).Keys)
}

func evalLen(_ *ir.Call, a []ir.Val) (ir.Val, error) { return ir.IntVal(int64(length(a[0])), 64), nil }

func evalAt(_ *ir.Call, a []ir.Val) (ir.Val, error) {
	i, n := int64(a[1].Bits), length(a[0])
	if i < 0 || i >= int64(n) {
		return ir.Val{}, ir.Trapf("element %d of an array of %d", i, n)
	}
	if s, ok := a[0].Ref.(str); ok {
		return ir.IntVal(int64(s[i]), 8), nil
	}
	return a[0].Ref.(ir.Vector)[i], nil
}

func evalSlice(_ *ir.Call, a []ir.Val) (ir.Val, error) {
	from, to, n := int64(a[1].Bits), int64(a[2].Bits), int64(length(a[0]))
	if from < 0 || from > to || to > n {
		return ir.Val{}, ir.Trapf("elements %d to %d of an array of %d", from, to, n)
	}
	if s, ok := a[0].Ref.(str); ok {
		return Str(string(s[from:to])), nil
	}
	return ir.Val{Ref: a[0].Ref.(ir.Vector)[from:to:to]}, nil
}

// evalSort sorts the places 0 to n-1 and keeps the order of equal rows.
func evalSort(c *ir.Call, a []ir.Val) (ir.Val, error) {
	n := length(a[0])
	down := Descending(c.Ctx(), c.Attr, len(a))
	elems := make([]ir.Type, len(a))
	for k := range a {
		if length(a[k]) != n {
			return ir.Val{}, ir.Trapf("keys of %d and of %d rows", n, length(a[k]))
		}
		elems[k], _ = ElemOf(c.Ctx(), c.ArgType(k))
	}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(i, j int) int {
		for k := range a {
			keys := a[k].Ref.(ir.Vector)
			if d := lessKey(c.Ctx(), elems[k], keys[i], keys[j]); d != 0 {
				if down[k] {
					return -d
				}
				return d
			}
		}
		return 0
	})
	out := make(ir.Vector, n)
	for i, r := range rows {
		out[i] = ir.IntVal(int64(r), 64)
	}
	return ir.Val{Ref: out}, nil
}

func evalStruct(_ *ir.Call, a []ir.Val) (ir.Val, error) {
	return ir.Val{Ref: slices.Clone(ir.Vector(a))}, nil
}

// fieldPlace is the place of the field that an op names.
func fieldPlace(c *ir.Call, fields []ir.Field) int {
	name := c.Ctx().AttrInfo(c.Get("name")).Str
	return slices.IndexFunc(fields, func(f ir.Field) bool { return f.Name == name })
}

func evalField(c *ir.Call, a []ir.Val) (ir.Val, error) {
	fields, _ := Fields(c.Ctx(), c.ArgType(0))
	return a[0].Ref.(ir.Vector)[fieldPlace(c, fields)], nil
}

func evalZip(c *ir.Call, a []ir.Val) (ir.Val, error) { return zip(c.Ctx(), c.Type, a) }

// zip makes records of columns, or at each place of arrays of columns an array of records.
func zip(c *ir.Context, t ir.Type, columns []ir.Val) (ir.Val, error) {
	elem, isArray := c.Info(t).Value.(array)
	if !isArray {
		return ir.Val{Ref: slices.Clone(ir.Vector(columns))}, nil
	}
	out := make(ir.Vector, length(columns[0]))
	row := make([]ir.Val, len(columns))
	for _, x := range columns {
		if n := length(x); n != len(out) {
			return ir.Val{}, ir.Trapf("columns of %d and of %d elements", len(out), n)
		}
	}
	for i := range out {
		for k, x := range columns {
			row[k] = x.Ref.(ir.Vector)[i]
		}
		var err error
		if out[i], err = zip(c, elem.Elem, row); err != nil {
			return ir.Val{}, err
		}
	}
	return ir.Val{Ref: out}, nil
}

func evalColumn(c *ir.Call, a []ir.Val) (ir.Val, error) {
	fields, _ := columnsOf(c.Ctx(), c.ArgType(0))
	return column(c.Ctx(), c.ArgType(0), fieldPlace(c, fields), a[0]), nil
}

// column takes field k of a record, or of all that are in an array.
func column(c *ir.Context, t ir.Type, k int, v ir.Val) ir.Val {
	elem, isArray := c.Info(t).Value.(array)
	switch {
	case v.IsPoison():
		return v
	case !isArray:
		return v.Ref.(ir.Vector)[k]
	}
	out := make(ir.Vector, length(v))
	for i, x := range v.Ref.(ir.Vector) {
		out[i] = column(c, elem.Elem, k, x)
	}
	return ir.Val{Ref: out}
}

func evalKeys(c *ir.Call, a []ir.Val) (ir.Val, error) {
	g := a[0].Ref.(*Groups)
	k, err := place(c, numKeys(c))
	if err != nil {
		return ir.Val{}, err
	}
	out := make(ir.Vector, len(g.Keys))
	for i, keys := range g.Keys {
		out[i] = keys[k]
	}
	return ir.Val{Ref: out}, nil
}

func numKeys(c *ir.Call) int {
	keys, _ := KeysOf(c.Ctx(), c.ArgType(0))
	return len(keys)
}

func evalFind(c *ir.Call, a []ir.Val) (ir.Val, error) {
	keys, _ := KeysOf(c.Ctx(), c.ArgType(0))
	return ir.IntVal(int64(a[0].Ref.(*Groups).find(c.Ctx(), keys, a[1:])), 64), nil
}

func evalRekey(c *ir.Call, a []ir.Val) (ir.Val, error) { return rekey(c.Ctx(), c.Type, a[0]), nil }

// rekey puts the keys of groups together to those of type t.
func rekey(c *ir.Context, t ir.Type, v ir.Val) ir.Val {
	if elem, ok := c.Info(t).Value.(array); ok {
		out := make(ir.Vector, length(v))
		for i, x := range v.Ref.(ir.Vector) {
			out[i] = rekey(c, elem.Elem, x)
		}
		return ir.Val{Ref: out}
	}
	want, _ := KeysOf(c, t)
	out := &Groups{}
	for _, keys := range v.Ref.(*Groups).Keys {
		var whole []ir.Val
		for _, k := range want {
			var x ir.Val
			x, keys = join(c, k, keys)
			whole = append(whole, x)
		}
		out.place(c, want, whole)
	}
	return ir.Val{Ref: out}
}

// join makes a value of type t of its leaves and returns those that are left.
func join(c *ir.Context, t ir.Type, parts []ir.Val) (v ir.Val, rest []ir.Val) {
	fields, ok := Fields(c, t)
	if !ok {
		return parts[0], parts[1:]
	}
	out := make(ir.Vector, len(fields))
	for i, f := range fields {
		out[i], parts = join(c, f.Type, parts)
	}
	return ir.Val{Ref: out}, parts
}

func evalCompare(c *ir.Call, a []ir.Val) (ir.Val, error) {
	d := compare(Text(a[0]), Text(a[1]))
	p := c.Ctx().AttrInfo(c.Get("predicate")).Int
	return ir.BoolVal([]bool{d == 0, d != 0, d < 0, d <= 0, d > 0, d >= 0}[p]), nil
}

func evalPack(c *ir.Call, a []ir.Val) (ir.Val, error) {
	v, _ := joinVal(c.Ctx(), c.Type, a)
	return v, nil
}

// takesApart is the Poisons of loop.unpack: of arrays it gives their memory and their size, of other
// values what is in them.
func takesApart(c *ir.Call) bool {
	_, ok := ElemOf(c.Ctx(), c.ArgType(0))
	return !ok
}

func evalUnpack(c *ir.Call, a []ir.Val) (ir.Val, error) {
	parts := splitVal(c.Ctx(), c.ArgType(0), a[0])
	if len(parts) == 1 {
		return parts[0], nil
	}
	return ir.Val{Ref: ir.Vector(parts)}, nil
}
