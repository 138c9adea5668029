package buffers

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
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
	choices      map[ir.Value]chosen
	same         map[key]key // whose slot a result of a loop has
	unsure       int         // results of the function that are new in some runs only
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

func newPlan() *plan {
	return &plan{map[ir.Value][]int{}, map[ir.Value][]int{}, map[ir.Value][]stored{}, map[ir.Value][]stored{}, map[ir.Value]chosen{}, map[key]key{}, 0}
}

func (p *plan) drop(behind ir.Value, o int)      { p.after[behind] = append(p.after[behind], o) }
func (p *plan) dropFirst(before ir.Value, o int) { p.first[before] = append(p.first[before], o) }

// slot makes room for the flag of an owner that op v makes, and store sets it at the end of
// a region, if it needs one at all.
func (p *plan) slot(v ir.Value, to key, h handed) { p.begin[v] = append(p.begin[v], stored{to, h}) }

func (p *plan) store(end ir.Value, h handed, to key) {
	p.stores[end] = append(p.stores[end], stored{to, h})
}

// planned reports that something is to be done at an op.
func (p *plan) planned(v ir.Value) bool {
	_, chooses := p.choices[v]
	return chooses || len(p.first[v])+len(p.after[v])+len(p.begin[v])+len(p.stores[v]) > 0
}

// ops lists the ops at which something is to be done.
func (p *plan) ops(f func(ir.Value)) {
	for v := range p.first {
		f(v)
	}
	for v := range p.after {
		f(v)
	}
	for v := range p.begin {
		f(v)
	}
	for v := range p.stores {
		f(v)
	}
	for v := range p.choices {
		f(v)
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
	for _, c := range p.choices {
		n += len(c.dead[0]) + len(c.dead[1])
	}
	return n
}

// rebuild makes an op again with what is planned at it. It may be called several times for
// one op, in loops, each time for a graph in which it sets the slots anew.
func (a *analysis) rebuild(m *ir.Mirror, n ir.Node) ir.Value {
	v := n.Old()
	if !a.planned(v) {
		return 0
	}
	for _, x := range a.begin[v] {
		if a.depends(x.to) {
			a.slots(m)[x.to] = m.B.Must(ir.Call{Def: memref.Alloca, Type: m.B.Ctx().Type(ir.TypeInfo{Kind: ir.KindMemRef, Elem: ir.I1})})
			m.Op(memref.Store, a.flagOf(m, x.handed), a.slots(m)[x.to])
		}
	}
	for _, o := range a.first[v] {
		a.give(m, o)
	}
	a.settle(m, v)
	w := m.Copy(n)
	m.Set(n, w)
	if c, ok := a.choices[v]; ok {
		a.rechoose(m, n, c)
	}
	for _, o := range a.after[v] {
		a.give(m, o)
	}
	return w
}

// settle sets the slots at the end of a region: all flags are read before one is written, as
// values may change places.
func (a *analysis) settle(m *ir.Mirror, end ir.Value) {
	todo := slices.DeleteFunc(slices.Clone(a.stores[end]), func(x stored) bool { return !a.depends(x.to) })
	flags := make([]ir.Value, len(todo))
	for i, x := range todo {
		flags[i] = a.flagOf(m, x.handed)
	}
	for i, x := range todo {
		m.Op(memref.Store, flags[i], a.slots(m)[x.to])
	}
}

// depends reports an owner that has something to give back in some runs only.
func (a *analysis) depends(k key) bool {
	o, ok := a.own[k]
	return ok && a.owners[o].flag == either
}

// flagOf is whether there is something to give back in what is handed on.
func (a *analysis) flagOf(m *ir.Mirror, h handed) ir.Value {
	if h.from < 0 || h.flag != either {
		return arith.ConstBool(m.B, h.from >= 0)
	}
	return m.Op(memref.Load, a.slotOf(m, h.from))
}

// slots are those of the graph that is built.
func (a *analysis) slots(m *ir.Mirror) map[key]ir.Value {
	return m.Once(a, func() any { return map[key]ir.Value{} }).(map[key]ir.Value)
}

func (a *analysis) slotOf(m *ir.Mirror, o int) ir.Value {
	k := a.owners[o].at
	if same, ok := a.same[k]; ok {
		k = same
	}
	return a.slots(m)[k]
}

// give gives back what an owner has.
func (a *analysis) give(m *ir.Mirror, o int) {
	x := &a.owners[o]
	free := func() []ir.Value { m.Op(x.free, a.valueOf(m, x.at)); return nil }
	if x.flag == either {
		scf.BuildIf(m.B, m.Op(memref.Load, a.slotOf(m, o)), free, nil)
		return
	}
	free()
}

// valueOf is a value of the old graph in the new one.
func (a *analysis) valueOf(m *ir.Mirror, k key) ir.Value {
	n := a.g.NodeOf(k.node)
	if _, _, ok := a.g.Param(k.node); ok {
		return m.Of(n)
	}
	return m.B.Results(m.Of(n))[k.i]
}

// rechoose gives back what a conditional without regions took over and did not choose.
func (a *analysis) rechoose(m *ir.Mirror, n ir.Node, c chosen) {
	cond, to := m.Of(n.Arg(0)), key{n.Old(), 0}
	if len(c.dead[0])+len(c.dead[1]) > 0 {
		side := func(os []int) func() []ir.Value {
			return func() []ir.Value {
				for _, o := range os {
					a.give(m, o)
				}
				return nil
			}
		}
		scf.BuildIf(m.B, cond, side(c.dead[0]), side(c.dead[1]))
	}
	if a.depends(to) {
		m.Op(memref.Store, m.Op(arith.Select, cond, a.flagOf(m, c.hands[0]), a.flagOf(m, c.hands[1])), a.slots(m)[to])
	}
}
