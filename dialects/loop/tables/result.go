package tables

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run/table"
	"github.com/irc-lang/irc/ir/text"
)

// Columns lists the columns of the table that results of the given types make: of an array of
// structs one for each field, of another array one, of groups one for each key, and so of each
// field of a struct. They have the names of the fields, and resultN as the first word where
// there are several results; where there is no name, it is result, or keyN of several keys.
func Columns(c *ir.Context, types []ir.Type) ([]table.Want, error) {
	m := &namer{c: c}
	for i, t := range types {
		name := ""
		if len(types) > 1 {
			name = fmt.Sprintf("result%d", i)
		}
		if err := m.value(name, t); err != nil {
			return nil, err
		}
	}
	if len(types) == 0 {
		return nil, errors.New("the function has no result")
	}
	return m.columns, nil
}

// namer lists columns in the order of the parts.
type namer struct {
	c       *ir.Context
	columns []table.Want
}

// value lists the columns of a result or of a field of one.
func (m *namer) value(name string, t ir.Type) error {
	if keys, ok := loop.KeysOf(m.c, t); ok {
		for i, k := range keys {
			of := name
			if len(keys) > 1 {
				of = join(name, fmt.Sprintf("key%d", i))
			}
			if err := m.array(of, k); err != nil {
				return err
			}
		}
		return nil
	}
	if fields, ok := loop.Fields(m.c, t); ok && !loop.IsNullable(m.c, t) {
		for _, f := range fields {
			if err := m.value(join(name, f.Name), f.Type); err != nil {
				return err
			}
		}
		return nil
	}
	if elem, ok := loop.ElemOf(m.c, t); ok && !loop.IsString(m.c, t) {
		return m.array(name, elem)
	}
	return fmt.Errorf("a result of type %s is no table: an array is one, of structs, numbers or strings", text.TypeString(m.c, t))
}

// array lists the columns of an array.
func (m *namer) array(name string, elem ir.Type) error {
	if fields, ok := loop.Fields(m.c, elem); ok && !loop.IsNullable(m.c, elem) {
		for _, f := range fields {
			if err := m.array(join(name, f.Name), f.Type); err != nil {
				return err
			}
		}
		return nil
	}
	if name == "" {
		name = "result"
	}
	w, ok := want(m.c, name, elem)
	if !ok {
		return fmt.Errorf("column %q would hold values of type %s, which are no cells", name, text.TypeString(m.c, elem))
	}
	m.columns = append(m.columns, w)
	return nil
}

// join puts names together.
func join(name, field string) string {
	if name == "" {
		return field
	}
	return name + "." + field
}

// Of makes the table of the results of a function, given by their parts.
func Of(c *ir.Context, types []ir.Type, parts []ir.Val) (*table.Table, error) {
	wants, err := Columns(c, types)
	if err != nil {
		return nil, err
	}
	next := func() *interp.MemRef {
		r := parts[0].Ref.(*interp.MemRef)
		parts = parts[1:]
		return r
	}
	t := &table.Table{}
	for i, w := range wants {
		col, err := column(w, next)
		if err != nil {
			return nil, err
		}
		if i > 0 && t.Rows != col.Rows() {
			return nil, fmt.Errorf("column %q has %d rows, and column %q has %d: a table has columns of one length", wants[0].Name, t.Rows, w.Name, col.Rows())
		}
		t.Rows, t.Columns = col.Rows(), append(t.Columns, col)
	}
	return t, nil
}

// column takes the parts of a column.
func column(w table.Want, next func() *interp.MemRef) (*table.Column, error) {
	col := table.NewColumn(w)
	if w.Kind == table.String {
		col.Offsets = col.Offsets[:0]
		offsets, _ := load(nil, next(), 8)
		for ; len(offsets) > 0; offsets = offsets[8:] {
			col.Offsets = append(col.Offsets, int64(binary.LittleEndian.Uint64(offsets)))
		}
	}
	var poison, none []int
	col.Data, poison = load(col.Data, next(), w.Kind.Size())
	if w.Nullable {
		col.Valid, none = load(nil, next(), 1)
	}
	for _, row := range append(none, poison...) {
		if w.Kind == table.String || !col.Null(row) { // what is null has no value that counts
			return nil, fmt.Errorf("column %q: row %d is poison", w.Name, row)
		}
	}
	return col, nil
}

// load copies the elements of a memref, numbers of some bytes, and lists those that are poison.
func load(out []byte, r *interp.MemRef, size int) (data []byte, poison []int) {
	out = table.Reserve(out, size*int(r.Len()), 0)
	row := 0
	r.Each(func(pos int) {
		v := r.Buf.Load(pos)
		if v.IsPoison() {
			poison = append(poison, row)
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], v.Bits)
		out = append(out, word[:size]...)
		row++
	})
	return out, poison
}
