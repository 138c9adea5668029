package interp_test

import (
	"errors"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

func TestCoroutines(t *testing.T) {
	b := ir.NewBuilder(ir.NewContext())
	m, err := interp.New(b.Finish(), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := m.Pause(); ok || err != nil {
		t.Errorf("paused outside of a coroutine: %v, %v", ok, err)
	}
	who := func() *string { // of what is running
		return m.Local("who", func() any { name := "nobody"; return &name }).(*string)
	}
	*who() = "machine"
	var trace []any
	own := errors.New("its own")
	work := func(name string, last error) *interp.Coroutine {
		return m.Coroutine(func() error {
			trace = append(trace, *who())
			*who() = name
			for range 2 {
				if ok, err := m.Pause(); !ok || err != nil {
					trace = append(trace, name+" is given up")
					return err
				}
				trace = append(trace, *who())
			}
			return last
		})
	}
	a, c, never := work("a", own), work("c", nil), work("never", nil)
	for i := range 3 {
		if paused, err := a.Resume(); paused != (i < 2) || (err != nil) != (i == 2) || i == 2 && err != own {
			t.Errorf("a, round %d: %v, %v", i, paused, err)
		}
		if i < 2 {
			if paused, err := c.Resume(); !paused || err != nil {
				t.Errorf("c, round %d: %v, %v", i, paused, err)
			}
		}
	}
	for _, x := range []*interp.Coroutine{a, c, never} {
		x.Stop()
	}
	want := []any{"nobody", "nobody", "a", "c", "a", "c is given up"}
	if len(trace) != len(want) {
		t.Fatalf("got %v", trace)
	}
	for i := range want {
		if trace[i] != want[i] {
			t.Errorf("step %d: %v, want %v", i, trace[i], want[i])
		}
	}
	if *who() != "machine" {
		t.Errorf("the machine's own state became %v", *who())
	}
}
