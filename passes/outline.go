package passes

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// Outline makes kernels of data-parallel loops.
type Outline struct {
	Block int `opt:"block" doc:"threads of a block"`
}

var outlineInfo = &pass.Info{
	Name: "outline-kernels",
	Doc: "Makes a device.kernel of each parallel loop of a function that stands in no other one (scf.parallel, scf.forall, and what another dialect says is one), and launches it there. " +
		"A thread runs an iteration, or several where a grid cannot have as many blocks. " +
		"Loops that reduce, call, print or allocate on the heap stay, as do those of more than three dimensions.",
	Why: "After inline, since calls stay on the host, and after what fuses or tiles loops; before code is made for a GPU.",
	Example: `func.func @f(%x: memref<?xf32>, %n: index, %a: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.mulf %v, %a : f32
    memref.store %w, %x[%i] : memref<?xf32>
    scf.reduce
  }
  return
}
`,
	Scope: pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "outlined", Doc: "loops that became kernels"},
		{Name: "left", Doc: "parallel loops that stay on the host"},
	},
	New: func() pass.Pass { return &Outline{Block: 256} },
}

// Check refuses blocks that no device has.
func (p *Outline) Check() error {
	if p.Block < 1 || p.Block > device.MaxThreads {
		return fmt.Errorf("block=%d is not between 1 and %d", p.Block, device.MaxThreads)
	}
	return nil
}

// outlined is a loop that becomes a kernel.
type outlined struct {
	name   string
	s      *ir.Schedule
	node   ir.Node
	shape  ir.LoopLike
	free   []ir.Value // what its body uses from outside, without constants
	kernel *ir.Graph
}

// outliner works on one scope of symbols.
type outliner struct {
	*Outline
	ctx   *pass.Context
	names symbols.Names
	loops map[ir.Node]*outlined
	of    map[ir.Node][]*outlined // by function
}

// Run outlines in every function.
func (p *Outline) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	o := &outliner{Outline: p, ctx: ctx, names: symbols.Defined(g), loops: map[ir.Node]*outlined{}, of: map[ir.Node][]*outlined{}}
	for n := range g.All() {
		if n.Def() == funcs.Func {
			o.function(n)
		}
	}
	if len(o.loops) == 0 {
		return g, nil
	}
	rules := ir.Rules{funcs.Func: o.define}
	for _, def := range ir.Implementers[ir.LoopLike](g.Ctx) {
		rules[def] = o.launch
	}
	return basic.Rebuild(g, rules), nil
}

// function finds the outermost parallel loops of a function.
func (o *outliner) function(f ir.Node) {
	g := f.Children()[0]
	s := ir.ScheduleOf(g)
	var visit func(r ir.Region)
	visit = func(r ir.Region) {
		for _, v := range s.Body(r) {
			if loop, ok := ir.As[ir.LoopLike](g.NodeOf(v)); ok && loop.Parallel {
				what, l := o.ctx.What(g, v), &outlined{s: s, node: g.NodeOf(v), shape: loop}
				if why := o.plan(l, symbols.Of(f)); why != "" {
					o.ctx.Count("left", 1)
					o.ctx.Remark("in @%s %s stays on the host: it %s", symbols.Of(f), what, why)
				} else {
					o.ctx.Count("outlined", 1)
					o.ctx.Remark("in @%s %s becomes kernel @%s", symbols.Of(f), what, l.name)
					o.loops[l.node] = l
					o.of[f] = append(o.of[f], l)
					continue
				}
			}
			for _, in := range g.Regions(v) {
				visit(in)
			}
		}
	}
	visit(ir.Root)
}

// plan finds out whether a loop can be a kernel, and makes it; else it says why not.
func (o *outliner) plan(l *outlined, function string) string {
	g := l.node.Graph()
	if len(l.shape.Inits) > 0 {
		return "reduces, or has shared outputs"
	}
	if n := len(l.shape.Upper); n < 1 || n > 3 {
		return fmt.Sprintf("has %d dimensions, a grid one to three", n)
	}
	if why := l.body(); why != "" {
		return why
	}
	for _, v := range l.free {
		if !crosses(g.Ctx, g.Type(v)) {
			return "uses a value that a launch does not pass"
		}
	}
	l.name = o.names.Fresh(function + "_kernel")
	l.kernel = l.makeKernel()
	return ""
}

