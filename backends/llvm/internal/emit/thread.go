package emit

import (
	"cmp"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
)

// Control flow that was read as blocks is structured, and what has no structure of its own goes through dispatchers: a number
// says which block is next, and a switch at a join asks for it. LLVM threads such jumps one by one, each with a repair
// of its values, which takes the square of their number. Where a function has many, they go back to blocks here: an edge
// whose number is a constant goes where the switch would lead it. Phis become memory, which LLVM makes values
// again, all at once (SROA, after Cytron et al., "Efficiently computing static single assignment form", 1991).

const (
	manyDispatchers = 48      // from how many on the edges of a function are threaded
	mostHops        = 1 << 13 // dispatchers that one edge skips
)

// threading is of one function.
type threading struct {
	b     *Builder
	phis  []*llir.InstPhi
	index map[*llir.InstPhi]int
	slots []Alloca
	edges map[*llir.Block][]*edge        // those that leave a block
	tests map[*llir.Block]*llir.InstICmp // what a block that only branches compares before
	live  map[*llir.Block]slotSet        // phis whose memory is read before it is written, from the beginning of a block

	columns map[arrival][]value.Value // what the phis of a block are, by where it is come from
	is      []value.Value             // what phis are on the way along an edge
	met     []int                     // of which that is known
}

// edge is a way from a block to the next that computes something, or of which is not known where it goes on.
type edge struct {
	at *value.Value // where the terminator names the target
	to *llir.Block
	is []assigned // what the phis on the way are then
}

// assigned is a phi, by its number, and what it becomes.
type assigned struct {
	phi int
	x   value.Value
}

// arrival is a way into a block.
type arrival struct{ at, from *llir.Block }

// slotSet is a set of small numbers.
type slotSet []uint64

func (b slotSet) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }
func (b slotSet) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b slotSet) remove(i int)   { b[i/64] &^= 1 << (i % 64) }

// thread threads the edges of a function with many dispatchers.
func (ib *Builder) thread() {
	n := 0
	for _, b := range ib.Func.Blocks {
		if s, ok := b.Term.(*llir.TermSwitch); ok && onlyPhis(b) && definedIn(b, s.X) {
			n++
		}
	}
	if n < cmp.Or(ib.e.Opts.Dispatchers, manyDispatchers) || ib.e.Gpu != nil {
		return
	}
	t := &threading{b: ib, index: map[*llir.InstPhi]int{}, edges: map[*llir.Block][]*edge{}, live: map[*llir.Block]slotSet{}}
	for _, b := range ib.Func.Blocks {
		for _, phi := range phisOf(b) {
			t.index[phi] = len(t.phis)
			t.phis = append(t.phis, phi)
			t.slots = append(t.slots, Alloca{&llir.InstAlloca{ElemType: phi.Typ}})
		}
	}
	t.findTests()
	t.is, t.columns = make([]value.Value, len(t.phis)), map[arrival][]value.Value{}
	for _, b := range ib.Func.Blocks {
		for _, at := range successors(b.Term) {
			t.edges[b] = append(t.edges[b], t.follow(b, at))
		}
	}
	t.reachable()
	t.liveness()
	var made []*llir.Block
	used := make(slotSet, (len(t.phis)+63)/64)
	for _, b := range ib.Func.Blocks {
		t.load(b)
		for _, e := range t.edges[b] {
			made = append(made, t.write(b, e, used)...)
		}
	}
	ib.Func.Blocks = append(ib.Func.Blocks, made...)
	for i, slot := range t.slots {
		if used.has(i) {
			ib.Top = append(ib.Top, slot)
		}
	}
}

// findTests finds the blocks of phis that compare a number with a constant and branch, and that compute
// nothing for others.
func (t *threading) findTests() {
	t.tests = map[*llir.Block]*llir.InstICmp{}
	uses := map[value.Value]int{}
	for _, b := range t.b.Func.Blocks {
		t.reads(b, func(v value.Value) value.Value {
			if i, ok := v.(*llir.InstICmp); ok {
				uses[i]++
			}
			return v
		})
		for _, phi := range phisOf(b) {
			for _, in := range phi.Incs {
				if i, ok := in.X.(*llir.InstICmp); ok {
					uses[i]++
				}
			}
		}
	}
	for _, b := range t.b.Func.Blocks {
		if n := len(phisOf(b)); n+1 == len(b.Insts) {
			i, ok := b.Insts[n].(*llir.InstICmp)
			term, isBranch := b.Term.(*llir.TermCondBr)
			if ok && isBranch && term.Cond == value.Value(i) && uses[i] == 1 {
				t.tests[b] = i
			}
		}
	}
}

