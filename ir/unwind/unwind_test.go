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

func TestTo(t *testing.T) {
	want := errors.New("too much")
	half := func(n int) (int, error) {
		if n%2 == 1 {
			return 0, want
		}
		return n / 2, nil
	}
	quarter := func(n int) (_ int, err error) {
		defer To(&err)
		return Must(half(Must(half(n)))), nil
	}
	for n, ok := range map[int]bool{8: true, 6: false, 5: false} {
		if q, err := quarter(n); (err == nil) != ok || ok && q != n/4 || !ok && err != want {
			t.Errorf("%d: %d, %v", n, q, err)
		}
	}
	worker := func() (err error) {
		defer To(&err)
		panic(fmt.Errorf("worker: %w", Failed(want)))
	}
	if err := worker(); err != want {
		t.Error(err)
	}
	defer func() {
		if r := recover(); r != "other" {
			t.Errorf("the panic that nobody waits for became %v", r)
		}
	}()
	func() (err error) {
		defer To(&err)
		panic("other")
	}()
}
