package raise

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// A sentence is a statement that a nest becomes: a write, what it puts there and what it reads for that.
type sentence struct {
	name     string
	at       moment
	target   *memory
	write    *access // of which the index is, or nil for a cell
	operator poly.Operator
	value    ir.Value
	minus    bool // it is the negative of the value that is added
	reads    []*access
	of       []value // what each read gives
	seen     map[ir.Value]bool

	domain presburger.Set
	to     presburger.Map
	from   []presburger.Map
}

// isCopy reports a read of what was kept, because something is written in between; the
// statement that keeps it reads the memory.
func (s *sentence) isCopy(i int) bool { c := s.reads[i].copied; return c != nil && c != s.target }

// source is the memory that a read reads.
func (s *sentence) source(i int) *memory {
	if s.isCopy(i) {
		return s.reads[i].copied
	}
	return s.reads[i].memory
}

// gathers reports a read at an index that is computed.
func (s *sentence) gathers(i int) bool { return s.reads[i].isGather() && !s.isCopy(i) }

// A program is what a nest becomes.
type program struct {
	*nest
	sentences []*sentence
	context   presburger.Set
	tree      *schedule.Node
	outside   presburger.Set // sizes and parameters with which an access is outside of its memory
	sizes     []size
	checked   bool                 // outside is known
	asserted  []presburger.Formula // what is asserted before the loops
}

// build makes statements of the writes, in their order.
func (n *nest) build() *program {
	p := &program{nest: n}
	for _, w := range n.writes {
		st := &sentence{at: w.at, target: w.memory, write: w, operator: poly.Set, value: w.stored, seen: map[ir.Value]bool{}}
		unwind.Check(p.update(st))
		p.needs(st, st.value)
		for _, c := range w.at.guards {
			p.needs(st, c.cond)
		}
		if len(w.at.guards) > 0 && st.operator == poly.Set {
			st.reads = append(st.reads, &access{op: w.op, memory: w.memory, at: w.at, index: w.index, f: w.f})
			st.of = append(st.of, old(w))
		}
		p.sentences = append(p.sentences, st)
	}
	slices.SortFunc(p.sentences, func(a, b *sentence) int { return int(a.at.time - b.at.time) })
	var some []*sentence
	for _, st := range p.sentences {
		st.name = fmt.Sprintf("S%d", len(some))
		if p.sets(st) {
			some = append(some, st)
		}
	}
	p.sentences = some
	p.order()
	return p
}

// apart refuses memory of which one may be another, if one of them is written.
func (n *nest) apart() {
	for i, a := range n.arrays {
		for _, b := range n.arrays[:i] {
			if a.value != 0 && b.value != 0 && (a.written || b.written) && n.g.MayAlias(a.on, b.on) {
				panic(unwind.Failed(hinder(0, "two of the arrays may be the same memory: arguments are apart where they are declared {llvm.noalias}")))
			}
		}
	}
}

// needs lists what a statement reads to compute a value.
func (p *program) needs(st *sentence, v ir.Value) {
	if !p.isInside(v) || p.dims[v] != "" || st.seen[v] {
		return
	}
	st.seen[v] = true
	key := p.key(v)
	r := p.reads[key]
	if cond, arms, ok := p.chosen(key); ok {
		for _, a := range append(arms, cond) {
			p.needs(st, a)
		}
		return
	}
	if r == nil {
		for _, a := range p.g.Args(v) {
			p.needs(st, a)
		}
		return
	}
	if r.copied == nil && p.overwritten(r, st.at) {
		if r.isGather() && len(r.at.guards) > 0 {
			panic(unwind.Failed(hinder(r.op, "what is read at an index that is computed, under a condition on data, is written before it is needed")))
		}
		p.keep(r, v)
	}
	st.reads, st.of = append(st.reads, r), append(st.of, key)
	if !st.gathers(len(st.reads) - 1) {
		return
	}
	for _, i := range r.indices {
		p.needs(st, i)
	}
}

// overwritten reports that something may be written to the memory of a read between it
// and a statement that needs it: in the text between the two, or in a loop that is around the
// statement alone.
func (p *program) overwritten(r *access, at moment) bool {
	last := at.time
	for _, loop := range at.rounds {
		if !slices.Contains(r.at.rounds, loop) {
			last = max(last, loop.end)
		}
	}
	return slices.ContainsFunc(p.writes, func(w *access) bool {
		return w.memory == r.memory && r.at.time < w.at.time && w.at.time < last
	})
}

