package interp

import (
	"fmt"

	"github.com/irc-lang/irc/ir"
)

// A type of a dialect that becomes others in the lowering pipeline (ir.TypeLowering) is its parts
// to what lies outside of a program: in JSON, and to an engine that was given the program
// lowered. An array of such values is an array of each part to an engine.

// lowered reads a value of a type that becomes others: a list of its parts, an object
// of its fields, or the one part.
func (r *reader) lowered(x any, t ir.Type, l *ir.TypeLowering) (ir.Val, error) {
	types := l.Parts(r.c, t)
	var list []any
	switch y := x.(type) {
	case []any:
		list = y
	case map[string]any:
		for _, f := range l.Fields {
			part, ok := y[f]
			if !ok {
				return ir.Val{}, fmt.Errorf("the field %q is missing", f)
			}
			list = append(list, part)
		}
		if len(y) != len(l.Fields) {
			return ir.Val{}, fmt.Errorf("the fields are %q", l.Fields)
		}
	}
	if _, isList := x.([]any); len(types) == 1 && !isList && list == nil {
		list = []any{x}
	}
	if len(list) != len(types) {
		return ir.Val{}, fmt.Errorf("a list of %d parts is wanted, not %s", len(types), spell(x))
	}
	parts := make([]ir.Val, len(types))
	for i, p := range types {
		var err error
		r.path = append(r.path, i)
		if parts[i], err = r.value(list[i], p); err != nil {
			return ir.Val{}, err
		}
		r.path = r.path[:len(r.path)-1]
	}
	return l.JoinVal(r.c, t, parts), nil
}

// appendLowered spells such a value.
func appendLowered(out []byte, c *ir.Context, v ir.Val, t ir.Type, l *ir.TypeLowering, f form) []byte {
	types := l.Parts(c, t)
	parts := l.SplitVal(c, t, v, len(types))
	open, end := byte('['), byte(']')
	if len(l.Fields) > 0 {
		open, end = '{', '}'
	}
	out = append(out, open)
	for i, p := range types {
		if i > 0 {
			out = append(out, ", "...)
		}
		if len(l.Fields) > 0 {
			out = append(f.word(out, l.Fields[i]), ": "...)
		}
		out = appendVal(out, c, parts[i], p, f)
	}
	return append(out, end)
}
