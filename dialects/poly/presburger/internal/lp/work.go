package lp

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

// Work counts what is left of a budget, and keeps tableaux to be used again. It
// belongs to one run of one operation.
type Work struct {
	left  int64
	spare []*Tableau
}

var works = sync.Pool{New: func() any { return new(Work) }}

type overBudget struct{}

// Step takes n steps off the budget.
func (w *Work) Step(n int) {
	if w == nil {
		return
	}
	w.left -= int64(n) + 1
	if w.left < 0 {
		panic(overBudget{})
	}
}

// NewBudget is what the operations of one budget may do together.
func NewBudget(steps int64) *Work { return &Work{left: steps} }

// Remaining is how many steps are left.
func (w *Work) Remaining() int64 { return max(0, w.left) }

// Spend takes steps off that are not counted one by one.
func (w *Work) Spend(steps int64) { w.left -= steps }

// do is f, or ErrBudget.
func (w *Work) do(f func()) error {
	if _, over := unwind.Catch[overBudget](f); over {
		return ErrBudget
	}
	return nil
}

// tableau is an empty one, to be released.
func (w *Work) tableau() *Tableau {
	if w == nil {
		return &Tableau{loose: -1}
	}
	var t *Tableau
	if n := len(w.spare); n > 0 {
		t, w.spare = w.spare[n-1], w.spare[:n-1]
	} else {
		t = &Tableau{}
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
func (w *Work) done() {
	w.spare = slices.DeleteFunc(w.spare, func(t *Tableau) bool { return len(t.store) > maxStore })
	if len(w.spare) > maxSpare {
		clear(w.spare[maxSpare:])
		w.spare = w.spare[:maxSpare]
	}
	works.Put(w)
}

// An Allowance bounds operations: each by steps, 0 being DefaultBudget, or all of them
// by what is left of a total.
type Allowance struct {
	Steps int64
	Total *Work
}

// start is what one operation may do.
func (a Allowance) start() int64 {
	switch {
	case a.Total != nil:
		return a.Total.Remaining()
	case a.Steps == 0:
		return DefaultBudget
	}
	return a.Steps
}

// Each is the bound on one operation, or 0.
func (a Allowance) Each() int64 {
	if a.Total != nil {
		return max(1, a.Total.Remaining())
	}
	return a.Steps
}

// spend takes what an operation did off the total.
func (a Allowance) spend(steps int64) {
	if a.Total != nil {
		a.Total.Spend(steps)
	}
}

// Run does an operation within a budget. f must not keep its argument.
func Run[T any](budget Allowance, f func(w *Work) T) (out T, err error) {
	w := works.Get().(*Work)
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