// liveness finds which phis are read: a copy of one is no use of it where nothing reads the copy.
func (t *threading) liveness() {
	words := (len(t.phis) + 63) / 64
	before := map[*llir.Block][]*llir.Block{}
	own := map[*llir.Block]slotSet{}
	for _, b := range t.b.Func.Blocks {
		own[b] = make(slotSet, words)
		t.live[b] = make(slotSet, words)
		t.reads(b, func(v value.Value) value.Value {
			if phi, ok := v.(*llir.InstPhi); ok {
				own[b].add(t.index[phi])
			}
			return v
		})
		for _, e := range t.edges[b] {
			before[e.to] = append(before[e.to], b)
		}
	}
	work, waits := slices.Clone(t.b.Func.Blocks), map[*llir.Block]bool{}
	for _, b := range work {
		waits[b] = true
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work, waits[b] = work[:len(work)-1], false
		now := slices.Clone(own[b])
		for _, e := range t.edges[b] {
			for i, w := range t.across(e) {
				now[i] |= w
			}
		}
		if slices.Equal(now, t.live[b]) {
			continue
		}
		t.live[b] = now
		for _, p := range before[b] {
			if !waits[p] {
				work, waits[p] = append(work, p), true
			}
		}
	}
}

// across is what is read at the beginning of an edge or later.
func (t *threading) across(e *edge) slotSet {
	after := t.live[e.to]
	out := slices.Clone(after)
	for _, a := range e.is {
		out.remove(a.phi)
	}
	for _, a := range e.is {
		if y, ok := a.x.(*llir.InstPhi); ok && after.has(a.phi) {
			out.add(t.index[y])
		}
	}
	return out
}

func phisOf(b *llir.Block) (out []*llir.InstPhi) {
	for _, i := range b.Insts {
		phi, ok := i.(*llir.InstPhi)
		if !ok {
			return out
		}
		out = append(out, phi)
	}
	return out
}

// onlyPhis reports a block that computes nothing.
func onlyPhis(b *llir.Block) bool { return len(phisOf(b)) == len(b.Insts) }

func definedIn(b *llir.Block, v value.Value) bool {
	return slices.ContainsFunc(phisOf(b), func(phi *llir.InstPhi) bool { return value.Value(phi) == v })
}

// write stores at an edge what phis are that are read later: first all is read, then all is written. Of a
// block with several edges such a one gets a block of its own.
func (t *threading) write(b *llir.Block, e *edge, used slotSet) (made []*llir.Block) {
	var reads, writes []llir.Instruction
	for _, a := range e.is {
		x := a.x
		if x == value.Value(t.phis[a.phi]) || !t.live[e.to].has(a.phi) {
			continue
		}
		if y, isPhi := x.(*llir.InstPhi); isPhi {
			x = t.read(y, func(i llir.Instruction) { reads = append(reads, i) })
			used.add(t.index[y])
		}
		writes = append(writes, &llir.InstStore{Src: x, Dst: t.slots[a.phi]})
		used.add(a.phi)
	}
	switch *e.at = e.to; {
	case len(writes) == 0:
	case len(t.edges[b]) == 1:
		b.Insts = append(append(b.Insts, reads...), writes...)
	default:
		own := t.b.Block("edge")
		own.Parent, own.Insts = t.b.Func, append(reads, writes...)
		own.NewBr(e.to)
		*e.at = own
		made = append(made, own)
	}
	return made
}

// successors are the places of the blocks that a terminator goes to.
func successors(term llir.Terminator) (out []*value.Value) {
	switch term := term.(type) {
	case *llir.TermBr:
		out = append(out, &term.Target)
	case *llir.TermCondBr:
		out = append(out, &term.TargetTrue, &term.TargetFalse)
	case *llir.TermSwitch:
		out = append(out, &term.TargetDefault)
		for _, c := range term.Cases {
			out = append(out, &c.Target)
		}
	}
	return out
}

