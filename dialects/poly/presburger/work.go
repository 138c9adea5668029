package presburger

import "errors"

// ErrBudget is the error of an operation that would take more work than is allowed
// (see Set.WithBudget).
var ErrBudget = errors.New("presburger: the operation takes more work than its budget allows")

// DefaultBudget is the work that one operation may do, in inner loop steps; some
// seconds.
const DefaultBudget = 2_000_000_000

// work counts what is left of a budget.
type work struct{ left int64 }

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

// run does an operation within a budget.
func run[T any](budget int64, f func(w *work) T) (out T, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case overBudget:
			var none T
			out, err = none, ErrBudget
		default:
			panic(p)
		}
	}()
	if budget == 0 {
		budget = DefaultBudget
	}
	return f(&work{left: budget}), nil
}
