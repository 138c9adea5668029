package placement

import (
	"fmt"
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// Pass places transfers.
type Pass struct{}

// Info is the row of the pass.
var Info = &pass.Info{
	Name: "place-transfers",
	Doc: "Gives each memory of the host that kernels use (device.launch) a copy on the device, in memory space 1. It copies between the two what the next access needs and its side does not hold: " +
		"given what accesses are seen to need, no sequence of whole copies moves fewer bytes, whatever loops and branches are around. Flags say which side holds what was written last; mem2reg makes values of them. " +
		"A kernel that overwrites a memory whole does not need what was there. " +
		"Memory that may be another's, or goes where its accesses are not seen, stays as it is, and a remark says why.",
	Why: "After outline-kernels, which makes launches, and inline, since a call may use what it is given on the host; mem2reg follows.",
	Example: `device.kernel @double(%x: memref<8xf32>) {
  %i = device.thread_id x
  %v = memref.load %x[%i] : memref<8xf32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %x[%i] : memref<8xf32>
  device.return
}
func.func @f(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    device.launch @double blocks(%c1) threads(%c8) args(%x : memref<8xf32>)
  }
  return
}
`,
	Scope: pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "placed", Doc: "memories that have a copy on the device"},
		{Name: "left", Doc: "memories that stay as they are"},
	},
	New: func() pass.Pass { return &Pass{} },
}

// A placer works on one scope of symbols.
type placer struct {
	ctx       *pass.Context
	kernels   map[symbol]*kernel
	order     []*kernel
	functions []*function
}

// A symbol is a name in a module.
type symbol struct {
	scope *ir.Graph
	name  string
}

// A function is one of the host that launches kernels.
type function struct {
	n       ir.Node
	name    string
	g       *ir.Graph
	s       *ir.Schedule
	bases   map[ir.Value]*base
	order   []*base
	users   map[ir.Value][]*kernel // by memory
	refused map[ir.Value]string    // memory that launches use, and why it stays
	around  map[ir.Value]bool      // ops with launches in them
	events  map[ir.Value]*event
	alone   func() bool // one memory is passed, and nothing is called
}

// A base is memory that has a copy on the device.
type base struct {
	v       ir.Value
	number  int // in its function
	param   bool
	private bool // no parameter that others may reach
	freed   bool
}

// A launch is a use of a kernel.
type launch struct {
	f    *function
	n    ir.Node
	args []ir.Value // of the kernel
	size int        // extents before them
}

// Run places in every function.
func (p *Pass) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	x := &placer{ctx: ctx, kernels: map[symbol]*kernel{}}
	x.collect(g)
	x.launches()
	x.settle()
	to := map[ir.Node]*ir.Graph{}
	for _, f := range x.functions {
		for _, b := range f.order {
			ctx.Count("placed", 1)
			ctx.Remark("in @%s %s has a copy on the device", f.name, f.describe(ctx, b.v))
		}
		for _, v := range slices.Sorted(maps.Keys(f.refused)) {
			ctx.Count("left", 1)
			ctx.Remark("in @%s %s stays as it is: it %s", f.name, f.describe(ctx, v), f.refused[v])
		}
		if len(f.order) > 0 {
			to[f.n] = f.rewrite(x)
		}
	}
	if len(to) == 0 {
		return g, nil
	}
	return x.module(g, to), nil
}

// collect finds kernels and functions of the host.
func (x *placer) collect(g *ir.Graph) {
	for v := range ir.ScheduleOf(g).All() {
		n := g.NodeOf(v)
		switch {
		case n.Def() == device.Kernel:
			k := kernelOf(n)
			x.kernels[symbol{g, symbols.Of(n)}] = k
			x.order = append(x.order, k)
		case n.Def() == funcs.Func && len(g.Children(v)) == 1 && g.Children(v)[0].IsLeaf():
			x.functions = append(x.functions, functionOf(n))
		default:
			for _, in := range g.Children(v) {
				x.collect(in)
			}
		}
	}
}

// kernel is that of a launch, or nil.
func (x *placer) kernel(f *function, n ir.Node) *kernel {
	return x.kernels[symbol{f.n.Graph(), device.KernelOf(f.g.Ctx, n.Attrs())}]
}

