package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/ir"
)

// A part is a rectangular part of memory whose last dimension has no gaps, as the rows that
// accesses of vectors go by.
type part struct {
	m     *view
	at    []value.Value // indices of the first element
	of    []ir.Value    // the same, untranslated
	shape []int64       // in the last dimensions of memory
	over  []int64       // its dimensions but for the last ones that stand in memory without a gap
}

// partOf is the part that a vector of type t is at operand m of the current op and so many indices
// behind it.
func (f *fn) partOf(operand int, t ir.Type) *part {
	m := f.memArg(operand)
	of := f.g.Args(f.v)[operand+1:][:len(m.sizes)]
	p := &part{m: m, of: of, at: f.valuesOf(of)}
	if t != m.elem {
		p.shape = f.c.Info(t).Shape
	}
	p.over = p.shape[:max(len(p.shape)-1, 0)]
	for k := len(p.over); k > 0 && p.gapless(k); k-- {
		p.over = p.over[:k-1]
	}
	return p
}

// gapless reports that what follows dimension k-1 of the part ends where its next element begins.
func (p *part) gapless(k int) bool {
	stride, ok := number(p.m.strides[len(p.at)-len(p.shape)+k-1])
	return ok && stride == int64(p.columns())
}

// check stops the program where a part does not lie in its memory.
func (p *part) check(f *fn) {
	if f.opts.Unchecked || f.promised() {
		return
	}
	var bad value.Value = bit(false)
	lead := len(p.at) - len(p.shape)
	for d, x := range p.at {
		size := p.m.sizes[d]
		if d < lead {
			if !f.within(x, p.of[d], size) {
				bad = f.or(bad, f.icmp(enum.IPredUGE, x, size))
			}
			continue
		}
		// size is not negative, so the last first index may be but does not overflow.
		most := f.minus(size, i64(p.shape[d-lead]))
		if k, ok := number(most); ok && k >= 0 && f.within(x, p.of[d], i64(k+1)) {
			continue
		}
		bad = f.or(bad, f.or(f.icmp(enum.IPredSLT, x, i64(0)), f.icmp(enum.IPredSGT, x, most)))
	}
	if !p.m.inside && p.m.length != nil {
		n := p.columns()
		p.rows(f, func(first value.Value, _ int) {
			last := f.sum(first, i64(int64(n-1)))
			bad = f.or(bad, f.or(f.icmp(enum.IPredUGE, first, p.m.length), f.icmp(enum.IPredUGE, last, p.m.length)))
		})
	}
	f.check(bad, "index out of bounds")
}

// columns is the number of elements of a row.
func (p *part) columns() int {
	n := 1
	for _, s := range p.shape[len(p.over):] {
		n = ir.Times(n, int(s))
	}
	return n
}

// lanes is the number of elements.
func (p *part) lanes() int {
	n := p.columns()
	for _, s := range p.over {
		n = ir.Times(n, int(s))
	}
	return n
}

// start is the address of the first element.
func (p *part) start(f *fn) value.Value { return f.elementAt(p.m, p.at, p.of) }

// oneRow reports a part that is one row of memory.
func (p *part) oneRow() bool { return len(p.over) == 0 }

// rows calls do with the place of the first element of each row, and the number of its first lane.
func (p *part) rows(f *fn, do func(first value.Value, lane int)) {
	lead, n := len(p.at)-len(p.shape), p.columns()
	over, total := p.over, 1
	for _, s := range over {
		total = ir.Times(total, int(s))
	}
	for r := range total {
		at := append([]value.Value(nil), p.at...)
		rest := int64(r)
		for d := len(over) - 1; d >= 0; d-- {
			at[lead+d] = f.sum(at[lead+d], i64(rest%over[d]), nsw...)
			rest /= over[d]
		}
		do(f.linear(p.m, at), r*n)
	}
}

// rowType is the type of a row in memory.
func (p *part) rowType(f *fn) types.Type {
	return types.NewVector(uint64(p.columns()), memType(f.c, p.m.elem))
}

