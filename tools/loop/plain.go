package loop

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/run/table"
)

// A plain is how rows of a shape lie in Go's memory: in values of a type, with a field for
// each expression, or in slices of such.
type plain struct {
	typ    reflect.Type // of a row
	fields []plainField
}

type plainField struct {
	offset uintptr
	cell
	typ reflect.Type
}

var goKinds = map[reflect.Kind]table.Kind{reflect.Bool: table.I1, reflect.Int8: table.I8, reflect.Int16: table.I16, reflect.Int32: table.I32,
	reflect.Int64: table.I64, reflect.Int: table.I64, reflect.Float32: table.F32, reflect.Float64: table.F64, reflect.String: table.String}

// plain finds the expressions of a shape in a type; what says whose type that is.
func (s *shape) plain(t reflect.Type, slice bool, what string) *plain {
	if slice {
		if t == nil || t.Kind() != reflect.Slice {
			fail("%s is rows, and %v is no slice: it is []T for a type T of %s", what, t, s.describe())
		}
		t = t.Elem()
	}
	p := &plain{typ: t}
	if s.single != nil {
		want := s.single.cell()
		if x, ok := cellOf(t); !ok || x != want {
			fail("%s is of type %s, not %v", what, want, t)
		}
		p.fields = []plainField{{0, want, t}}
		return p
	}
	if t == nil || t.Kind() != reflect.Struct {
		fail("%s is of %s, and %v is no struct", what, s.describe(), t)
	}
	var has []string
	byName := map[string]reflect.StructField{}
	for i := range t.NumField() {
		f := t.Field(i)
		has = append(has, nameOf(f))
		byName[nameOf(f)] = f
	}
	for _, f := range s.fields {
		x, ok := byName[f.name]
		if !ok {
			i := slices.IndexFunc(has, func(h string) bool {
				return strings.EqualFold(strings.ReplaceAll(h, "_", ""), strings.ReplaceAll(f.name, "_", ""))
			})
			if i >= 0 {
				fail("%s has the column %q, and %v has none; its field for %q may say so by a tag: `loop:%q`", what, f.name, t, has[i], f.name)
			}
			fail("%s has the column %q, and %v has only %s", what, f.name, t, list(has))
		}
		want := f.zero.cell()
		if has, ok := cellOf(x.Type); !ok || has != want {
			fail("%s: the column %q is %s in the query, and the field %s of %v is %v", what, f.name, want, x.Name, t, x.Type)
		}
		p.fields = append(p.fields, plainField{x.Offset, want, x.Type})
	}
	return p
}

// cellOf is what values of a type of Go are; a pointer is what may be missing.
func cellOf(t reflect.Type) (x cell, ok bool) {
	if t == nil {
		return cell{}, false
	}
	if t.Kind() == reflect.Pointer {
		x.nullable, t = true, t.Elem()
	}
	x.kind, ok = goKinds[t.Kind()]
	return x, ok
}

// describe says what rows of a shape are.
func (s *shape) describe() string {
	if s.single != nil {
		return s.single.cell().String()
	}
	out := lists.Map(s.fields, func(f shapeField) string { return f.name + " " + f.zero.cell().String() })
	return "struct {" + strings.Join(out, "; ") + "}"
}

// scalar is a single plain value.
func (p *plain) scalar(v reflect.Value) ir.Val {
	if p.fields[0].nullable {
		one := &plain{fields: []plainField{{cell: cell{kind: p.fields[0].kind}}}}
		if v.IsNil() {
			return ir.Val{Ref: ir.Vector{one.scalar(reflect.Zero(v.Type().Elem())), ir.BoolVal(false)}}
		}
		return ir.Val{Ref: ir.Vector{one.scalar(v.Elem()), ir.BoolVal(true)}}
	}
	switch v.Kind() {
	case reflect.String:
		return loop.Str(v.String())
	case reflect.Bool:
		return ir.BoolVal(v.Bool())
	case reflect.Float32, reflect.Float64:
		return ir.FloatVal(v.Float(), types[p.fields[0].kind])
	}
	return ir.IntVal(v.Int(), 8*p.fields[0].kind.Size())
}

// set makes a plain value of the values of its fields.
func (p *plain) set(at reflect.Value, vals []ir.Val) error {
	for i, f := range p.fields {
		to := unsafe.Add(at.Addr().UnsafePointer(), f.offset)
		if f.nullable {
			both := vals[i].Ref.(ir.Vector)
			if !both[1].IsPoison() && both[1].Bits == 0 {
				continue
			}
			x, one := reflect.New(f.typ.Elem()), &plain{fields: []plainField{{cell: cell{kind: f.kind}}}}
			if err := one.set(x.Elem(), both[:1]); err != nil {
				return err
			}
			reflect.NewAt(f.typ, to).Elem().Set(x)
			continue
		}
		if vals[i].IsPoison() {
			return fmt.Errorf("loop: value %d of the result is poison: a float did not fit into an integer", i)
		}
		if f.kind == table.String {
			*(*string)(to) = loop.Text(vals[i])
			continue
		}
		bits := vals[i].Bits // little-endian, as all that is compiled
		move(f.kind.Size(), to, 0, unsafe.Pointer(&bits), 0, 1)
	}
	return nil
}

