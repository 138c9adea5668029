package sparse

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// A cell is what is known of an element of memory. A number that is known is in the memory itself.
type cell struct {
	on    *set
	known bool
}

// cellsOf are the elements of the memory that a view is of. Integers that are there from the beginning are known.
func (x *analysis) cellsOf(r *interp.MemRef) []cell {
	cells, ok := x.cells[r.Buf.Memory]
	if !ok {
		whole := r.Buf.Whole()
		cells = make([]cell, whole.Len())
		for i := range cells {
			cells[i].known = !isFloat(x.c, whole.Elem)
		}
		x.cells[r.Buf.Memory] = cells
	}
	return cells
}

// allocate makes memory, of which nothing is known. Of a size that a float decides it has one element, which stands for all. Where it is weak, one stands for all that the op makes of this size, so
// that there is an end of rounds that change something.
func (f *frame) allocate(o *op) error {
	if o.allocation.From != 0 {
		return o.unknown("takes over other memory")
	}
	info, known := f.c.Info(o.n.Type()), true
	sizes, next := make([]int64, len(info.Shape)), 0
	for i, n := range info.Shape {
		if sizes[i] = n; n == ir.Dynamic {
			size := f.get(o.allocation.Sizes[next])
			if sizes[i], next = 1, next+1; size.known {
				sizes[i] = size.val.Int(64)
			}
			known = known && size.known
		}
	}
	key := fmt.Sprint(o.n.Old(), f.depth, sizes)
	r := f.fresh[key]
	if r == nil || f.weak == 0 {
		var err error
		if r, err = f.memory(o, info, sizes, known); err != nil {
			return err
		}
		f.cells[r.Buf.Memory] = make([]cell, r.Buf.Len())
	}
	if f.weak > 0 {
		f.fresh[key] = r
	}
	f.set(o.n.Old(), 0, value{val: r.Val(), known: known})
	return nil
}

// memory is that of an allocation.
func (f *frame) memory(o *op, info *ir.TypeInfo, sizes []int64, known bool) (*interp.MemRef, error) {
	if info.Layout == 0 || !known {
		return f.m.NewMemRef(info.Elem, sizes...)
	}
	out, err := f.runs(o)
	if err != nil {
		return nil, err
	}
	return out[0].Ref.(*interp.MemRef), nil
}

// view gives memory that is its source, or a part of it.
func (f *frame) view(o *op) error {
	for _, a := range o.args {
		if !f.get(a).known { // some part of it
			f.set(o.n.Old(), 0, value{val: f.get(o.view.Source).val})
			return nil
		}
	}
	out, err := f.runs(o)
	if err != nil {
		return err
	}
	f.set(o.n.Old(), 0, value{val: out[0], known: true})
	return nil
}

// span is what an access may touch: one element, or all of a memory.
type span struct {
	r     *interp.MemRef
	cells []cell
	pos   int // of the one, or -1
}

// span of an access; nil if its indices are outside of the memory, where the run ends or never comes.
func (f *frame) span(o *op, a ir.Access) (*span, error) {
	m := f.get(a.Memory)
	r, ok := m.val.Ref.(*interp.MemRef)
	if !ok {
		return nil, o.unknown("reaches memory that is one of several")
	}
	s := &span{r: r, cells: f.cellsOf(r), pos: -1}
	if !m.known || r.Buf != r.Buf.Whole() || a.Extents != nil || len(a.Indices) != len(r.Sizes) {
		return s, nil
	}
	at := make([]ir.Val, len(a.Indices))
	for i, v := range a.Indices {
		index := f.get(v)
		if !index.known {
			return s, nil
		}
		at[i] = index.val
	}
	pos, err := r.At(at)
	if err != nil {
		return nil, nil
	}
	s.pos = pos
	return s, nil
}

// read is what the elements have in common.
func (f *frame) read(s *span) value {
	if s.pos >= 0 {
		c := s.cells[s.pos]
		out := value{known: c.known, on: c.on}
		if c.known {
			out.val = s.r.Buf.Load(s.pos)
		}
		return out
	}
	var out value
	for _, c := range s.cells {
		out.on = union(out.on, c.on)
	}
	return out
}

// write stores a value: in the place of what was there, if it is sure where, and that it is done.
func (f *frame) write(s *span, v value) {
	if s.pos >= 0 && f.weak == 0 {
		s.cells[s.pos] = cell{on: v.on, known: v.known}
		if v.known {
			s.r.Buf.Store(s.pos, v.val)
		}
		return
	}
	first, last := s.pos, s.pos
	if s.pos < 0 {
		first, last = 0, len(s.cells)-1
	}
	for i := first; i <= last; i++ {
		c := &s.cells[i]
		known := c.known && v.known && same(s.r.Buf.Whole().Load(i), v.val)
		on := union(c.on, v.on)
		if known != c.known || on.size() != c.on.size() {
			f.changed = true
		}
		*c = cell{on: on, known: known}
	}
}

// access reads and writes. Each read may reach each write, and each result.
func (f *frame) access(o *op) error {
	if o.n.Def() == memref.Copy && f.copies(o) {
		return nil
	}
	var got value
	var to []*span
	for i, a := range o.access.Accesses {
		s, err := f.span(o, a)
		if err != nil {
			return err
		}
		if s == nil {
			to = append(to, nil)
			continue
		}
		if a.Reads {
			if v := f.read(s); i == 0 {
				got = v
			} else {
				got = value{on: union(got.on, v.on)}
			}
		}
		to = append(to, s)
	}
	mixed := value{on: got.on}
	for _, v := range o.args {
		mixed.on = union(mixed.on, f.get(v).on)
	}
	for i, a := range o.access.Accesses {
		switch {
		case !a.Writes || to[i] == nil:
		case a.Stored != 0:
			f.write(to[i], f.get(a.Stored))
		default:
			f.write(to[i], mixed)
		}
	}
	for k := range f.g.Results(o.n.Old()) {
		switch {
		case len(to) == 1 && !o.access.Accesses[0].Writes && to[0] != nil && to[0].pos >= 0:
			f.set(o.n.Old(), k, got)
		case isFloat(f.c, o.n.Type()):
			f.set(o.n.Old(), k, mixed)
		default:
			f.set(o.n.Old(), k, value{})
		}
	}
	return nil
}

// copies copies element by element, and reports whether it is known of which memory.
func (f *frame) copies(o *op) bool {
	from, to := f.get(o.args[0]), f.get(o.args[1])
	a, ok := from.val.Ref.(*interp.MemRef)
	b, ok2 := to.val.Ref.(*interp.MemRef)
	if !ok || !ok2 || !from.known || !to.known || a.Buf != a.Buf.Whole() || b.Buf != b.Buf.Whole() || a.Len() != b.Len() {
		return false
	}
	var got []value
	cells := f.cellsOf(a)
	a.Each(func(pos int) { got = append(got, f.read(&span{a, cells, pos})) })
	cells = f.cellsOf(b)
	b.Each(func(pos int) {
		f.write(&span{b, cells, pos}, got[0])
		got = got[1:]
	})
	return true
}
