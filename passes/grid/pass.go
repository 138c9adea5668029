package grid

import (
	"fmt"
	"slices"

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
	Doc: "Makes kernels of ops on tensors, and launches them: of products of matrices (ten.einsum of two operands of f32 or f64), by tiles in shared memory and in registers, or of f16 or bf16 by tensor cores, and of ten.softmax, ten.layer_norm and reductions along the last dimension, a warp for each row. " +
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
		{Name: "left", Doc: "ops on tensors that stay on the host"},
	},
	New: func() pass.Pass { return &Pass{} },
}

// A work is an op that a kernel does.
type work struct {
	*product // or nil
	t        tile
	rows     *rowOp
	name     string // of the kernel
}

// threads are those of a block.
func (w *work) threads() int64 {
	if w.rows != nil {
		return rowWarps * device.WarpSize
	}
	return w.t.threads()
}

// blocksAtOnce is how many blocks are to find registers on a multiprocessor at once: one computes while another waits. Extents that are
// open take registers of their own, and two blocks would have too few.
func (w *work) blocksAtOnce() int64 {
	if w.rows == nil && (w.m == ir.Dynamic || w.n == ir.Dynamic || w.k == ir.Dynamic || w.batch == ir.Dynamic) {
		return 1
	}
	return 2
}

// makers are the ops that may become kernels.
var makers = []*ir.OpDef{tensor.Einsum, tensor.Softmax, tensor.LayerNorm, tensor.Reduce}

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
	most int64 // threads of a block
	once int64 // blocks of it that are to find registers at once
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
	rules := ir.Rules{funcs.Func: m.define}
	for _, def := range makers {
		rules[def] = func(x *ir.Mirror, n ir.Node) ir.Value {
			w := m.of[n]
			if w == nil {
				return 0
			}
			if hosts[x.B] == nil {
				hosts[x.B] = &host{maker: m, there: map[ir.Value][]resident{}}
			}
			return hosts[x.B].launch(x, n, w)
		}
	}
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

// function finds what becomes of the ops of a function.
func (m *maker) function(f ir.Node) {
	g := f.Graph().Children(f.Old())[0]
	name := pass.SymbolOf(f)
	ir.ScheduleOf(g).Walk(func(v ir.Value) {
		n := g.NodeOf(v)
		if !computes(n) {
			return
		}
		w, why := workOf(n)
		if w == nil {
			m.ctx.Count("left", 1)
			m.ctx.Remark("in @%s a %s stays on the host: it %s", name, n.Def().Name, why)
			return
		}
		w.name = m.kernelOf(f, w)
		m.of[n] = w
		m.ctx.Count("launches", 1)
		if w.rows != nil {
			m.ctx.Remark("in @%s a %s is a launch of @%s: a warp for each row, %d of them a block", name, n.Def().Name, w.name, rowWarps)
			return
		}
		m.ctx.Remark("in @%s an einsum is a launch of @%s: tiles of %d x %d, in steps of %d, by %d threads, %d x %d of it each%s; %d bytes of shared memory", name, w.name,
			w.t.rows, w.t.columns, w.t.depth, w.t.threads(), w.t.perRow, w.t.perColumn, w.t.byWarps(), w.sharedBytes(g.Ctx, w.t))
	})
}

// computes reports an op on tensors that is more than memory under another name.
func computes(n ir.Node) bool {
	return slices.Contains(tensor.Dialect.Ops, n.Def()) && !n.Def().Has(ir.Terminator) &&
		!slices.Contains([]*ir.OpDef{tensor.Dim, tensor.Extract, tensor.Reshape, tensor.Pack, tensor.Unpack, tensor.Write}, n.Def())
}

// workOf is what a kernel does of an op, or why none does.
func workOf(n ir.Node) (*work, string) {
	if !slices.Contains(makers, n.Def()) {
		return nil, "has no kernel: products, softmax, layer norms and reductions along the last dimension have"
	}
	if n.Def() != tensor.Einsum || n.NumArgs() == 1 {
		r, why := rowOpOf(n)
		if r == nil {
			return nil, why
		}
		return &work{rows: r}, ""
	}
	p, why := productOf(n)
	if p == nil {
		return nil, why
	}
	return &work{product: p, t: p.tile()}, ""
}

// kernelOf is the name of the kernel for a work, which is made for the first of its kind.
func (m *maker) kernelOf(f ir.Node, w *work) string {
	c := f.Graph().Ctx
	key, what := "", "product"
	if w.rows != nil {
		key, what = fmt.Sprint(*w.rows), "rows"
	} else {
		key = fmt.Sprint(*w.product, w.t)
	}
	if name, ok := m.kernels[key]; ok {
		return name
	}
	base := pass.SymbolOf(f) + "_" + what
	name := base
	for i := 1; m.names[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	m.names[name], m.kernels[key] = true, name
	var body *ir.Graph
	if w.rows != nil {
		body = w.rows.kernel(c)
	} else {
		body = w.product.kernel(c, w.t)
	}
	d := definition{name: name, body: body, most: w.threads(), once: w.blocksAtOnce()}
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