// crosses reports types of kernel arguments.
func crosses(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	if info.Kind == ir.KindMemRef {
		space, ok := device.Space(c, t)
		return !info.Unranked && ok && space != device.SharedSpace
	}
	return c.IsInt(t) && info.Width <= 64 || t == ir.F16 || t == ir.BF16 || t == ir.F32 || t == ir.F64
}

// onDevices are the dialects whose ops kernels run, but for hostOnly.
var onDevices = []*ir.Dialect{arith.Dialect, math.Dialect, special.Dialect, scf.Dialect, memref.Dialect, vector.Dialect}

// hostOnly are ops of those dialects that need the heap or the output of the host.
var hostOnly = []*ir.OpDef{memref.Alloc, memref.Dealloc, memref.Realloc, special.Print, vector.Print}

// body looks at what an iteration does, and lists what it uses from outside.
func (l *outlined) body() (why string) {
	g := l.node.Graph()
	inside, seen := map[ir.Value]bool{}, map[ir.Value]bool{}
	use := func(v ir.Value) {
		n, _, projected := g.Projection(v)
		if _, constant := g.Const(v); constant || inside[v] || projected && inside[n] || seen[v] {
			return
		}
		seen[v] = true
		l.free = append(l.free, v)
	}
	var visit func(r ir.Region)
	visit = func(r ir.Region) {
		for _, p := range g.Params(r) {
			inside[p] = true
		}
		for _, v := range l.s.Body(r) {
			def := g.Def(v)
			if r == l.shape.Body && def.Has(ir.Terminator) {
				continue // it gives nothing, or the loop had first values
			}
			if !slices.Contains(onDevices, g.Ctx.DialectOf(def)) || def.Has(ir.TextOnly) || slices.Contains(hostOnly, def) {
				why = "has an op that kernels do not run: " + def.Name
			}
			for _, a := range g.Args(v) {
				use(a)
			}
			for _, in := range g.Regions(v) {
				visit(in)
			}
			inside[v] = true
		}
	}
	visit(l.shape.Body)
	return why
}

// params are the arguments of the kernel after the trips: lower bounds and steps
// that are not constant, then the free values.
func (l *outlined) params() []ir.Value {
	g := l.node.Graph()
	// The upper bounds are no arguments: the trips stand for them. launch passes the values in the same
	// order.
	var out []ir.Value
	for _, b := range append(slices.Clone(l.shape.Lower), l.shape.Step...) {
		if b.Value == 0 || slices.Contains(out, b.Value) || slices.Contains(l.free, b.Value) {
			continue
		}
		if _, constant := g.Const(b.Value); !constant {
			out = append(out, b.Value)
		}
	}
	return append(out, l.free...)
}

// makeKernel builds the kernel: thread k of dimension d runs the iterations k, k +
// all, k + 2 all ... of it.
func (l *outlined) makeKernel() *ir.Graph {
	g := l.node.Graph()
	b := ir.NewBuilder(g.Ctx)
	dims := len(l.shape.Upper)
	for range dims {
		b.Param(ir.Index)
	}
	outer := map[ir.Value]ir.Value{}
	for _, v := range l.params() {
		outer[v] = b.Param(g.Type(v))
	}
	trips := b.Params(ir.Root)[:dims]
	l.constants(b, outer)
	at := func(x ir.Bound) ir.Value {
		if x.Value == 0 {
			return b.Index(x.Const)
		}
		return outer[x.Value]
	}
	id := func(def *ir.OpDef, d int) ir.Value { return b.OpAttr(def, device.IDProps(b.Ctx(), d)) }
	var nest func(d int, is []ir.Value)
	nest = func(d int, is []ir.Value) {
		if d == dims {
			ir.Insert(b, l.s, l.shape.Body, outer, nil, is...)
			return
		}
		axis := dims - 1 - d // the last dimension is x, whose threads are neighbours
		size := id(device.BlockDim, axis)
		first := arith.AddI(b, arith.MulI(b, id(device.BlockID, axis), size), id(device.ThreadID, axis))
		all := arith.MulI(b, id(device.GridDim, axis), size)
		r := b.Region(ir.Loop, []ir.Type{ir.Index}, func(k []ir.Value) {
			i := arith.AddI(b, at(l.shape.Lower[d]), arith.MulI(b, k[0], at(l.shape.Step[d])))
			nest(d+1, append(is[:d:d], i))
			b.Op(scf.Yield)
		})
		b.Must(ir.Call{Def: scf.For, Args: []ir.Value{first, trips[d], all}, Regions: []ir.Region{r}})
	}
	nest(0, nil)
	b.Op(device.Return)
	return b.Finish()
}

