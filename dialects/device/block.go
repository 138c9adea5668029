package device

import (
	"slices"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// meeting are the ops at which threads wait for others.
var meeting = []*ir.OpDef{Barrier, Shuffle, funcs.Call, funcs.CallIndirect}

// Meets says that the threads of a warp meet at an op of another dialect (Collective).
type Meets struct{}

// Brings says of an op that it begins to write to memory where nothing is until another op says so.
type Brings struct{}

// meets reports a kernel whose threads may wait for one another: it has such an op, or calls a
// function, which may.
func meets(g *ir.Graph) bool {
	for v := ir.Value(1); int(v) < g.Len(); v++ {
		if slices.Contains(meeting, g.Def(v)) || ir.Implements[Meets](g.Ctx, g.Def(v)) {
			return true
		}
	}
	return false
}

// one runs the threads of a block one after the other, to their ends.
func (g *grid) one(b *block) error {
	defer func() { *thread(g.m) = nil }()
	number := -1
	return each(g.threads, func(id [3]int64) error {
		number++
		return g.thread(&Thread{block: b, id: id, number: number})
	})
}

// thread runs a thread to its end.
func (g *grid) thread(t *Thread) error {
	*thread(g.m) = t
	return g.m.InvokeTo(g.kernel, g.args, nil)
}

// together runs the threads of a block from barrier to barrier, and their warps from one meeting to the next.
func (g *grid) together(b *block) error {
	var threads []*Thread
	_ = each(g.threads, func(id [3]int64) error {
		t := &Thread{block: b, id: id, number: len(threads)}
		t.work = g.m.Coroutine(func() error { return g.thread(t) })
		threads = append(threads, t)
		return nil
	})
	defer func() {
		for _, t := range threads {
			t.work.Stop()
		}
	}()
	for {
		waiting := 0
		for first := 0; first < len(threads); first += WarpSize {
			n, err := g.warp(threads[first:min(first+WarpSize, len(threads))])
			if err != nil {
				return err
			}
			waiting += n
		}
		if waiting == 0 {
			return nil
		}
		if err := met(threads, waiting); err != nil {
			return err
		}
	}
}

// warp runs threads until all of them have ended or wait at a barrier, and returns how many wait.
func (g *grid) warp(threads []*Thread) (waiting int, err error) {
	for {
		waiting = 0
		together := 0
		for _, t := range threads {
			if t.done {
				continue
			}
			paused, err := t.work.Resume()
			if err != nil {
				return 0, err
			}
			if t.done = !paused; !paused {
				continue
			}
			waiting++
			if t.warp != nil {
				together++
			}
		}
		if together == 0 {
			return waiting, nil
		}
		if err := collect(threads, together); err != nil {
			return 0, err
		}
	}
}

// met checks that all threads of a block wait at one barrier.
func met(threads []*Thread, waiting int) error {
	var first, other *Thread
	for _, t := range threads {
		switch {
		case t.done && other == nil:
			other = t
		case t.done:
		case first == nil:
			first = t
		case t.waiting != first.waiting:
			return divergent(first, Barrier, "threads of block %v wait at different barriers: %v here, %v elsewhere", first.block.id, first.id, t.id)
		}
	}
	if other != nil {
		return divergent(first, Barrier, "%d of %d threads of block %v wait here, but thread %v has ended", waiting, len(threads), first.block.id, other.id)
	}
	return nil
}

// divergent blames the op that a thread waits at.
func divergent(t *Thread, def *ir.OpDef, format string, args ...any) error {
	at := t.waiting
	return &interp.Failure{Err: ir.Trapf(format, args...), Op: def.Name, Locs: at.g.LocsOf(at.v), Function: t.block.kernel.Name,
		Callers: []string{t.block.m.Running()}}
}
