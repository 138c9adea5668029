package c

import (
	"fmt"
	"strconv"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// A field is a variable of C's.
type field struct{ typ, name string }

// declared is its declaration, without a semicolon.
func (f field) declared() string {
	if n := len(f.typ); n > 0 && (f.typ[n-1] == '*' || f.typ[n-1] == ' ') {
		return f.typ + f.name
	}
	return f.typ + " " + f.name
}

// typeName is the type of a scalar in C, "" if there is none.
func typeName(c *ir.Context, t ir.Type) string {
	switch t {
	case ir.F64:
		return "double"
	case ir.F32:
		return "float"
	case ir.I1:
		return "bool"
	case ir.Index:
		return "int64_t"
	}
	if info := c.Info(t); info.Kind == ir.KindInteger {
		switch info.Width {
		case 8, 16, 32, 64:
			return "int" + strconv.Itoa(info.Width) + "_t"
		}
	}
	return ""
}

// scalar is the type of a value that is no memref; an op that has another is refused.
func (e *emitter) scalar(g *ir.Graph, v ir.Value, t ir.Type) string {
	name := typeName(e.ctx, t)
	if name == "" {
		failAt(g, v, "has a value of type %s, which is not printed as C; there are i1, i8, i16, i32, i64, index, f32, f64 and memrefs of them", e.spell(t))
	}
	return name
}

func (e *emitter) spell(t ir.Type) string {
	switch info := e.ctx.Info(t); info.Kind {
	case ir.KindInteger:
		return "i" + strconv.Itoa(info.Width)
	case ir.KindFloat, ir.KindOpaque:
		return info.Text
	case ir.KindVector:
		return "vector<...>"
	case ir.KindTensor:
		return "tensor<...>"
	case ir.KindMemRef:
		return "memref<...x" + e.spell(info.Elem) + "> of this layout"
	case ir.KindFunction:
		return "a function"
	}
	return "another kind"
}

// layout is what the type of a memref says.
type layout struct {
	elem           ir.Type
	sizes, strides []int64
	offset         int64
	ident          bool // strides follow from the sizes
}

func (e *emitter) layout(g *ir.Graph, v ir.Value, t ir.Type) layout {
	info := e.ctx.Info(t)
	if info.Unranked {
		failAt(g, v, "has an unranked memref, which is not printed as C; cast it to a ranked one")
	}
	l := layout{elem: info.Elem, sizes: info.Shape, ident: info.Layout == 0}
	var ok bool
	if l.strides, l.offset, ok = memref.Layout(e.ctx, t); !ok || typeName(e.ctx, l.elem) == "" {
		failAt(g, v, "has a value of type %s, which is not printed as C; use an identity or strided layout and elements that C has", e.spell(t))
	}
	return l
}

// fields are what a value crosses the border of a function as: a scalar, or a pointer to the
// element (0, ..., 0), then each open size, then each open stride unless the layout is the
// identity.
func (e *emitter) fields(g *ir.Graph, v ir.Value, t ir.Type, name string) []field {
	if e.ctx.Info(t).Kind != ir.KindMemRef {
		return []field{{e.scalar(g, v, t), name}}
	}
	l := e.layout(g, v, t)
	out := []field{{typeName(e.ctx, l.elem) + " *", name}}
	for i, n := range l.sizes {
		if n == ir.Dynamic {
			out = append(out, field{"int64_t", fmt.Sprintf("%s_size%d", name, i)})
		}
	}
	for i, n := range l.strides {
		if n == ir.Dynamic && !l.ident {
			out = append(out, field{"int64_t", fmt.Sprintf("%s_stride%d", name, i)})
		}
	}
	return out
}
