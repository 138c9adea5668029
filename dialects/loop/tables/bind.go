package tables

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run/table"
	"github.com/irc-lang/irc/ir/text"
)

// Wants lists the columns of a table that is to be an argument, a field each; an error says why
// its type is not one of tables.
func Wants(c *ir.Context, t ir.Type) ([]table.Want, error) {
	elem, ok := loop.ElemOf(c, t)
	fields, record := loop.Fields(c, elem)
	if !ok || !record || loop.IsNullable(c, elem) {
		return nil, fmt.Errorf("a table is a value of type !loop.array<!loop.struct<...>>, not of %s", text.TypeString(c, t))
	}
	out := make([]table.Want, len(fields))
	for i, f := range fields {
		w, ok := want(c, f.Name, f.Type)
		if !ok {
			return nil, fmt.Errorf("the field %q is of type %s; a column of a table holds i1, i8, i16, i32, i64, index, f32, f64 or !loop.string, or one of them as !loop.nullable",
				f.Name, text.TypeString(c, f.Type))
		}
		out[i] = w
	}
	return out, nil
}

var kinds = map[ir.Type]table.Kind{ir.I1: table.I1, ir.I8: table.I8, ir.I16: table.I16, ir.I32: table.I32, ir.I64: table.I64,
	ir.Index: table.Index, ir.F32: table.F32, ir.F64: table.F64}

// want is the column for values of a type.
func want(c *ir.Context, name string, t ir.Type) (table.Want, bool) {
	w := table.Want{Name: name, Nullable: loop.IsNullable(c, t)}
	if w.Nullable {
		fields, _ := loop.Fields(c, t)
		t = fields[0].Type
	}
	k, ok := kinds[t]
	if loop.IsString(c, t) {
		k, ok = table.String, true
	}
	w.Kind = k
	return w, ok
}

// parts is how many parts the array of a column has.
func parts(w table.Want) int {
	n := 1
	if w.Kind == table.String {
		n++
	}
	if w.Nullable {
		n++
	}
	return n
}

// Used says which columns a function reads of its parameter that is a table: the parameter
// itself, or the parts that it became. Who asks for a length reads no column.
func Used(g *ir.Graph, wants []table.Want, params []ir.Value) []bool {
	out := make([]bool, len(wants))
	if len(params) == 1 && g.Ctx.Info(g.Type(params[0])).Kind != ir.KindMemRef {
		for _, u := range g.NodeOf(params[0]).Users() {
			switch u.Def() {
			case loop.Len:
			case loop.Column:
				name := g.Ctx.AttrInfo(g.Attr(u.Old(), "name")).Str
				out[slices.IndexFunc(wants, func(w table.Want) bool { return w.Name == name })] = true
			default:
				return slices.Repeat([]bool{true}, len(wants))
			}
		}
		return out
	}
	for i, w := range wants {
		n := parts(w)
		for _, p := range params[:n] {
			for _, u := range g.NodeOf(p).Users() {
				out[i] = out[i] || u.Def() != memref.Dim
			}
		}
		params = params[n:]
	}
	return out
}

// Chosen lists the columns that are used.
func Chosen(wants []table.Want, used []bool) []table.Want {
	var out []table.Want
	for i, w := range wants {
		if used[i] {
			out = append(out, w)
		}
	}
	return out
}

// Parts are the parts of an array for a lowered program: memory over the columns of a table,
// which are those that are used. In place of the others stands memory that is 0.
func Parts(c *ir.Context, wants []table.Want, used []bool, t *table.Table) (out []ir.Val) {
	var zero *interp.Buffer
	columns := t.Columns
	for i, w := range wants {
		if used[i] {
			out, columns = appendParts(out, c, columns[0], t.Rows), columns[1:]
			continue
		}
		if zero == nil {
			zero = interp.Over(c, ir.I64, table.Alloc(8*(t.Rows+1), 0))
			zero.Static = true
		}
		for _, p := range partTypes(w) {
			b, err := zero.View(c, p.elem, 0)
			if err != nil {
				panic(err) // it is aligned
			}
			out = append(out, vector(b, p.size(t.Rows)))
		}
	}
	return out
}

// A part is an array of what a column becomes.
type part struct {
	elem ir.Type
	size func(rows int) int
}

func same(n int) int { return n }

// partTypes lists the parts of a column without values.
func partTypes(w table.Want) (out []part) {
	switch w.Kind {
	case table.String:
		out = []part{{ir.Index, func(n int) int { return n + 1 }}, {ir.I8, func(int) int { return 0 }}}
	default:
		out = []part{{elemOf(w.Kind), same}}
	}
	if w.Nullable {
		out = append(out, part{ir.I1, same})
	}
	return out
}

func elemOf(k table.Kind) ir.Type {
	for t, x := range kinds {
		if x == k {
			return t
		}
	}
	panic("tables: no type is of kind " + k.String())
}

// appendParts appends memory over a column.
func appendParts(out []ir.Val, c *ir.Context, col *table.Column, rows int) []ir.Val {
	if col.Kind == table.String {
		out = append(out, over(c, ir.Index, table.Bytes(col.Offsets), rows+1), over(c, ir.I8, col.Data, len(col.Data)))
	} else {
		out = append(out, over(c, elemOf(col.Kind), col.Data, rows))
	}
	if col.Nullable {
		out = append(out, over(c, ir.I1, col.Valid, rows))
	}
	return out
}

func over(c *ir.Context, elem ir.Type, data []byte, n int) ir.Val {
	b := interp.Over(c, elem, data)
	b.Static = true
	return vector(b, n)
}

// vector is a memref of n elements from the first.
func vector(b *interp.Buffer, n int) ir.Val {
	return (&interp.MemRef{Buf: b, Sizes: []int64{int64(n)}, Strides: []int64{1}}).Val()
}