// launches finds the memory that kernels use.
func (x *placer) launches() {
	for _, f := range x.functions {
		for v := range f.s.All() {
			n := f.g.NodeOf(v)
			if n.Def() != device.Launch {
				continue
			}
			for r := f.s.Place(v); r != ir.Root && !f.around[f.g.Owner(r)]; r = f.s.Place(f.g.Owner(r)) {
				f.around[f.g.Owner(r)] = true
			}
			k := x.kernel(f, n)
			if k == nil {
				continue
			}
			l := launchOf(f, n)
			k.launches = append(k.launches, l)
			for _, a := range l.args {
				if isHost(f.g.Ctx, f.g.Type(a)) {
					m := f.root(a)
					f.use(m)
					f.users[m] = append(f.users[m], k)
				}
			}
		}
	}
}

// settle refuses memory of which some accesses are not seen, and all that kernels use which would have to be for both
// memories, until that changes nothing.
func (x *placer) settle() {
	for _, f := range x.functions {
		f.check()
	}
	for _, k := range x.order {
		switch {
		case k.why != "":
			k.stay(k.why)
		case k.isMixed():
			k.stay(mixed)
		}
	}
	for _, f := range x.functions {
		f.order = slices.DeleteFunc(f.order, func(b *base) bool { return f.bases[b.v] == nil })
	}
}

// mixed is why memory stays that itself could move: one kernel has one type for each argument.
const mixed = "is used by a kernel that is also launched with memory that stays as it is"

// isMixed reports a kernel that is launched with memory of the host that stays.
func (k *kernel) isMixed() bool {
	return slices.ContainsFunc(k.launches, func(l launch) bool {
		return slices.ContainsFunc(l.args, func(a ir.Value) bool {
			return isHost(l.f.g.Ctx, l.f.g.Type(a)) && l.f.bases[l.f.root(a)] == nil
		})
	})
}

// stay leaves a kernel as it is, and all memory that it is launched with, and the kernels that this is used by.
func (k *kernel) stay(why string) {
	for list := []*kernel{k}; len(list) > 0; why = mixed {
		var next []*kernel
		for _, k := range list {
			if k.stays {
				continue
			}
			// The mark bounds the walk: each kernel is visited once, also where memory connects kernels in a
			// cycle.
			k.stays = true
			for _, l := range k.launches {
				for _, a := range l.args {
					if m := l.f.root(a); l.f.bases[m] != nil {
						l.f.refuse(m, why)
						next = append(next, l.f.users[m]...)
					}
				}
			}
		}
		list = next
	}
}

// module puts the functions and kernels in their places that are others now.
func (x *placer) module(g *ir.Graph, to map[ir.Node]*ir.Graph) *ir.Graph {
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{
		funcs.Func: func(m *ir.Mirror, n ir.Node) ir.Value {
			if to[n] == nil {
				return 0
			}
			return m.B.Must(ir.Call{Def: funcs.Func, Attr: n.Attrs(), Graphs: []*ir.Graph{to[n]}, Type: n.Type()})
		},
		device.Kernel: func(m *ir.Mirror, n ir.Node) ir.Value {
			k := x.kernels[symbol{n.Graph(), symbols.Of(n)}]
			if k == nil || k.stays || len(k.launches) == 0 {
				return 0
			}
			return k.onDevice(m)
		},
	}, nil)
}

// launchOf splits the operands of a launch: blocks and threads come first, then the arguments of the kernel.
func launchOf(f *function, n ir.Node) launch {
	seg := f.g.Ctx.Ints(n.Attr("operandSegmentSizes"))
	size := int(seg[0] + seg[1])
	return launch{f: f, n: n, args: f.g.Args(n.Old())[size:], size: size}
}

// describe is memory for people.
func (f *function) describe(ctx *pass.Context, v ir.Value) string {
	if r, i, ok := f.g.Param(v); ok && r == ir.Root {
		return fmt.Sprintf("argument %d", i)
	}
	n, _, _ := f.g.Projection(v)
	return "memory of " + ctx.What(f.g, n)
}
