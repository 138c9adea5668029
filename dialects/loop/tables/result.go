package tables

import (
	"encoding/binary"
	"fmt"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run/table"
	"github.com/irc-lang/irc/ir/text"
)

// Of makes a table of the results of a function, given by their parts: of an array of structs a
// column for each field, of another array one, of groups one for each key, and so of each field
// of a struct. They have the names of the fields, and resultN as the first word where there are
// several results.
func Of(c *ir.Context, types []ir.Type, parts []ir.Val) (*table.Table, error) {
	m := &maker{c: c, parts: parts, t: &table.Table{Rows: -1}}
	for i, t := range types {
		name := ""
		if len(types) > 1 {
			name = fmt.Sprintf("result%d", i)
		}
		if err := m.value(name, t); err != nil {
			return nil, err
		}
	}
	if m.t.Rows < 0 {
		return nil, fmt.Errorf("the function has no result")
	}
	return m.t, nil
}

// maker takes parts, in order, for columns.
type maker struct {
	c     *ir.Context
	parts []ir.Val
	t     *table.Table
}

func (m *maker) next() *interp.MemRef {
	r := m.parts[0].Ref.(*interp.MemRef)
	m.parts = m.parts[1:]
	return r
}

// value makes the columns of a result or of a field of one.
func (m *maker) value(name string, t ir.Type) error {
	if keys, ok := loop.KeysOf(m.c, t); ok {
		for i, k := range keys {
			if err := m.array(join(name, fmt.Sprintf("key%d", i)), k); err != nil {
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

// join puts names together.
func join(name, field string) string {
	if name == "" {
		return field
	}
	return name + "." + field
}

// array makes the columns of an array.
func (m *maker) array(name string, elem ir.Type) error {
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
	col := table.NewColumn(w)
	if w.Kind == table.String {
		col.Offsets = col.Offsets[:0]
		offsets, _ := load(nil, m.next(), 8)
		for ; len(offsets) > 0; offsets = offsets[8:] {
			col.Offsets = append(col.Offsets, int64(binary.LittleEndian.Uint64(offsets)))
		}
	}
	var poison, none []int
	col.Data, poison = load(col.Data, m.next(), w.Kind.Size())
	if w.Nullable {
		col.Valid, none = load(nil, m.next(), 1)
	}
	for _, row := range append(none, poison...) {
		if !col.Null(row) { // what is null has no value that counts
			return fmt.Errorf("column %q: row %d is poison", w.Name, row)
		}
	}
	if m.t.Rows >= 0 && m.t.Rows != col.Rows() {
		return fmt.Errorf("column %q has %d rows, and column %q has %d: a table has columns of one length", m.t.Columns[0].Name, m.t.Rows, w.Name, col.Rows())
	}
	m.t.Rows, m.t.Columns = col.Rows(), append(m.t.Columns, col)
	return nil
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
