package buffers

import (
	"iter"
	"maps"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// plan is what is to be done where, by op of the old graph. A slot is memory for a flag
// that depends on the run.
type plan struct {
	first, after map[ir.Value][]int // owners to be given back before and behind it
	begin        map[ir.Value][]stored
	stores       map[ir.Value][]stored // at the end of a region
	ends         map[ir.Value][]handed // what a region ends with
	rest         map[ir.Value][]int    // owners that are given back there unless it ends with their memory
	choices      map[ir.Value]chosen
	calls        map[ir.Value]*function // of functions that say which of their results are new
	same         map[key]key            // whose slot a result of a loop has
}

// stored is what a slot is set to.
type stored struct {
	to key
	handed
}

// chosen is what a conditional without regions hands on, by side, and what it gives back.
type chosen struct {
	hands [2]handed
	dead  [2][]int
}

// newPlan is a plan in which nothing is to be done.
func newPlan() *plan {
	return &plan{
		first: map[ir.Value][]int{}, after: map[ir.Value][]int{}, begin: map[ir.Value][]stored{}, stores: map[ir.Value][]stored{},
		ends: map[ir.Value][]handed{}, rest: map[ir.Value][]int{}, choices: map[ir.Value]chosen{}, calls: map[ir.Value]*function{}, same: map[key]key{},
	}
}

// drop plans to give an owner back behind an op, dropFirst before one.
func (p *plan) drop(behind ir.Value, o int)      { p.after[behind] = append(p.after[behind], o) }
func (p *plan) dropFirst(before ir.Value, o int) { p.first[before] = append(p.first[before], o) }

// slot makes room for the flag of an owner that op v makes, and store sets it at the end of
// a region, if it needs one at all.
func (p *plan) slot(v ir.Value, to key, h handed) { p.begin[v] = append(p.begin[v], stored{to, h}) }

func (p *plan) store(end ir.Value, h handed, to key) {
	p.stores[end] = append(p.stores[end], stored{to, h})
}

// ops lists the ops at which something is to be done.
func (p *plan) ops(f func(ir.Value)) {
	for _, vs := range []iter.Seq[ir.Value]{maps.Keys(p.first), maps.Keys(p.after), maps.Keys(p.begin), maps.Keys(p.ends), maps.Keys(p.choices), maps.Keys(p.calls)} {
		vs(func(v ir.Value) bool { f(v); return true })
	}
}

// numFrees counts the places at which memory is given back.
func (p *plan) numFrees() (n int) {
	for _, os := range p.first {
		n += len(os)
	}
	for _, os := range p.after {
		n += len(os)
	}
	for _, os := range p.rest {
		n += len(os)
	}
	for _, c := range p.choices {
		n += len(c.dead[0]) + len(c.dead[1])
	}
	return n
}

// A release is what gives memory back as a graph is built again: it does at each op what is planned there. What the
// analysis has found does not change any more.
type release struct {
	f      *function
	body   *body
	ledger *ledger
	plan   *plan
}

// rebuild makes an op again with what is planned at it. It may be called several times for
// one op, in loops, each time for a graph in which it sets the slots anew.
func (r *release) rebuild(m *ir.Mirror, n ir.Node) ir.Value {
	v := n.Old()
	// The order is that of the run: slots exist before the op, and what the op itself ends is given back
	// behind it.
	for _, x := range r.plan.begin[v] {
		if r.depends(x.to) {
			r.slots(m)[x.to] = m.B.Must(ir.Call{Def: memref.Alloca, Type: m.B.Ctx().Type(ir.TypeInfo{Kind: ir.KindMemRef, Elem: ir.I1})})
			m.Op(memref.Store, r.flagOf(m, x.handed), r.slots(m)[x.to])
		}
	}
	for _, o := range r.plan.first[v] {
		r.give(m, o)
	}
	w := r.made(m, n, r.settle(m, v))
	m.Set(n, w)
	if c, ok := r.plan.choices[v]; ok {
		r.rechoose(m, n, c)
	}
	for _, o := range r.plan.after[v] {
		r.give(m, o)
	}
	return w
}

// made makes the op itself. A function that says which of its results are new returns that
// too, and who calls it takes it.
func (r *release) made(m *ir.Mirror, n ir.Node, flags []ir.Value) ir.Value {
	v := n.Old()
	switch f := r.plan.calls[v]; {
	case v == r.body.g.Term(ir.Root) && len(r.f.extra()) > 0:
		args := m.All(n.Args())
		for _, i := range r.f.extra() {
			args = append(args, flags[i])
		}
		return m.B.Must(ir.Call{Def: n.Def(), Attr: n.Attrs(), Args: args})
	case f != nil && n.Def() == funcs.Call && (len(f.extra()) > 0 || f.inner != ""):
		return r.callInner(m, n, f)
	}
	return m.Copy(n)
}

// settle finds out at the end of a region what each operand hands on, sets the slots, and
// gives back what none does. All flags are read before one is written, as values may change
// places.
func (r *release) settle(m *ir.Mirror, end ir.Value) []ir.Value {
	hs := r.plan.ends[end]
	flags, left := make([]ir.Value, len(hs)), map[int]ir.Value{}
	for i, h := range hs {
		if h.from == compared {
			flags[i] = r.compare(m, h, left)
		} else if h.from != none {
			flags[i] = r.flagOf(m, h)
		}
	}
	for _, x := range r.plan.stores[end] {
		if r.depends(x.to) {
			m.Op(memref.Store, flags[x.at], r.slots(m)[x.to])
		}
	}
	for _, o := range r.plan.rest[end] {
		scf.BuildIf(m.B, left[o], func() []ir.Value { m.Op(r.ledger.owners[o].free, r.valueOf(m, r.ledger.owners[o].at)); return nil }, nil)
	}
	return flags
}

// compare finds out whether a value is the memory of an owner that claims it and has not
// been handed on by an earlier one; left says what owners have left.
func (r *release) compare(m *ir.Mirror, h handed, left map[int]ir.Value) ir.Value {
	out := arith.ConstBool(m.B, false)
	for _, c := range h.claims {
		x := &r.ledger.owners[c.of]
		if left[c.of] == 0 {
			left[c.of] = r.flagOf(m, handed{from: c.of, flag: x.flag})
		}
		same := left[c.of]
		// A certain claim takes all that remains of the owner. Another one compares addresses, and leaves the
		// rest to later claims.
		if c.certain {
			left[c.of] = arith.ConstBool(m.B, false)
		} else {
			is := arith.CmpI(m.B, arith.EQ, m.Op(memref.ExtractAlignedPointer, m.Of(r.body.g.NodeOf(h.value))), m.Op(memref.ExtractAlignedPointer, r.valueOf(m, x.at)))
			same = m.Op(arith.Andi, left[c.of], is)
			left[c.of] = m.Op(arith.Andi, left[c.of], m.Op(arith.Xori, is, arith.ConstBool(m.B, true)))
		}
		out = m.Op(arith.Ori, out, same)
	}
	return out
}

// depends reports an owner that has something to give back in some runs only.
func (r *release) depends(k key) bool {
	o, ok := r.ledger.own[k]
	return ok && r.ledger.owners[o].flag == either
}

// flagOf is whether there is something to give back in what is handed on.
func (r *release) flagOf(m *ir.Mirror, h handed) ir.Value {
	if h.from < 0 || h.flag != either {
		return arith.ConstBool(m.B, h.from >= 0)
	}
	return m.Op(memref.Load, r.slotOf(m, h.from))
}

// slots are those of the graph that is built.
func (r *release) slots(m *ir.Mirror) map[key]ir.Value {
	return m.Once(r, func() any { return map[key]ir.Value{} }).(map[key]ir.Value)
}

// slotOf is where the flag of an owner is. A result of a loop has the slot of the parameter that held its
// memory.
func (r *release) slotOf(m *ir.Mirror, o int) ir.Value {
	k := r.ledger.owners[o].at
	if same, ok := r.plan.same[k]; ok {
		k = same
	}
	return r.slots(m)[k]
}

// give gives back what an owner has.
func (r *release) give(m *ir.Mirror, o int) {
	x := &r.ledger.owners[o]
	free := func() []ir.Value { m.Op(x.free, r.valueOf(m, x.at)); return nil }
	if x.flag == either {
		scf.BuildIf(m.B, m.Op(memref.Load, r.slotOf(m, o)), free, nil)
		return
	}
	free()
}

// valueOf is a value of the old graph in the new one.
func (r *release) valueOf(m *ir.Mirror, k key) ir.Value {
	n := r.body.g.NodeOf(k.node)
	if _, _, ok := r.body.g.Param(k.node); ok {
		return m.Of(n)
	}
	return m.B.Results(m.Of(n))[k.i]
}

// rechoose gives back what a conditional without regions took over and did not choose.
func (r *release) rechoose(m *ir.Mirror, n ir.Node, c chosen) {
	cond, to := m.Of(n.Arg(0)), key{n.Old(), 0}
	if len(c.dead[0])+len(c.dead[1]) > 0 {
		side := func(os []int) func() []ir.Value {
			return func() []ir.Value {
				for _, o := range os {
					r.give(m, o)
				}
				return nil
			}
		}
		scf.BuildIf(m.B, cond, side(c.dead[0]), side(c.dead[1]))
	}
	if r.depends(to) {
		m.Op(memref.Store, m.Op(arith.Select, cond, r.flagOf(m, c.hands[0]), r.flagOf(m, c.hands[1])), r.slots(m)[to])
	}
}