// keep makes a statement of a read, which keeps what it gives for those that come too late.
func (p *program) keep(r *access, v ir.Value) {
	m := &memory{name: fmt.Sprintf("T%d", len(p.arrays)), elem: r.memory.elem, written: true}
	p.arrays = append(p.arrays, m)
	at := r.at
	at.time++
	st := &sentence{at: at, target: m, operator: poly.Set, value: v, seen: map[ir.Value]bool{}}
	p.needs(st, v)
	p.sentences = append(p.sentences, st)
	r.copied = m
}

// update finds that what is written is what was there, combined with something by an operator
// whose order is free.
func (p *program) update(st *sentence) (err error) {
	defer unwind.To(&err)
	v := st.value
	if !p.isInside(v) || p.dims[v] != "" || p.reads[value{v, 0}] != nil {
		return nil
	}
	op, ok := p.operator(v)
	if !ok {
		return nil
	}
	args := p.g.Args(v)
	for i, old := range args {
		r := p.reads[p.key(old)]
		minus := subtracts[p.g.Def(v)]
		if minus && i == 1 || !p.isInside(old) || r == nil || r.memory != st.target || r.isGather() || r.copied != nil || p.overwritten(r, st.at) || args[1-i] == old {
			continue
		}
		same := p.sameElement(r, st.write)
		probe := &sentence{at: st.at, seen: map[ir.Value]bool{}}
		if !same || p.reachesRead(probe, args[1-i], r) {
			continue
		}
		st.operator, st.value, st.minus = op, args[1-i], minus
		return nil
	}
	return nil
}

// reachesRead reports that a value needs a read.
func (p *program) reachesRead(st *sentence, v ir.Value, r *access) bool {
	if !p.isInside(v) || p.dims[v] != "" || st.seen[v] {
		return false
	}
	st.seen[v] = true
	if x := p.reads[p.key(v)]; x != nil && !x.isGather() {
		return x == r
	}
	args := p.g.Args(v)
	if cond, arms, ok := p.chosen(p.key(v)); ok {
		args = append(arms, cond)
	}
	return slices.ContainsFunc(args, func(a ir.Value) bool { return p.reachesRead(st, a, r) })
}

// sameElement reports that two accesses of one place are of one element.
func (p *program) sameElement(a, b *access) bool {
	if a.index == nil && b.index == nil {
		return true
	}
	var rest []presburger.Formula
	for i := range a.index {
		rest = append(rest, presburger.Nonzero(a.index[i].Minus(b.index[i])))
	}
	f := formulas{vars: slices.Concat(a.f.vars, b.f.vars), defs: slices.Concat(a.f.defs, b.f.defs)}
	s, err := presburger.SetWhere(p.parameters(), presburger.NewTuple("", b.at.dims()...), f.all(presburger.Or(rest...)))
	if err != nil {
		return false
	}
	return unwind.Must(s.IsEmpty())
}

// operator is that of an update, if the order of updates is free.
func (p *program) operator(v ir.Value) (poly.Operator, bool) {
	g := p.g
	def := g.Def(v)
	if op, ok := integerUpdates[def]; ok {
		return op, g.Type(v) != ir.I1
	}
	op, ok := floatUpdates[def]
	return op, ok && arith.FastMathOf(g.Ctx, g.AttrsOf(v))&arith.Reassoc != 0
}

var (
	integerUpdates = map[*ir.OpDef]poly.Operator{arith.Addi: poly.Add, arith.Subi: poly.Add, arith.Muli: poly.Mul, arith.Maxsi: poly.Max, arith.Minsi: poly.Min,
		arith.Andi: poly.And, arith.Ori: poly.Or}
	floatUpdates = map[*ir.OpDef]poly.Operator{arith.Addf: poly.Add, arith.Subf: poly.Add, arith.Mulf: poly.Mul}
	subtracts    = map[*ir.OpDef]bool{arith.Subi: true, arith.Subf: true} // the second from the first
)

// parameters are the names of what comes from outside.
func (n *nest) parameters() []string {
	return lists.Map(n.params, func(v ir.Value) string { return n.named[v] })
}

