package device

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

// A collective is what a thread brings to an op that all threads of its warp run at once, and what it gets.
type collective struct {
	def  *ir.OpDef
	args []ir.Val
	run  func(lanes [][]ir.Val) ([]ir.Val, error)
	out  ir.Val
}

// Collective waits until all threads of the warp are at an op; run is called once, with the operands of each, and returns
// what each gets.
func Collective(m *interp.Machine, o *interp.Op, args []ir.Val, run func(lanes [][]ir.Val) ([]ir.Val, error)) (ir.Val, error) {
	t := here(m)
	if t == nil {
		return ir.Val{}, ir.Trapf(noLaunch)
	}
	c := &collective{def: o.G.Def(o.V), args: append([]ir.Val(nil), args...), run: run}
	t.warp, t.waiting = c, place{o.G, o.V}
	_, err := m.Pause()
	return c.out, err
}

// collect has the threads of a warp, so many of which wait for that, run an op together.
func collect(threads []*Thread, waiting int) error {
	var first, other *Thread
	for _, t := range threads {
		switch {
		case t.done || t.warp == nil:
			if other == nil {
				other = t
			}
		case first == nil:
			first = t
		case t.waiting != first.waiting:
			return divergent(first, first.warp.def, "threads of a warp of block %v wait at different ops: %v here, %v elsewhere", first.block.id, first.id, t.id)
		}
	}
	if other != nil || len(threads) < WarpSize {
		if other == nil {
			return divergent(first, first.warp.def, "the warp has %d threads, and all 32 must be here: launch blocks of whole warps", len(threads))
		}
		return divergent(first, first.warp.def, "%d of the threads of a warp of block %v wait here, but thread %v does not come", waiting, first.block.id, other.id)
	}
	lanes := lists.Map(threads, func(t *Thread) []ir.Val { return t.warp.args })
	out, err := first.warp.run(lanes)
	if err != nil {
		at := first.waiting
		return &interp.Failure{Err: err, Op: first.warp.def.Name, Locs: at.g.LocsOf(at.v), Function: first.block.kernel.Name, Callers: []string{first.block.m.Running()}}
	}
	for i, t := range threads {
		t.warp.out = out[i]
		t.warp = nil
	}
	return nil
}

// modes are those of a shuffle.
var modes = []string{"xor", "up", "down", "idx"}

// from is the lane that a lane reads, by the low five bits of n; one that there is not is its own.
func from(mode string, lane, n int) int {
	n &= WarpSize - 1
	at := lane
	switch mode {
	case "xor":
		at ^= n
	case "up":
		at -= n
	case "down":
		at += n
	case "idx":
		at = n
	}
	if at < 0 || at >= WarpSize {
		return lane
	}
	return at
}

func runShuffle(m *interp.Machine, o *interp.Op, args, out []ir.Val) (err error) {
	mode := o.G.Ctx.AttrInfo(o.Call.Get("mode")).Str
	out[0], err = Collective(m, o, args, func(lanes [][]ir.Val) ([]ir.Val, error) {
		got := make([]ir.Val, len(lanes))
		for i, a := range lanes {
			if a[1].Ref != nil {
				got[i] = ir.Val{Ref: ir.Poison}
				continue
			}
			got[i] = lanes[from(mode, i, int(int32(a[1].Bits)))][0]
		}
		return got, nil
	})
	return err
}
