package ir

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

func failsInWorker(i int) {
	if i == 3 {
		panic(&OpError{Op: "t.op", Msg: "three"})
	}
}

// A panic of a worker comes with the stack of the worker, and is still the error
// that it was.
func TestParallelKeepsTheStack(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	defer func() {
		r := recover()
		err, ok := r.(error)
		var op *OpError
		if !ok || !errors.As(err, &op) || op.Msg != "three" {
			t.Errorf("recovered %v", r)
		}
		if s := PanicStack(r); !strings.Contains(s, "failsInWorker") || !strings.Contains(s, "raised again by") {
			t.Errorf("the stack is\n%s", s)
		}
	}()
	Parallel(8, func(i int) { Parallel(2, func(int) { failsInWorker(i) }) })
}
