package grid

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// Pass makes kernels of tensor ops.
type Pass struct{}

// Info is the row of the pass.
var Info = &pass.Info{
	Name: "tensor-to-device",
	Doc: "Makes kernels of ops on tensors, and launches them: of products of matrices (ten.einsum of two operands of f32 or f64), by tiles in shared memory and in registers. " +
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
		{Name: "left", Doc: "einsums that stay on the host"},
	},
	New: func() pass.Pass { return &Pass{} },
}

// A work is an op that a kernel does.
type work struct {
	*product
	t    tile
	name string // of the kernel
}

// maker works on one scope of symbols.
type maker struct {
	ctx     *pass.Context
	names   map[string]bool
	kernels map[string]string // by what they compute
	of      map[ir.Node]*work
	defs    map[ir.Node][]definition // by the function that needs them first
}

type definition struct {
	name string
	in   []ir.Type
	body *ir.Graph
	t    tile
}

// Run works on every function.
func (p *Pass) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	m := &maker{ctx: ctx, names: map[string]bool{}, kernels: map[string]string{}, of: map[ir.Node]*work{}, defs: map[ir.Node][]definition{}}
	everyOp(g, func(n ir.Node) {
		if name := pass.SymbolOf(n); name != "" {
			m.names[name] = true
		}
	})
	everyOp(g, func(n ir.Node) {
		if n.Def() == funcs.Func && len(n.Graph().Children(n.Old())) > 0 {
			m.function(n)
		}
	})
	if len(m.of) == 0 {
		return g, nil
	}
	hosts := map[*ir.Builder]*host{}
	rules := ir.Rules{funcs.Func: m.define, tensor.Einsum: func(x *ir.Mirror, n ir.Node) ir.Value {
		w := m.of[n]
		if w == nil {
			return 0
		}
		if hosts[x.B] == nil {
			hosts[x.B] = &host{maker: m, there: map[ir.Value][]resident{}}
		}
		return hosts[x.B].launch(x, n, w)
	}}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil), nil
}

// everyOp calls f for the ops of a graph and of the graphs in it.
func everyOp(g *ir.Graph, f func(n ir.Node)) {
	ir.ScheduleOf(g).Walk(func(v ir.Value) {
		f(g.NodeOf(v))
		for _, in := range g.Children(v) {
			everyOp(in, f)
		}
	})
}

// function finds what becomes of the einsums of a function.
func (m *maker) function(f ir.Node) {
	g := f.Graph().Children(f.Old())[0]
	ir.ScheduleOf(g).Walk(func(v ir.Value) {
		n := g.NodeOf(v)
		if n.Def() != tensor.Einsum {
			return
		}
		p, why := productOf(n)
		if p == nil {
			m.ctx.Count("left", 1)
			m.ctx.Remark("in @%s an einsum stays on the host: it %s", pass.SymbolOf(f), why)
			return
		}
		w := &work{product: p, t: p.tile()}
		w.name = m.kernelOf(f, w)
		m.of[n] = w
		m.ctx.Count("launches", 1)
		m.ctx.Remark("in @%s an einsum is a launch of @%s: tiles of %d x %d, in steps of %d, by %d threads, %d x %d of it each; %d bytes of shared memory", pass.SymbolOf(f), w.name,
			w.t.rows, w.t.columns, w.t.depth, w.t.threads(), w.t.perRow, w.t.perColumn, w.sharedBytes(g.Ctx, w.t))
	})
}

// kernelOf is the name of the kernel for a work, which is made for the first of its kind.
func (m *maker) kernelOf(f ir.Node, w *work) string {
	key := fmt.Sprint(*w.product, w.t)
	if name, ok := m.kernels[key]; ok {
		return name
	}
	base := pass.SymbolOf(f) + "_product"
	name := base
	for i := 1; m.names[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	m.names[name], m.kernels[key] = true, name
	body := w.kernel(f.Graph().Ctx, w.t)
	d := definition{name: name, body: body, t: w.t}
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
		attr := c.WithDiscardable(funcs.Props(c, d.name, "", d.in, nil), device.MaxThreadsAttr, c.IntAttr(d.t.threads(), ir.I64))
		attr = c.WithDiscardable(attr, device.MinBlocksAttr, c.IntAttr(blocksAtOnce, ir.I64))
		x.B.Must(ir.Call{Def: device.Kernel, Attr: attr, Graphs: []*ir.Graph{d.body}})
	}
	return x.Copy(n)
}

// letters of the spec that a product is, for people.
func (p *product) String() string {
	term := func(q place, x, k string) string {
		out := make([]string, 3)
		if q.batch >= 0 {
			out[q.batch] = "b"
		}
		out[q.x], out[q.k] = x, k
		return strings.Join(out, "")
	}
	return term(p.in[0], "i", "k") + "," + term(p.in[1], "j", "k") + "->" + term(p.out, "i", "j")
}
