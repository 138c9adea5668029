package vectors

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/backends/llvm/internal/memory"
	"github.com/irc-lang/irc/ir"
)

// A part is a rectangular part of memory whose last dimension has no gaps, as the rows that
// accesses of vectors go by.
type part struct {
	m     *emit.View
	at    []value.Value // indices of the first element
	of    []ir.Value    // the same, untranslated
	shape []int64       // in the last dimensions of memory
	over  []int64       // its dimensions but for the last ones that stand in memory without a gap
}

// partOf is the part that a vector of type t is at operand m of the current op and so many indices
// behind it.
func partOf(f *emit.Fn, operand int, t ir.Type) *part {
	m := f.MemArg(operand)
	of := f.G.Args(f.V)[operand+1:][:len(m.Sizes)]
	p := &part{m: m, of: of, at: f.ValuesOf(of)}
	if t != m.Elem {
		p.shape = f.C.Info(t).Shape
	}
	p.over = p.shape[:max(len(p.shape)-1, 0)]
	for k := len(p.over); k > 0 && p.gapless(k); k-- {
		p.over = p.over[:k-1]
	}
	return p
}

// gapless reports that what follows dimension k-1 of the part ends where its next element begins.
func (p *part) gapless(k int) bool {
	stride, ok := lit.Number(p.m.Strides[len(p.at)-len(p.shape)+k-1])
	return ok && stride == int64(p.columns())
}

