// Package parallel runs a function on all processors and keeps the stack of a worker that panics.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/irc-lang/irc/ir/internal/authors"
)

// Do calls f for 0 to n-1 on all processors. A panic in f is raised again
// by Do itself, the one of the lowest number first, as a *WorkerPanic.
func Do(n int, f func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var wg sync.WaitGroup
	panics := make([]any, n)
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				func() {
					defer func() { panics[i] = workerPanic(recover()) }()
					f(i)
				}()
			}
		}()
	}
	wg.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}

// A WorkerPanic is a panic of one of Do's goroutines with the stack that it
// had there.
type WorkerPanic struct {
	Value any
	Stack string

	callers []uintptr
}

func (w *WorkerPanic) Error() string { return fmt.Sprint(w.Value) }

// Unwrap returns the error that was panicked with, or nil.
func (w *WorkerPanic) Unwrap() error {
	err, _ := w.Value.(error)
	return err
}

// workerPanic keeps the stack of what was recovered, the innermost one.
func workerPanic(r any) any {
	switch r.(type) {
	case nil, *WorkerPanic:
		return r
	}
	return &WorkerPanic{r, string(debug.Stack()), authors.Callers()}
}

// Callers returns the calls of the stack of what was just recovered: that of the worker, if it was one.
func Callers(r any) []uintptr {
	if w, ok := r.(*WorkerPanic); ok {
		return w.callers
	}
	return authors.Callers()
}

// PanicStack returns the stack of what was just recovered: that of the worker, if
// it was one, before that of the caller.
func PanicStack(r any) string {
	stack := string(debug.Stack())
	if w, ok := r.(*WorkerPanic); ok {
		return w.Stack + "\nraised again by\n" + stack
	}
	return stack
}
