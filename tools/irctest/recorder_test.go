package irctest

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// recorder keeps what a test says.
type recorder struct {
	testing.TB
	said   strings.Builder
	failed bool
}

func (r *recorder) Helper()      {}
func (r *recorder) Failed() bool { return r.failed }
func (r *recorder) Name() string { return r.TB.Name() }

func (r *recorder) Logf(format string, args ...any) { r.TB.Logf(format, args...) }
func (r *recorder) Error(args ...any)               { r.failed = true; fmt.Fprintln(&r.said, args...) }
func (r *recorder) Errorf(format string, args ...any) {
	r.Error(fmt.Sprintf(format, args...))
}
func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.Fatal(fmt.Sprintf(format, args...))
}

// do runs a test on a goroutine of its own, which Fatal ends.
func (r *recorder) do(f func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Wait()
}

// wants checks that a test failed, and said something.
func (r *recorder) wants(t *testing.T, said string) {
	t.Helper()
	switch {
	case !r.failed:
		t.Errorf("nothing is found")
	case !strings.Contains(r.said.String(), said):
		t.Errorf("it does not say %q but\n%s", said, r.said.String())
	default:
		t.Logf("%s", r.said.String())
	}
}

func TestMain(m *testing.M) { os.Exit(Main(m)) }
