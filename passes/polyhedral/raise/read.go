package raise

import (
	"cmp"
	"fmt"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/ir/unwind"
)

// A nest is some loops that stand one after the other, as what they access, where and when.
type nest struct {
	g       *ir.Graph
	s       *ir.Schedule
	known   affine.Analysis
	effects func(v ir.Value) []ir.Effect

	inside  map[ir.Value]bool   // ops and parameters of the loops: see isInside
	dims    map[ir.Value]string // indices of loops
	params  []ir.Value          // what comes from outside
	named   map[ir.Value]string
	arrays  []*memory
	of      map[value]*memory
	reads   map[value]*access // by the value that they give
	writes  []*access
	clock   int64                 // of the order in which the program is written
	made    int                   // names that were made up
	aside   string                // what parameters are named by, if not n
	choices map[ir.Value]ir.Value // the conditions of conditionals on data
	carried map[value]carrier     // what loops carry, by the parameter
}

// A value is a result of an op, or a parameter of a region.
type value struct {
	v ir.Value
	k int
}

// key is the result that a value of the graph is.
func (n *nest) key(v ir.Value) value {
	op, k, _ := n.g.Projection(v) // of what is no projection the value itself
	return value{op, k}
}

// isInside reports what is computed in the loops, a result of several as well.
func (n *nest) isInside(v ir.Value) bool { return n.inside[n.key(v).v] }

// A memory is an array: memory of the program, or what holds a value that loops carry.
type memory struct {
	value    ir.Value // 0 for what the system has for itself
	name     string
	elem     ir.Type
	on       ir.Resource
	written  bool
	gathered bool
	extent   presburger.Set
}

// An access is of one element of a memory.
type access struct {
	op      ir.Value // that is made again, or 0
	memory  *memory
	at      moment
	index   []presburger.Sum
	f       formulas // what defines the index
	indices []ir.Value
	stored  ir.Value // of a write
	copied  *memory  // of a read that later writes must not reach
}

// isGather reports a read at an index that is computed.
func (a *access) isGather() bool { return a.indices != nil }

// A moment is where something stands in the loops, and when.
type moment struct {
	rounds []*iteration
	when   formulas
	time   int64
	guards []guard
	loose  bool // when says too little: what stands here is executed for some of these iterations
}

// dims are the names of the indices of the loops around.
func (m moment) dims() []string {
	return lists.Map(m.rounds, func(r *iteration) string { return r.name })
}

// A iteration is an iteration of a loop.
type iteration struct {
	index      ir.Value
	name       string
	begin, end int64 // the time of the program text that is in the loop
}

func (n *nest) tick() int64 { n.clock += 2; return n.clock } // a copy of a read has the time between

// param is the name of a value that comes from outside.
func (n *nest) param(v ir.Value) string {
	if n.named[v] == "" {
		n.named[v] = fmt.Sprintf("%s%d", cmp.Or(n.aside, "n"), len(n.params))
		n.params = append(n.params, v)
	}
	return n.named[v]
}

// body reads a region of a loop or a conditional.
func (n *nest) body(r ir.Region, at moment) {
	for _, v := range n.g.Params(r) {
		n.inside[v] = true
	}
	ops := n.s.Body(r)
	for _, v := range ops {
		n.inside[v] = true
	}
	for _, v := range ops {
		n.op(v, at)
	}
}

// op reads an op of the loops, or a whole loop.
func (n *nest) op(v ir.Value, at moment) {
	node := n.g.NodeOf(v)
	def := node.Def()
	if def.Has(ir.Terminator) {
		return // who has the region reads what it yields
	}
	if def == affinedialect.If {
		n.branch(v, at)
		return
	}
	if b, ok := ir.As[ir.BranchLike](node); ok {
		if len(b.Values) != 2 || b.Values[0] != 1 || b.Values[1] != 0 {
			panic(unwind.Failed(hinder(v, "%s has branches other than two", def.Name)))
		}
		n.branch(v, at)
		return
	}
	if l, ok := ir.As[ir.LoopLike](node); ok {
		n.loop(v, l, at)
		return
	}
	if a, ok := ir.As[ir.AccessLike](node); ok {
		n.access(v, a, at)
		return
	}
	if len(n.g.Regions(v)) > 0 || len(n.g.Children(v)) > 0 {
		panic(unwind.Failed(hinder(v, "%s is neither a loop nor a conditional", def.Name)))
	}
	if n.g.HasEffect(v) {
		panic(unwind.Failed(hinder(v, "%s does more than to compute a value", def.Name)))
	}
}

// branch reads a conditional, whose first region runs where its condition holds and whose second else.
func (n *nest) branch(v ir.Value, at moment) {
	g := n.g
	f := at.when.clone()
	c, err := n.branchCondition(&f, v)
	if err != nil && g.Def(v) != affinedialect.If {
		n.choice(v, g.Args(v)[0], at)
		return
	}
	if err != nil {
		panic(unwind.Failed(err))
	}
	for i, r := range g.Regions(v) {
		side := at
		side.when = f.clone()
		if i == 0 {
			side.when.say(c)
		} else {
			side.when.say(presburger.Not(c))
		}
		if !g.HasBlock(r) {
			continue
		}
		n.body(r, side)
		for k, y := range g.Yields(r) {
			m := n.result(v, k)
			n.put(m, y, side)
		}
	}
	n.results(v, at)
}

