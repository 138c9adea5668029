package loop

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp/shapes"
	"github.com/irc-lang/irc/ir/lists"
)

// looks: what values look like outside of programs. An array is a list, a struct an object,
// a string text, a nullable value itself or null, groups an object with their keys.
var looks = shapes.Table{
	arrayType: {
		Elem: func(c *ir.Context, t ir.Type) ir.Type { return c.Info(t).Value.(array).Elem },
		Make: func(_ *ir.Context, _ ir.Type, items []ir.Val) ir.Val { return ir.Val{Ref: ir.Vector(items)} },
		Show: func(c *ir.Context, t ir.Type, v ir.Val) shapes.Shown {
			elem := c.Info(t).Value.(array).Elem
			return shapes.Shown{Items: v.Ref.(ir.Vector), Type: func(int) ir.Type { return elem }}
		},
	},
	structType: {
		Fields: func(c *ir.Context, t ir.Type) []ir.Field { f, _ := Fields(c, t); return f },
		Make:   func(_ *ir.Context, _ ir.Type, items []ir.Val) ir.Val { return ir.Val{Ref: ir.Vector(items)} },
		Show: func(c *ir.Context, t ir.Type, v ir.Val) shapes.Shown {
			fields, _ := Fields(c, t)
			names := lists.Map(fields, func(f ir.Field) string { return f.Name })
			return shapes.Shown{Items: v.Ref.(ir.Vector), Type: func(i int) ir.Type { return fields[i].Type }, Names: names}
		},
	},
	stringType: {
		FromText: Str,
		Show: func(_ *ir.Context, _ ir.Type, v ir.Val) shapes.Shown {
			s := Text(v)
			return shapes.Shown{Text: &s}
		},
	},
	nullableType: {
		Null: true,
		Elem: func(c *ir.Context, t ir.Type) ir.Type { return c.Info(t).Value.(nullable).Elem },
		Make: func(c *ir.Context, t ir.Type, items []ir.Val) ir.Val {
			if items == nil {
				return ir.Val{Ref: ir.Vector{zeroVal(c, c.Info(t).Value.(nullable).Elem), ir.BoolVal(false)}}
			}
			return ir.Val{Ref: ir.Vector{items[0], ir.BoolVal(true)}}
		},
		Show: func(c *ir.Context, t ir.Type, v ir.Val) shapes.Shown {
			x, elem := v.Ref.(ir.Vector), c.Info(t).Value.(nullable).Elem
			return shapes.Shown{Null: !x[1].Bool(), Single: true, Items: x[:1], Type: func(int) ir.Type { return elem }}
		},
	},
	bucketsType: {
		Show: func(c *ir.Context, t ir.Type, v ir.Val) shapes.Shown {
			keys, types := rows(c, t, v)
			items := make([]ir.Val, len(keys))
			for i, k := range keys {
				items[i].Ref = k
			}
			return shapes.Shown{Items: items, Type: func(i int) ir.Type { return Array(c, types[i]) }}
		},
	},
}

// zeroVal is what stands for the value of a nullable that has none: zeros, nothing in strings
// and arrays.
func zeroVal(c *ir.Context, t ir.Type) ir.Val {
	if fields, ok := Fields(c, t); ok {
		out := make(ir.Vector, len(fields))
		for i, f := range fields {
			out[i] = zeroVal(c, f.Type)
		}
		return ir.Val{Ref: out}
	}
	if IsJagged(c, t) {
		return empty(c, t)
	}
	return ir.Val{}
}