// follow goes along an edge through blocks that compute nothing, while it is known where they go on.
func (t *threading) follow(from *llir.Block, target *value.Value) *edge {
	e := &edge{at: target, to: (*target).(*llir.Block)}
	var now []value.Value
	for hops := 0; ; hops++ {
		now = now[:0]
		for _, x := range t.column(e.to, from) { // all phis of a block change at once
			now = append(now, t.known(x))
		}
		for i, phi := range phisOf(e.to) {
			n := t.index[phi]
			if t.is[n] == nil {
				t.met = append(t.met, n)
			}
			t.is[n] = now[i]
		}
		next := t.decided(e.to)
		if next == nil || hops == mostHops {
			break
		}
		from, e.to = e.to, next
	}
	slices.Sort(t.met)
	for _, n := range t.met {
		e.is = append(e.is, assigned{n, t.is[n]})
		t.is[n] = nil
	}
	t.met = t.met[:0]
	return e
}

// column is what the phis of a block are that is come to from another.
func (t *threading) column(at, from *llir.Block) []value.Value {
	key := arrival{at, from}
	out, ok := t.columns[key]
	if !ok {
		for _, phi := range phisOf(at) {
			out = append(out, incoming(phi, from))
		}
		t.columns[key] = out
	}
	return out
}

// decided is where a block that computes nothing goes on; nil if it computes, or if that is not known.
func (t *threading) decided(b *llir.Block) *llir.Block {
	test := t.tests[b]
	if test == nil && !onlyPhis(b) {
		return nil
	}
	switch term := b.Term.(type) {
	case *llir.TermBr:
		return term.Target.(*llir.Block)
	case *llir.TermCondBr:
		holds, ok := lit.Number(t.known(term.Cond))
		if test != nil {
			holds, ok = t.compared(test)
		}
		if ok && holds != 0 {
			return term.TargetTrue.(*llir.Block)
		} else if ok {
			return term.TargetFalse.(*llir.Block)
		}
	case *llir.TermSwitch:
		n, ok := lit.Number(t.known(term.X))
		if !ok {
			return nil
		}
		for _, c := range term.Cases {
			if k, _ := lit.Number(c.X); k == n {
				return c.Target.(*llir.Block)
			}
		}
		return term.TargetDefault.(*llir.Block)
	}
	return nil
}

// compared is what a comparison for equality gives, if that is known.
func (t *threading) compared(test *llir.InstICmp) (holds int64, ok bool) {
	x, known1 := lit.Number(t.known(test.X))
	y, known2 := lit.Number(t.known(test.Y))
	equal := int64(0)
	if x == y {
		equal = 1
	}
	switch test.Pred {
	case enum.IPredEQ:
		return equal, known1 && known2
	case enum.IPredNE:
		return 1 - equal, known1 && known2
	}
	return 0, false
}

// known is what a value is after the phis on the way.
func (t *threading) known(v value.Value) value.Value {
	if phi, ok := v.(*llir.InstPhi); ok {
		if x := t.is[t.index[phi]]; x != nil {
			return x
		}
	}
	return v
}

func incoming(phi *llir.InstPhi, from *llir.Block) value.Value {
	for _, in := range phi.Incs {
		if in.Pred == value.Value(from) {
			return in.X
		}
	}
	return constant.NewUndef(phi.Typ) // no edge leads here
}

// read loads what a phi is.
func (t *threading) read(phi *llir.InstPhi, put func(llir.Instruction)) value.Value {
	x := &llir.InstLoad{ElemType: phi.Typ, Src: t.slots[t.index[phi]]}
	put(x)
	return x
}

// reads visits what a block computes with.
func (t *threading) reads(b *llir.Block, visit func(value.Value) value.Value) {
	for _, i := range b.Insts[len(phisOf(b)):] {
		operands(i, visit)
	}
	operands(b.Term, visit)
}

// load has a block take phis from memory, at its beginning: they change at edges alone.
func (t *threading) load(b *llir.Block) {
	var loads []llir.Instruction
	have := map[*llir.InstPhi]value.Value{}
	t.reads(b, func(v value.Value) value.Value {
		phi, ok := v.(*llir.InstPhi)
		if !ok {
			return v
		}
		if have[phi] == nil {
			have[phi] = t.read(phi, func(i llir.Instruction) { loads = append(loads, i) })
		}
		return have[phi]
	})
	b.Insts = append(loads, b.Insts[len(phisOf(b)):]...)
}

// reachable drops blocks that no edge leads to.
func (t *threading) reachable() {
	seen := map[*llir.Block]bool{t.b.Entry: true}
	for work := []*llir.Block{t.b.Entry}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range t.edges[b] {
			if !seen[e.to] {
				seen[e.to] = true
				work = append(work, e.to)
			}
		}
	}
	t.b.Func.Blocks = slices.DeleteFunc(t.b.Func.Blocks, func(b *llir.Block) bool { return !seen[b] })
}