func emitVectorLoad(f *fn) {
	t := f.g.Type(f.v)
	want := f.llType(t)
	p := f.partOf(0, t)
	p.check(f)
	if t == p.m.elem {
		f.vals[f.v] = val{v: f.loadFrom(f.address(p.m, f.linear(p.m, p.at)), t)}
		return
	}
	if p.oneRow() && f.gpu != nil {
		x := add(f, &llir.InstLoad{ElemType: p.rowType(f), Src: p.start(f), Align: f.alignOfRow(p.m.elem, 0)})
		f.vals[f.v] = val{v: f.narrowed(x, want)}
		return
	}
	rows := f.newJoin(p)
	p.rows(f, func(first value.Value, lane int) {
		row := p.rowType(f)
		rows.add(f, add(f, &llir.InstLoad{ElemType: row, Src: f.address(p.m, first), Align: f.alignOfRow(p.m.elem, lane)}), lane)
	})
	f.vals[f.v] = val{v: f.narrowed(rows.join(f), want)}
}

// joined puts vectors of one length one behind the other.
func (f *fn) joined(rows []value.Value) value.Value {
	for len(rows) > 1 {
		var next []value.Value
		for i := 0; i < len(rows); i += 2 {
			if i+1 == len(rows) {
				next = append(next, rows[i])
				continue
			}
			n, _ := lanesIn(rows[i])
			m, _ := lanesIn(rows[i+1])
			list := make([]int, n+m)
			for k := range list {
				list[k] = k
			}
			next = append(next, f.shuffle(rows[i:i+2], list))
		}
		rows = next
	}
	return rows[0]
}

// lanesFrom is a part of a vector.
func (f *fn) lanesFrom(x value.Value, first, n int) value.Value {
	list := make([]int, n)
	for k := range list {
		list[k] = first + k
	}
	return f.shuffle([]value.Value{x}, list)
}

// inMemory makes lanes whole bytes.
func (f *fn) inMemory(x value.Value, elem ir.Type) value.Value {
	n, _ := lanesIn(x)
	t := types.NewVector(uint64(n), memType(f.c, elem))
	if types.Equal(x.Type(), t) {
		return x
	}
	return add(f, llir.NewZExt(x, t))
}

func emitVectorStore(f *fn) {
	t := f.typeOf(0)
	p := f.partOf(1, t)
	p.check(f)
	x := f.of(f.g.Args(f.v)[0]).v
	if t == p.m.elem {
		f.storeTo(f.address(p.m, f.linear(p.m, p.at)), t, x)
		return
	}
	if p.oneRow() && f.gpu != nil {
		add(f, &llir.InstStore{Src: f.inMemory(x, p.m.elem), Dst: p.start(f), Align: f.alignOfRow(p.m.elem, 0)})
		return
	}
	row := f.newCut(f.inMemory(x, p.m.elem), p)
	p.rows(f, func(first value.Value, lane int) {
		add(f, &llir.InstStore{Src: row(lane), Dst: f.address(p.m, first), Align: f.alignOfRow(p.m.elem, lane)})
	})
}

// alignOfRow is the alignment of a row of a vector: the op may say that of the first.
func (f *fn) alignOfRow(elem ir.Type, lane int) llir.Align {
	if n := f.alignment(); lane == 0 && n > 0 {
		return max(f.alignOf(elem), llir.Align(n))
	}
	return f.alignOf(elem)
}

// A join puts the rows of a part one behind the other.
type join struct {
	rows []value.Value
	in   *scratch // nil: by shuffles
	n    int
}

func (f *fn) newJoin(p *part) *join {
	j := &join{n: p.lanes()}
	if j.n > maxShuffled && len(p.over) > 0 {
		j.in = f.newScratch(scalarOf(p.rowType(f)), j.n)
	}
	return j
}

// add is the row whose first lane is the given one; they come in order.
func (j *join) add(f *fn, row value.Value, lane int) {
	if j.in == nil {
		j.rows = append(j.rows, row)
		return
	}
	j.in.store(f, row, i64(int64(lane)))
}

func (j *join) join(f *fn) value.Value {
	if j.in == nil {
		return f.joined(j.rows)
	}
	return j.in.load(f, i64(0), j.n)
}

// newCut gives the rows of a part, by their first lanes, of a vector.
func (f *fn) newCut(x value.Value, p *part) func(lane int) value.Value {
	n := p.columns()
	if p.lanes() <= maxShuffled || len(p.over) == 0 {
		return func(lane int) value.Value { return f.lanesFrom(x, lane, n) }
	}
	s := f.spilled(x)
	return func(lane int) value.Value { return s.load(f, i64(int64(lane)), n) }
}