// constants makes the constants that the body uses from outside.
func (l *outlined) constants(b *ir.Builder, outer map[ir.Value]ir.Value) {
	g := l.node.Graph()
	for v := range l.s.All() {
		if _, ok := g.Const(v); ok {
			outer[v] = b.ConstAttr(g.Type(v), g.Attr(v, "value"))
		}
	}
}

// define puts the kernels of a function before it.
func (o *outliner) define(m *ir.Mirror, n ir.Node) ir.Value {
	for _, l := range o.of[n] {
		in := lists.Map(l.kernel.Params(ir.Root), l.kernel.Type)
		m.B.Must(ir.Call{Def: device.Kernel, Attr: funcs.Props(m.B.Ctx(), l.name, "", in, nil), Graphs: []*ir.Graph{l.kernel}})
	}
	return m.Copy(n)
}

// launch replaces a loop.
func (o *outliner) launch(m *ir.Mirror, n ir.Node) ir.Value {
	l := o.loops[n]
	if l == nil {
		return 0
	}
	dims := len(l.shape.Upper)
	trips, grid, block := make([]ir.Value, dims), make([]ir.Value, dims), make([]ir.Value, dims)
	for d := range dims {
		trips[d] = l.trips(m, d)
		axis := dims - 1 - d
		size := m.B.Index(int64(o.extent(dims, axis)))
		// A device limits the blocks of a grid. Where that cuts some off, the other threads run their
		// iterations too.
		blocks := m.Op(arith.Ceildivui, trips[d], size)
		grid[axis], block[axis] = m.Op(arith.Minui, blocks, m.B.Index(device.MaxGrid[axis])), size
	}
	args := append(append(grid, block...), trips...)
	for _, v := range l.params() {
		args = append(args, m.Of(n.Graph().NodeOf(v)))
	}
	return m.B.Must(ir.Call{Def: device.Launch, Args: ub.AllFrozen(m.B, args), Attr: device.LaunchProps(m.B.Ctx(), l.name, dims, dims, len(args)-2*dims)})
}

// extent is the number of threads of a block along an axis: a warp along x where
// there are several, at most four along y where there is z.
func (o *outliner) extent(dims, axis int) int {
	x := o.Block
	if dims > 1 {
		x = min(x, 32)
	}
	y := o.Block / x
	if dims > 2 {
		y = min(y, 4)
	}
	return []int{x, y, min(o.Block/x/y, int(device.MaxBlock[2]))}[axis]
}

// trips is the number of iterations of dimension d; nothing in it overflows: the
// difference is taken without a sign, and only if lower < upper.
func (l *outlined) trips(m *ir.Mirror, d int) ir.Value {
	at := func(b ir.Bound) ir.Value {
		if b.Value == 0 {
			return m.B.Index(b.Const)
		}
		return m.Of(l.node.Graph().NodeOf(b.Value))
	}
	lower, upper := at(l.shape.Lower[d]), at(l.shape.Upper[d])
	runs := arith.CmpI(m.B, arith.SLT, lower, upper)
	span := arith.Choose(m.B, runs, arith.SubI(m.B, upper, lower), m.B.Index(0))
	return m.Op(arith.Ceildivui, span, at(l.shape.Step[d]))
}