func (n *nest) branchCondition(f *formulas, v ir.Value) (presburger.Formula, error) {
	node := n.g.NodeOf(v)
	if node.Def() != affinedialect.If {
		c, err := n.condition(f, node.Arg(0).Old(), 0)
		return c, placed(err, v)
	}
	var all []presburger.Formula
	for _, c := range affinedialect.Conditions(node) {
		s, err := n.point(f, c.Point, 0)
		if err != nil {
			return presburger.Formula{}, placed(err, v)
		}
		if c.Equal {
			all = append(all, presburger.Zero(s))
		} else {
			all = append(all, presburger.NonNeg(s))
		}
	}
	return presburger.And(all...), nil
}

// placed says of a hindrance without a place where it is.
func placed(err error, v ir.Value) error {
	if h, ok := err.(*hindrance); ok && h.at == 0 {
		return &hindrance{v, h.why}
	}
	return err
}

// access reads a load or a store.
func (n *nest) access(v ir.Value, a ir.AccessLike, at moment) {
	g := n.g
	name := g.Def(v).Name
	if len(a.Accesses) == 0 {
		if len(n.effects(v)) > 0 && g.Def(v) != affinedialect.Prefetch {
			panic(unwind.Failed(hinder(v, "%s does more than to access an element", name)))
		}
		return
	}
	x := a.Accesses[0]
	if len(a.Accesses) > 1 || x.Reads == x.Writes || x.Writes && x.Stored == 0 {
		panic(unwind.Failed(hinder(v, "%s does more than to read or to write an element", name)))
	}
	if n.isInside(x.Memory) {
		panic(unwind.Failed(hinder(v, "%s accesses memory that is made in the loop", name)))
	}
	m := n.memory(v, x)
	at.time = n.tick()
	acc := &access{op: v, memory: m, at: at, stored: x.Stored}
	if err := n.subscripts(acc, v, x.Indices); err != nil {
		if x.Writes || g.Def(v) != memref.Load {
			unwind.Check(placed(err, v))
			return
		}
		acc.indices, acc.index, acc.f, m.gathered = x.Indices, nil, formulas{}, true
	}
	if x.Writes {
		m.written = true
		n.writes = append(n.writes, acc)
	} else {
		n.reads[value{v, 0}] = acc
	}
}

func (n *nest) subscripts(a *access, v ir.Value, indices []ir.Value) (err error) {
	defer unwind.To(&err)
	if d := n.g.Def(v); d == affinedialect.Load || d == affinedialect.Store {
		a.index = unwind.Must(n.points(&a.f, affinedialect.Subscripts(n.g.NodeOf(v))))
		return nil
	}
	for _, i := range indices {
		s := n.sum(&a.f, i, 0)
		a.index = append(a.index, s)
	}
	return nil
}

// memory is the array of what an op accesses.
func (n *nest) memory(v ir.Value, x ir.Access) *memory {
	if m := n.of[value{x.Memory, 0}]; m != nil {
		return m
	}
	info := n.g.Ctx.Info(n.g.Type(x.Memory))
	elem := info.Elem
	if x.Reads && n.g.Type(v) != elem || x.Writes && n.g.Type(x.Stored) != elem {
		panic(unwind.Failed(hinder(v, "%s accesses more than an element", n.g.Def(v).Name)))
	}
	if !poly.Holds(n.g.Ctx, elem) {
		panic(unwind.Failed(hinder(v, "%s accesses elements of type %s", n.g.Def(v).Name, text.TypeString(n.g.Ctx, elem))))
	}
	m := &memory{value: x.Memory, name: fmt.Sprintf("A%d", len(n.arrays)), elem: elem}
	for _, e := range n.effects(v) {
		m.on = e.On
	}
	n.of[value{x.Memory, 0}] = m
	n.arrays = append(n.arrays, m)
	return m
}

// result is what holds result k of an op while the loops run.
func (n *nest) result(v ir.Value, k int) *memory {
	if m := n.of[value{v, k}]; m != nil {
		return m
	}
	m := &memory{name: fmt.Sprintf("T%d", len(n.arrays)), elem: n.g.Ctx.Results(n.g.Type(v))[k], written: true}
	if !poly.Holds(n.g.Ctx, m.elem) {
		panic(unwind.Failed(hinder(v, "%s carries values of type %s", n.g.Def(v).Name, text.TypeString(n.g.Ctx, m.elem))))
	}
	n.of[value{v, k}] = m
	n.arrays = append(n.arrays, m)
	return m
}

// put writes what loops carry.
func (n *nest) put(m *memory, v ir.Value, at moment) {
	at.time = n.tick()
	n.writes = append(n.writes, &access{memory: m, at: at, stored: v})
}

// get reads it.
func (n *nest) get(m *memory, v value, at moment) {
	at.time = n.tick()
	n.reads[v] = &access{memory: m, at: at}
}

// results are read after an op that has some.
func (n *nest) results(v ir.Value, at moment) {
	for k := range n.g.Results(v) {
		n.get(n.of[value{v, k}], value{v, k}, at)
	}
}