// check stops the program where a part does not lie in its memory.
func (p *part) check(f *emit.Fn) {
	if f.Opts.Unchecked || f.Promised() {
		return
	}
	var bad value.Value = lit.Bit(false)
	lead := len(p.at) - len(p.shape)
	for d, x := range p.at {
		size := p.m.Sizes[d]
		if d < lead {
			if !f.Within(x, p.of[d], size) {
				bad = f.B.Or(bad, f.B.Icmp(enum.IPredUGE, x, size))
			}
			continue
		}
		// size is not negative, so the last first index may be but does not overflow.
		most := f.B.Minus(size, lit.I64(p.shape[d-lead]))
		if k, ok := lit.Number(most); ok && k >= 0 && f.Within(x, p.of[d], lit.I64(k+1)) {
			continue
		}
		bad = f.B.Or(bad, f.B.Or(f.B.Icmp(enum.IPredSLT, x, lit.I64(0)), f.B.Icmp(enum.IPredSGT, x, most)))
	}
	if !p.m.Inside && p.m.Length != nil {
		n := p.columns()
		p.rows(f, func(first value.Value, _ int) {
			last := f.B.Sum(first, lit.I64(int64(n-1)))
			bad = f.B.Or(bad, f.B.Or(f.B.Icmp(enum.IPredUGE, first, p.m.Length), f.B.Icmp(enum.IPredUGE, last, p.m.Length)))
		})
	}
	f.Check(bad, "index out of bounds")
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
func (p *part) start(f *emit.Fn) value.Value { return f.ElementAt(p.m, p.at, p.of) }

// oneRow reports a part that is one row of memory.
func (p *part) oneRow() bool { return len(p.over) == 0 }

// rows calls do with the place of the first element of each row, and the number of its first lane.
func (p *part) rows(f *emit.Fn, do func(first value.Value, lane int)) {
	lead, n := len(p.at)-len(p.shape), p.columns()
	over, total := p.over, 1
	for _, s := range over {
		total = ir.Times(total, int(s))
	}
	for r := range total {
		at := append([]value.Value(nil), p.at...)
		rest := int64(r)
		for d := len(over) - 1; d >= 0; d-- {
			at[lead+d] = f.B.Sum(at[lead+d], lit.I64(rest%over[d]), emit.Nsw...)
			rest /= over[d]
		}
		do(f.B.Linear(p.m, at), r*n)
	}
}

// rowType is the type of a row in memory.
func (p *part) rowType(f *emit.Fn) types.Type {
	return types.NewVector(uint64(p.columns()), lit.MemType(f.C, p.m.Elem))
}

func emitVectorLoad(f *emit.Fn) {
	t := f.G.Type(f.V)
	want := f.LLType(t)
	p := partOf(f, 0, t)
	p.check(f)
	if t == p.m.Elem {
		f.Vals[f.V] = emit.Val{V: memory.LoadFrom(f, f.B.Address(p.m, f.B.Linear(p.m, p.at)), t)}
		return
	}
	if p.oneRow() && f.Gpu != nil {
		x := emit.Add(f.B, &llir.InstLoad{ElemType: p.rowType(f), Src: p.start(f), Align: alignOfRow(f, p.m.Elem, 0)})
		f.Vals[f.V] = emit.Val{V: f.B.Narrowed(x, want)}
		return
	}
	rows := newJoin(f, p)
	p.rows(f, func(first value.Value, lane int) {
		row := p.rowType(f)
		rows.add(f, emit.Add(f.B, &llir.InstLoad{ElemType: row, Src: f.B.Address(p.m, first), Align: alignOfRow(f, p.m.Elem, lane)}), lane)
	})
	f.Vals[f.V] = emit.Val{V: f.B.Narrowed(rows.join(f), want)}
}

// joined puts vectors of one length one behind the other.
func joined(f *emit.Fn, rows []value.Value) value.Value {
	for len(rows) > 1 {
		var next []value.Value
		for i := 0; i < len(rows); i += 2 {
			if i+1 == len(rows) {
				next = append(next, rows[i])
				continue
			}
			n, _ := emit.LanesIn(rows[i])
			m, _ := emit.LanesIn(rows[i+1])
			list := make([]int, n+m)
			for k := range list {
				list[k] = k
			}
			next = append(next, shuffle(f, rows[i:i+2], list))
		}
		rows = next
	}
	return rows[0]
}

// lanesFrom is a part of a vector.
func lanesFrom(f *emit.Fn, x value.Value, first, n int) value.Value {
	list := make([]int, n)
	for k := range list {
		list[k] = first + k
	}
	return shuffle(f, []value.Value{x}, list)
}

// inMemory makes lanes whole bytes.
func inMemory(f *emit.Fn, x value.Value, elem ir.Type) value.Value {
	n, _ := emit.LanesIn(x)
	t := types.NewVector(uint64(n), lit.MemType(f.C, elem))
	if types.Equal(x.Type(), t) {
		return x
	}
	return emit.Add(f.B, llir.NewZExt(x, t))
}

func emitVectorStore(f *emit.Fn) {
	t := f.TypeOf(0)
	p := partOf(f, 1, t)
	p.check(f)
	x := f.Of(f.G.Args(f.V)[0]).V
	if t == p.m.Elem {
		memory.StoreTo(f, f.B.Address(p.m, f.B.Linear(p.m, p.at)), t, x)
		return
	}
	if p.oneRow() && f.Gpu != nil {
		emit.Add(f.B, &llir.InstStore{Src: inMemory(f, x, p.m.Elem), Dst: p.start(f), Align: alignOfRow(f, p.m.Elem, 0)})
		return
	}
	row := newCut(f, inMemory(f, x, p.m.Elem), p)
	p.rows(f, func(first value.Value, lane int) {
		emit.Add(f.B, &llir.InstStore{Src: row(lane), Dst: f.B.Address(p.m, first), Align: alignOfRow(f, p.m.Elem, lane)})
	})
}

// alignOfRow is the alignment of a row of a vector: the op may say that of the first.
func alignOfRow(f *emit.Fn, elem ir.Type, lane int) llir.Align {
	if n := memory.Alignment(f); lane == 0 && n > 0 {
		return max(memory.AlignOf(f, elem), llir.Align(n))
	}
	return memory.AlignOf(f, elem)
}

// A join puts the rows of a part one behind the other.
type join struct {
	rows []value.Value
	in   *emit.Scratch // nil: by shuffles
	n    int
}

func newJoin(f *emit.Fn, p *part) *join {
	j := &join{n: p.lanes()}
	if j.n > emit.MaxShuffled && len(p.over) > 0 {
		j.in = f.B.NewScratch(emit.ScalarOf(p.rowType(f)), j.n)
	}
	return j
}

// add is the row whose first lane is the given one; they come in order.
func (j *join) add(f *emit.Fn, row value.Value, lane int) {
	if j.in == nil {
		j.rows = append(j.rows, row)
		return
	}
	j.in.Store(f.B, row, lit.I64(int64(lane)))
}

func (j *join) join(f *emit.Fn) value.Value {
	if j.in == nil {
		return joined(f, j.rows)
	}
	return j.in.Load(f.B, lit.I64(0), j.n)
}

// newCut gives the rows of a part, by their first lanes, of a vector.
func newCut(f *emit.Fn, x value.Value, p *part) func(lane int) value.Value {
	n := p.columns()
	if p.lanes() <= emit.MaxShuffled || len(p.over) == 0 {
		return func(lane int) value.Value { return lanesFrom(f, x, lane, n) }
	}
	s := f.B.Spilled(x)
	return func(lane int) value.Value { return s.Load(f.B, lit.I64(int64(lane)), n) }
}
