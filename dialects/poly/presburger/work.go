package presburger

import (
	"errors"
	"slices"
	"sync"

	"github.com/irc-lang/irc/ir/unwind"
)

// ErrBudget is the error of an operation that would take more work than is allowed
// (see Set.WithBudget).
var ErrBudget = errors.New("presburger: the operation takes more work than its budget allows")

// DefaultBudget is the work that one operation may do, in inner loop steps; some
// seconds.
const DefaultBudget = 200_000_000

// work counts what is left of a budget, and keeps tableaux to be used again. It
// belongs to one run of one operation.
type work struct {
	left  int64
	spare []*tableau
}

var works = sync.Pool{New: func() any { return new(work) }}

type overBudget struct{}

// step takes n steps off the budget.
func (w *work) step(n int) {
	if w == nil {
		return
	}
	w.left -= int64(n) + 1
	if w.left < 0 {
		panic(overBudget{})
	}
}

// newBudget is what the operations of one budget may do together.
func newBudget(steps int64) *work { return &work{left: steps} }

// remaining is how many steps are left.
func (w *work) remaining() int64 { return max(0, w.left) }

// spend takes steps off that are not counted one by one.
func (w *work) spend(steps int64) { w.left -= steps }

// do is f, or ErrBudget.
func (w *work) do(f func()) error {
	if _, over := unwind.Catch[overBudget](f); over {
		return ErrBudget
	}
	return nil
}

// tableau is an empty one, to be released.
func (w *work) tableau() *tableau {
	if w == nil {
		return &tableau{loose: -1}
	}
	var t *tableau
	if n := len(w.spare); n > 0 {
		t, w.spare = w.spare[n-1], w.spare[:n-1]
	} else {
		t = &tableau{}
	}
	t.work, t.loose = w, -1
	return t
}

// Limits of what is kept for later operations.
const (
	maxSpare = 8
	maxStore = 1 << 13 // integers of a tableau
)

// done keeps w for another operation.
func (w *work) done() {
	w.spare = slices.DeleteFunc(w.spare, func(t *tableau) bool { return len(t.store) > maxStore })
	if len(w.spare) > maxSpare {
		clear(w.spare[maxSpare:])
		w.spare = w.spare[:maxSpare]
	}
	works.Put(w)
}

// An allowance bounds operations: each by steps, 0 being DefaultBudget, or all of them
// by what is left of a total.
type allowance struct {
	steps int64
	total *work
}

// start is what one operation may do.
func (a allowance) start() int64 {
	switch {
	case a.total != nil:
		return a.total.remaining()
	case a.steps == 0:
		return DefaultBudget
	}
	return a.steps
}

// each is the bound on one operation, or 0.
func (a allowance) each() int64 {
	if a.total != nil {
		return max(1, a.total.remaining())
	}
	return a.steps
}

// spend takes what an operation did off the total.
func (a allowance) spend(steps int64) {
	if a.total != nil {
		a.total.spend(steps)
	}
}

// run does an operation within a budget. f must not keep its argument.
func run[T any](budget allowance, f func(w *work) T) (out T, err error) {
	w := works.Get().(*work)
	start := budget.start()
	defer func() {
		budget.spend(start - w.left)
		w.done()
	}()
	w.left = start
	if _, over := unwind.Catch[overBudget](func() { out = f(w) }); over {
		return out, ErrBudget
	}
	return out, nil
}