// columns copies the columns of a slice that are used.
func (p *plain) columns(slice any, wants []table.Want, used []bool) *table.Table {
	v := reflect.ValueOf(slice)
	t := &table.Table{Rows: v.Len()}
	for i, w := range wants {
		if !used[i] {
			continue
		}
		col := table.NewColumn(w)
		if at := unsafe.Add(v.UnsafePointer(), p.fields[i].offset); v.Len() > 0 {
			p.fields[i].gather(col, at, p.typ.Size(), v.Len())
		}
		t.Columns = append(t.Columns, col)
	}
	return t
}

// gather reads n values that lie stride bytes apart.
func (f plainField) gather(col *table.Column, at unsafe.Pointer, stride uintptr, n int) {
	if f.nullable {
		zero := reflect.New(f.typ.Elem()).UnsafePointer()
		all := reflect.MakeSlice(reflect.SliceOf(f.typ.Elem()), n, n)
		col.Valid = make([]byte, n)
		for i := range n {
			from := *(*unsafe.Pointer)(unsafe.Add(at, uintptr(i)*stride))
			if from == nil {
				from = zero
			} else {
				col.Valid[i] = 1
			}
			all.Index(i).Set(reflect.NewAt(f.typ.Elem(), from).Elem())
		}
		at, stride = all.UnsafePointer(), f.typ.Elem().Size()
	}
	if col.Kind == table.String {
		size := 0
		for i := range n {
			size += len(*(*string)(unsafe.Add(at, uintptr(i)*stride)))
		}
		col.Data = table.Alloc(0, size)
		for i := range n {
			col.Data = append(col.Data, *(*string)(unsafe.Add(at, uintptr(i)*stride))...)
			col.Offsets = append(col.Offsets, int64(len(col.Data)))
		}
		return
	}
	col.Data = table.Alloc(n*col.Kind.Size(), 0)
	to := unsafe.Pointer(unsafe.SliceData(col.Data))
	move(col.Kind.Size(), to, uintptr(col.Kind.Size()), at, stride, n)
}

// move copies n values of some bytes, 1, 2, 4 or 8, that lie apart.
func move(size int, to unsafe.Pointer, toStride uintptr, from unsafe.Pointer, stride uintptr, n int) {
	switch size {
	case 1:
		copyEach[uint8](to, toStride, from, stride, n)
	case 2:
		copyEach[uint16](to, toStride, from, stride, n)
	case 4:
		copyEach[uint32](to, toStride, from, stride, n)
	default:
		copyEach[uint64](to, toStride, from, stride, n)
	}
}

func copyEach[T any](to unsafe.Pointer, toStride uintptr, from unsafe.Pointer, stride uintptr, n int) {
	for i := range uintptr(n) {
		*(*T)(unsafe.Add(to, i*toStride)) = *(*T)(unsafe.Add(from, i*stride))
	}
}

// rows makes a slice of a table.
func (p *plain) rows(at reflect.Value, t *table.Table) {
	at.Set(reflect.MakeSlice(at.Type(), t.Rows, t.Rows))
	if t.Rows == 0 {
		return
	}
	stride := p.typ.Size()
	for i, f := range p.fields {
		col, to := t.Columns[i], unsafe.Add(at.UnsafePointer(), f.offset)
		if f.nullable {
			f.pointers(to, stride, col, t.Rows)
			continue
		}
		if f.kind != table.String {
			move(f.kind.Size(), to, stride, unsafe.Pointer(unsafe.SliceData(col.Data)), uintptr(f.kind.Size()), t.Rows)
			continue
		}
		for row := range t.Rows {
			*(*string)(unsafe.Add(to, uintptr(row)*stride)) = string(col.Text(row))
		}
	}
}

// pointers makes pointers to the values that are there.
func (f plainField) pointers(to unsafe.Pointer, stride uintptr, col *table.Column, n int) {
	one := &plain{typ: f.typ.Elem(), fields: []plainField{{cell: cell{kind: f.kind}}}}
	all := reflect.New(reflect.SliceOf(one.typ)).Elem()
	one.rows(all, &table.Table{Rows: n, Columns: []*table.Column{col}})
	for i := range n {
		if !col.Null(i) {
			reflect.NewAt(f.typ, unsafe.Add(to, uintptr(i)*stride)).Elem().Set(all.Index(i).Addr())
		}
	}
}
