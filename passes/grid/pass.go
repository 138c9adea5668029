package grid

import (
	"slices"
	"sync"

	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// Pass makes kernels of tensor ops.
type Pass struct {
	TF32 bool `opt:"tf32" doc:"products of f32 by tensor cores too, where extents are known and multiples of 4: of each element 10 bits behind the point count, the others are cut off, so that a product of two is within 2^-9 of its magnitude; sums are f32"`
}

// Info is the row of the pass.
var Info = &pass.Info{
	Name: "tensor-to-device",
	Doc: "Makes kernels of ops on tensors, and launches them: of products of matrices (ten.einsum of two operands) of f32 or f64, by tiles in shared memory and in registers; of those of f16 or bf16, by tensor cores; and of ten.softmax, ten.layer_norm and reductions along the last dimension, by a warp for each row. " +
		"Memory of the device is in space 1; what kernels read moves there before the first of them, and what they compute moves back if the host uses it. " +
		"A remark says of the others why they stay on the host.",
	Why: "Before tensors become memory: what is a product is known then, and a tensor does not change, so it moves once.",
	Example: `func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32> {
  %c = ten.einsum "ik,kj->ij" %a, %b : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
`,
	Scope: pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "kernels", Doc: "kernels made"},
		{Name: "launches", Doc: "ops that launch one"},
		{Name: "fused", Doc: "maps that are the epilogue of a product"},
		{Name: "left", Doc: "ops on tensors that stay on the host"},
	},
	New: func() pass.Pass { return &Pass{} },
}

// maker works on one scope of symbols.
type maker struct {
	ctx     *pass.Context
	names   symbols.Names
	kernels map[kernelKey]string
	pass    *Pass
	of      map[ir.Node]task
	named   map[ir.Node]string       // the kernels
	within  map[ir.Node]bool         // products that the kernel of their epilogue computes
	defs    map[ir.Node][]definition // by the function that needs them first
}

// A kernelKey is what kernels have that are one: the scope of their name, and all that they do.
type kernelKey struct {
	scope         *ir.Graph
	body          uint64 // fingerprint
	threads, once int64
}

// A definition is a kernel that has its name already: define puts it before the function.
type definition struct {
	name string
	in   []ir.Type
	body *ir.Graph
	most int64 // threads of a block
	once int64 // blocks of it that are to find registers at once
}

func newMaker(ctx *pass.Context) *maker {
	return &maker{ctx: ctx, kernels: map[kernelKey]string{}, of: map[ir.Node]task{}, named: map[ir.Node]string{}, within: map[ir.Node]bool{}, defs: map[ir.Node][]definition{}}
}

// functions notes the symbols that there are, and calls f for each function that has a body.
func (m *maker) functions(g *ir.Graph, f func(n ir.Node)) {
	m.names = symbols.Defined(g)
	for n := range g.All() {
		if n.Def() == funcs.Func && len(n.Children()) > 0 {
			f(n)
		}
	}
}

// Run works on every function.
func (p *Pass) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	m := newMaker(ctx)
	m.pass = p
	m.functions(g, m.function)
	if len(m.of) == 0 {
		return g, nil
	}
	var hosts sync.Map // by builder: several functions are rebuilt at once
	rules := ir.Rules{funcs.Func: m.define}
	for _, def := range makers {
		rules[def] = func(x *ir.Mirror, n ir.Node) ir.Value {
			h, _ := hosts.LoadOrStore(x.B, newHost(m))
			return h.(*host).replace(x, n)
		}
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil), nil
}

// function finds what becomes of the ops of a function.
func (m *maker) function(f ir.Node) {
	g := f.Children()[0]
	name := symbols.Of(f)
	var nodes []ir.Node
	s := ir.ScheduleOf(g)
	for v := range s.All() {
		n := g.NodeOf(v)
		if !computes(n) {
			continue
		}
		t, why := m.pass.taskOf(n)
		if t == nil {
			m.ctx.Count("left", 1)
			m.ctx.Remark("in @%s %s stays on the host: it %s", name, m.ctx.What(g, v), why)
			continue
		}
		m.of[n] = t
		nodes = append(nodes, n)
	}
	for _, n := range nodes {
		m.fuse(s, n)
	}
	for _, n := range nodes {
		if t := m.of[n]; t != nil {
			m.named[n] = m.add(f, name+"_"+t.what(), t.kernel(g.Ctx), t.threads(), t.blocksAtOnce())
			m.ctx.Count("launches", 1)
			m.ctx.Remark("in @%s %s is a launch of @%s: %s", name, m.ctx.What(g, n.Old()), m.named[n], t.says())
		}
	}
}

// fuse makes a map the epilogue of a product that only it reads, in the same region.
func (m *maker) fuse(s *ir.Schedule, n ir.Node) {
	x, ok := m.of[n].(mapTask)
	if !ok {
		return
	}
	for i, a := range n.Args() {
		t, ok := m.of[a].(productTask)
		if !ok || t.epilogue != nil || !x.isSame(i) || s.Place(a.Old()) != s.Place(n.Old()) {
			continue
		}
		// A second reader would need the product in memory. A dim reads extents alone.
		readers := 0
		for _, u := range a.Users() {
			if u.Def() != tensor.Dim {
				readers++
			}
		}
		if readers != 1 {
			continue
		}
		t.epilogue = &pointwise{n: n, body: x.body, types: x.types, known: a}
		m.of[n] = t
		delete(m.of, a)
		m.within[a] = true
		m.ctx.Count("fused", 1)
		return
	}
}

// computes reports an op on tensors that is more than memory under another name.
func computes(n ir.Node) bool {
	return slices.Contains(tensor.Dialect.Ops, n.Def()) && !n.Def().Has(ir.Terminator) &&
		!slices.Contains([]*ir.OpDef{tensor.Dim, tensor.Extract, tensor.Reshape, tensor.Pack, tensor.Unpack, tensor.Write}, n.Def())
}

// add is the name of a kernel, which is made before a function unless there is one that does the same.
func (m *maker) add(f ir.Node, base string, body *ir.Graph, threads, blocksAtOnce int64) string {
	// Bodies of one fingerprint are one kernel, if their blocks are alike.
	key := kernelKey{f.Graph(), ir.ScheduleOf(body).Fingerprint(), threads, blocksAtOnce}
	if name, ok := m.kernels[key]; ok {
		return name
	}
	name := m.names.Fresh(base)
	m.kernels[key] = name
	d := definition{name: name, body: body, most: threads, once: blocksAtOnce}
	for _, p := range body.Params(ir.Root) {
		d.in = append(d.in, body.Type(p))
	}
	m.defs[f] = append(m.defs[f], d)
	m.ctx.Count("kernels", 1)
	return name
}

// define puts the kernels of a function before it.
func (m *maker) define(x *ir.Mirror, n ir.Node) ir.Value {
	for _, d := range m.defs[n] {
		c := x.B.Ctx()
		attr := c.WithDiscardable(funcs.Props(c, d.name, "", d.in, nil), device.MaxThreadsAttr, c.IntAttr(d.most, ir.I64))
		attr = c.WithDiscardable(attr, device.MinBlocksAttr, c.IntAttr(d.once, ir.I64))
		x.B.Must(ir.Call{Def: device.Kernel, Attr: attr, Graphs: []*ir.Graph{d.body}})
	}
	return x.Copy(n)
}
