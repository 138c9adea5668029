package placement

import (
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A kernel is what launches do.
type kernel struct {
	n        ir.Node
	g        *ir.Graph
	s        *ir.Schedule
	does     map[int]access // by parameter
	stores   map[int][]*covering
	launches []launch
	why      string // it cannot be for memory of the device
	stays    bool
}

// kernelOf reads what a kernel does to its parameters. Coverings are looked for only where it writes and does
// not read.
func kernelOf(n ir.Node) *kernel {
	g := n.Children()[0]
	k := &kernel{n: n, g: g, s: ir.ScheduleOf(g), does: map[int]access{}, stores: map[int][]*covering{}}
	for v := range k.s.All() {
		k.note(v)
	}
	for i, p := range g.Params(ir.Root) {
		if a := k.does[i]; a.writes && !a.reads {
			k.stores[i] = coverings(g, k.s, ir.Root, p, nil)
		}
	}
	return k
}

// note adds what an op does.
func (k *kernel) note(v ir.Value) {
	n := k.g.NodeOf(v)
	if n.Def() == memref.Alloca || n.Def() == memref.GetGlobal {
		k.why = "is used by a kernel with memory of its own (" + n.Def().Name + ")"
	}
	if _, ok := ir.As[ir.CallLike](n); ok {
		k.why = "is used by a kernel that calls functions"
	}
	if _, ok := ir.As[ir.ViewLike](n); ok {
		return
	}
	if list, ok := ir.As[ir.AccessLike](n); ok {
		for _, a := range list.Accesses {
			k.touch(a.Memory, access{reads: a.Reads, writes: a.Writes})
		}
		return
	}
	for _, a := range k.g.Args(v) {
		if k.g.Ctx.Info(k.g.Type(a)).Kind == ir.KindMemRef {
			k.touch(a, access{reads: true, writes: true})
		}
	}
}

// touch notes an access to memory; of what is not known it may be any.
func (k *kernel) touch(m ir.Value, a access) {
	root := rootOf(k.g, m)
	if r, i, ok := k.g.Param(root); ok && r == ir.Root {
		k.does[i] = both(k.does[i], a)
		return
	}
	if _, _, param := k.g.Param(root); !param && k.g.IsOp(root) && k.g.Def(root) == device.Shared {
		return
	}
	for i := range k.g.Params(ir.Root) {
		k.does[i] = both(k.does[i], access{reads: true, writes: true})
	}
}

// onDevice makes the kernel for memory of the device.
func (k *kernel) onDevice(m *ir.Mirror) ir.Value {
	c := m.B.Ctx()
	moved := func(t ir.Type) ir.Type {
		if isHost(c, t) {
			return inSpace(c, t)
		}
		return t
	}
	body := ir.Rewrite(c, k.s, nil, func(_ *ir.Mirror, t ir.Type) ir.Type { return moved(t) })
	in := lists.Map(body.Params(ir.Root), body.Type)
	attr := c.With(k.n.Attrs(), "function_type", c.TypeAttr(c.Func(in, nil)))
	return m.B.Must(ir.Call{Def: device.Kernel, Attr: attr, Graphs: []*ir.Graph{body}})
}