// sets makes the domain and the accesses of a statement, and reports one that has instances.
func (p *program) sets(st *sentence) (runs bool) {
	params := p.parameters()
	tuple := presburger.NewTuple(st.name, st.at.dims()...)
	st.domain = unwind.Must(presburger.SetWhere(params, tuple, st.at.when.all()))
	st.domain = unwind.Must(st.domain.Coalesce())
	if unwind.Must(st.domain.IsEmpty()) {
		return false
	}
	st.to = relation(params, tuple, st.target, st.write)
	for i, r := range st.reads {
		var m presburger.Map
		if !st.gathers(i) {
			if st.isCopy(i) {
				r = nil
			}
			m = relation(params, tuple, st.source(i), r)
		}
		st.from = append(st.from, m)
	}
	return true
}

// relation relates instances to the elements that they access; without an access to the one of
// a cell.
func relation(params []string, from presburger.Tuple, m *memory, a *access) presburger.Map {
	if a == nil || len(a.f.vars) == 0 {
		var dims []string
		var is []presburger.Formula
		if a != nil {
			for i, s := range a.index {
				dims = append(dims, fmt.Sprintf("a%d", i))
				is = append(is, presburger.Zero(presburger.Variable(dims[i]).Minus(s)))
			}
		}
		return related(params, from, m, dims, presburger.And(is...))
	}
	x, err := floored(params, from, m, a)
	if err == nil {
		x, err = presburger.ParseMap(x.String()) // as it is read again
	}
	if err == nil {
		_, err = x.WithBudget(workOfIndex).AsPwMultiAff()
	}
	if errors.Is(err, presburger.ErrBudget) {
		panic(unwind.Failed(hinder(a.op, "to find what an index is takes more work than is allowed")))
	}
	unwind.Check(err)
	return x
}

// workOfIndex is what it may take to see that an index with floors in it is a function of the
// loops around, in steps; who makes code of it has to.
const workOfIndex = 200_000

// floored is a relation with floors, minima or choices.
func floored(params []string, from presburger.Tuple, m *memory, a *access) (_ presburger.Map, err error) {
	defer unwind.To(&err)
	var dims, spelled []string
	f := a.f.clone()
	for i, s := range a.index {
		if text, ok := f.spell(s); ok {
			spelled = append(spelled, text)
		}
		dims = append(dims, fmt.Sprintf("a%d", i))
		f.say(presburger.Zero(presburger.Variable(dims[i]).Minus(s)))
	}
	if len(spelled) == len(a.index) {
		return presburger.ParseMap(fmt.Sprintf("[%s] -> { %s[%s] -> %s[%s] }", strings.Join(params, ", "), from.Name(), strings.Join(from.Dims(), ", "),
			m.name, strings.Join(spelled, ", ")))
	}
	return related(params, from, m, dims, f.all()), nil
}

// related relates a tuple to elements by a formula.
func related(params []string, from presburger.Tuple, m *memory, dims []string, f presburger.Formula) presburger.Map {
	s := unwind.Must(presburger.SetWhere(params, presburger.PairTuple(from, presburger.NewTuple(m.name, dims...)), f))
	return unwind.Must(s.Unwrap())
}

// order is that in which the program is written: for each loop when it begins, then its index.
func (p *program) order() {
	depth := 0
	for _, st := range p.sentences {
		depth = max(depth, len(st.at.rounds))
	}
	var all presburger.Map
	var domain presburger.Set
	for _, st := range p.sentences {
		domain = domain.Union(st.domain)
		var dims, time []string
		for _, r := range st.at.rounds {
			dims = append(dims, r.name)
			time = append(time, fmt.Sprint(r.begin), r.name)
		}
		time = append(time, fmt.Sprint(st.at.time))
		for len(time) < 2*depth+1 {
			time = append(time, "0")
		}
		m := unwind.Must(presburger.ParseMap("{ " + st.name + "[" + strings.Join(dims, ", ") + "] -> [" + strings.Join(time, ", ") + "] }"))
		all = all.Union(m)
	}
	whole := unwind.Must(schedule.FromMap(all))
	p.tree = schedule.NewDomain(domain.AlignParams(p.parameters()...), whole.Child(0))
}
