package engine

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
)

// Another process of a program has memory, globals and limits of its own; what becomes
// of it is nothing to the first, and both run at once.
func TestAnother(t *testing.T) {
	e := native(t, Options{MemLimit: 1 << 28, Output: func(interp.Printed) { t.Error("printed by the first") }})
	p := prepare(t, e, parse(t, boundSource))
	q, err := Another(t.Context(), chosenProgram{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	second := q.(aloneProgram).e
	if second.o.Child.Memory != 1<<28 || second.child.Info().Sandbox != e.(*llvmEngine).child.Info().Sandbox {
		t.Errorf("limits %+v, sandbox %v", second.o.Child, second.child.Info().Sandbox)
	}
	x, y := numbers(1, 2), numbers(3, 4)
	b := bind(t, p, x.Val(), y.Val(), ir.F64Val(5))
	v, w := numbers(1, 2), numbers(3, 4)
	c, err := run.Bind(t.Context(), q, v.Val(), w.Val(), ir.F64Val(5))
	if err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup
	for _, one := range []*run.Binding{b, c} {
		both.Go(func() {
			for range 100 {
				if _, _, err := one.Call(t.Context(), "axpy"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	if a, b := y.Buf.Load(1).F64(), w.Buf.Load(1).F64(); a != 1004 || b != 1004 {
		t.Errorf("y[1] = %v and %v, want 1004 of both", a, b)
	}
	boundCall(t, b, "tick")
	if got := boundCall(t, c, "tick")[0].Bits; got != 1 {
		t.Errorf("the global is %d in the second process, want 1: it has its own", got)
	}
	if err := kill(second.child.Pid()); err != nil {
		t.Fatal(err)
	}
	boundCall(t, c, "axpy") // in a new child
	if n, m := e.(*llvmEngine).born, second.born; n != 1 || m != 2 {
		t.Errorf("%d and %d children, want 1 and 2", n, m)
	}
	pid := second.child.Pid()
	if err := q.Close(); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && !strings.Contains(string(text), ") Z ") {
		t.Errorf("the process lives after Close: %s", text)
	}
	boundCall(t, b, "axpy")
}

// What no process runs has no other.
func TestAnotherInterpreted(t *testing.T) {
	p := prepare(t, eval(t), parse(t, boundSource))
	if q, err := Another(t.Context(), p); q != nil || err != nil {
		t.Errorf("another: %v, %v", q, err)
	}
}
