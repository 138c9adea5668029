package unwind

import (
	"errors"
	"fmt"
	"testing"
)

type stop struct{ at int }

func TestCatch(t *testing.T) {
	if e, ok := Catch[stop](func() { panic(stop{3}) }); !ok || e.at != 3 {
		t.Errorf("%v, %v", e, ok)
	}
	if e, ok := Catch[stop](func() {}); ok || e.at != 0 {
		t.Errorf("%v, %v", e, ok)
	}
	want := errors.New("deep")
	if e, ok := Catch[error](func() { panic(fmt.Errorf("worker: %w", want)) }); !ok || !errors.Is(e, want) {
		t.Errorf("%v, %v", e, ok)
	}
	if e, ok := Catch[*wrong](func() { panic(fmt.Errorf("worker: %w", &wrong{7})) }); !ok || e.n != 7 {
		t.Errorf("%v, %v", e, ok)
	}
	defer func() {
		if r := recover(); r != "other" {
			t.Errorf("the panic that nobody waits for became %v", r)
		}
	}()
	Catch[stop](func() { panic("other") })
}

type wrong struct{ n int }

func (w *wrong) Error() string { return fmt.Sprint(w.n) }
