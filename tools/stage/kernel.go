package stage

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/stage"
)

// A kernel is the part of a function that the device runs.
type kernel struct {
	*blocks
	values []stage.Value // nodes outside of it whose results it uses
	vars   []stage.Var   // and variables that it reads
}

// outline finds the kernel that begins with a node.
func (b *blocks) outline(begin stage.Value) (*kernel, error) {
	s := b.s
	k := &kernel{blocks: &blocks{s: s, into: b.into}}
	wrong := func(v stage.Value, what, fix string) error {
		return explain(s, &stage.Error{Stack: s.Nodes[v].Stack, Other: s.Nodes[begin].Stack, What: what, Fix: fix})
	}
	ways := map[stage.Value]int32{}
	for todo := []stage.Value{s.Nodes[begin].Next[0]}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if ways[v]++; ways[v] > 1 {
			continue
		}
		if of(s, v) == "end" {
			if k.end != 0 {
				return nil, wrong(v, "what a Static holds after the kernel depends on a condition in it", "the host cannot know it: set the Static outside of conditions, or ask a prophecy")
			}
			k.end = v
			continue
		}
		todo = append(todo, k.next(v)...)
	}
	for v, n := range ways {
		if n != b.into[v] {
			return nil, wrong(v, "paths of the host meet in the kernel", "end the lives of Statics before it, or after it")
		}
	}
	if k.end == 0 {
		return nil, wrong(begin, "the kernel does not end", "a loop in it must have an end")
	}
	if err := k.partition(s.Nodes[begin].Next[0], nil); err != nil {
		return nil, err
	}
	declared := map[stage.Var]bool{}
	for v := range k.in {
		if n := &s.Nodes[v]; n.Kind == stage.Declare {
			declared[n.Var] = true
		}
	}
	for _, nodes := range k.nodes {
		for _, v := range nodes {
			k.capture(v, declared)
		}
	}
	return k, nil
}

// capture notes what a node uses of the host.
func (k *kernel) capture(v stage.Value, declared map[stage.Var]bool) {
	for _, a := range k.args(v) {
		if _, ok := k.in[a]; !ok {
			k.in[a] = outside
			k.values = append(k.values, a)
		}
	}
	for _, x := range k.reads(v) {
		if !declared[x] {
			declared[x] = true
			k.vars = append(k.vars, x)
		}
	}
}

// outside is the block of what a kernel uses of the host.
const outside = -1

// launch makes a kernel and the op that runs it.
func (e *emitter) launch(begin stage.Value, name string, grid, block ir.Value) {
	k := e.kernels[begin]
	inner := e.m.emitter(k.blocks, ir.NewBuilder(e.m.c), nil)
	args := []ir.Value{grid, block}
	take := func(slot int, v ir.Value) {
		inner.walk.Set(slot, inner.b.Param(e.b.Graph().Type(v)))
		args = append(args, v)
	}
	for _, v := range k.values {
		take(k.slot[v], e.result(begin, v))
	}
	for _, x := range k.vars {
		take(k.blocks.vars[x], e.walk.Get(e.vars[x]))
	}
	inner.walk.Emit()
	inner.b.Op(device.Return)
	symbol := e.m.symbol(name)
	in := lists.Map(inner.b.Params(ir.Root), inner.b.Graph().Type)
	e.m.b.Must(ir.Call{Def: device.Kernel, Attr: funcs.Props(e.m.c, symbol, "", in, nil), Graphs: []*ir.Graph{inner.b.Finish()}})
	e.b.Must(ir.Call{Def: device.Launch, Args: ub.AllFrozen(e.b, args), Attr: device.LaunchProps(e.m.c, symbol, 1, 1, len(args)-2)})
}

// symbol is a name that no other function of the program has.
func (m *module) symbol(name string) string {
	for n := 0; ; n++ {
		s := name
		if n > 0 {
			s = fmt.Sprintf("%s_%d", name, n)
		}
		if m.known[s] == nil {
			m.known[s] = &routine{name: s}
			return s
		}
	}
}

// id is the number of a thread, or of its block.
func (e *emitter) id(of string) ir.Value {
	def := map[string]*ir.OpDef{"block": device.BlockID, "thread": device.ThreadID}[of]
	return arith.Cast(e.b, arith.IndexCast, e.b.OpAttr(def, device.IDProps(e.m.c, 0)), ir.I64)
}
