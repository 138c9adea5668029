package interp

import (
	"encoding/json"
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp/shapes"
	"github.com/irc-lang/irc/ir/lists"
)

// lookOf finds what values of a type look like.
func lookOf(c *ir.Context, t ir.Type) (s shapes.Shape, ok bool) {
	def := c.Info(t).Def
	if def == nil {
		return s, false
	}
	for _, d := range c.Dialects() {
		for x, s := range ir.Table[shapes.Table](d) {
			if x.Shape() == def {
				return s, true
			}
		}
	}
	return s, false
}

// byShape reads a value by its shape.
func (r *reader) byShape(x any, t ir.Type, s shapes.Shape) (ir.Val, error) {
	switch y := x.(type) {
	case string:
		if s.FromText != nil {
			return s.FromText(y), nil
		}
	case []any:
		if s.Elem != nil && s.Fields == nil && !s.Null {
			items := make([]ir.Val, len(y))
			elem := s.Elem(r.c, t)
			for i, z := range y {
				r.path = append(r.path, i)
				var err error
				if items[i], err = r.value(z, elem); err != nil {
					return ir.Val{}, err
				}
				r.path = r.path[:len(r.path)-1]
			}
			return s.Make(r.c, t, items), nil
		}
	case map[string]any:
		if s.Fields != nil {
			return r.object(y, t, s)
		}
	case nil:
		if s.Null {
			return s.Make(r.c, t, nil), nil
		}
	}
	if s.Null {
		v, err := r.value(x, s.Elem(r.c, t))
		return s.Make(r.c, t, []ir.Val{v}), err
	}
	switch {
	case s.FromText != nil:
		return ir.Val{}, fmt.Errorf("a string is wanted, not %s", spell(x))
	case s.Fields != nil:
		return ir.Val{}, fmt.Errorf("an object is wanted, not %s", spell(x))
	case s.Elem == nil:
		return ir.Val{}, fmt.Errorf("values of this type are no arguments")
	}
	return ir.Val{}, fmt.Errorf("an array is wanted, not %s", spell(x))
}

// object reads the fields of an object, all of them and no others.
func (r *reader) object(x map[string]any, t ir.Type, s shapes.Shape) (ir.Val, error) {
	fields := s.Fields(r.c, t)
	items := make([]ir.Val, len(fields))
	for i, f := range fields {
		part, ok := x[f.Name]
		if !ok {
			return ir.Val{}, fmt.Errorf("the field %q is missing", f.Name)
		}
		var err error
		if items[i], err = r.value(part, f.Type); err != nil {
			return ir.Val{}, fmt.Errorf("field %q: %w", f.Name, err)
		}
	}
	if len(x) != len(fields) {
		names := lists.Map(fields, func(f ir.Field) string { return f.Name })
		return ir.Val{}, fmt.Errorf("the fields are %q", names)
	}
	return s.Make(r.c, t, items), nil
}

// appendShaped spells a value by its shape.
func appendShaped(out []byte, c *ir.Context, v ir.Val, t ir.Type, s shapes.Shape, f form) []byte {
	x := s.Show(c, t, v)
	switch {
	case x.Null:
		return append(out, "null"...)
	case x.Text != nil:
		if f.quote {
			quoted, _ := json.Marshal(*x.Text) // what is no UTF-8 shows as U+FFFD
			return append(out, quoted...)
		}
		return append(out, *x.Text...)
	case x.Single:
		return appendVal(out, c, x.Items[0], x.Type(0), f)
	}
	open, end := byte('['), byte(']')
	if x.Names != nil {
		open, end = '{', '}'
	}
	out = append(out, open)
	for i, item := range x.Items {
		if i > 0 {
			out = append(out, ", "...)
		}
		if x.Names != nil {
			out = append(f.word(out, x.Names[i]), ": "...)
		}
		out = appendVal(out, c, item, x.Type(i), f)
	}
	return append(out, end)
}
