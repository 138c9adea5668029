package cuda_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/cuda/cudatest"
)

// session makes every call of the driver that there is, and says what went wrong,
// Close included.
func session(ctx context.Context, ptx string) (err error) {
	g, err := cuda.Open(ctx, cuda.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	m, err := g.Load(ctx, ptx, "mark")
	if err != nil {
		return err
	}
	host, err := g.Host(ctx, 64)
	if err != nil {
		return err
	}
	mem, err := g.Alloc(ctx, 64)
	if err != nil {
		return err
	}
	if err := g.CopyIn(ctx, mem, host, 64); err != nil {
		return err
	}
	one := [3]uint32{1, 1, 1}
	l := cuda.Launch{Kernel: "flagged", Grid: one, Block: one, Shared: 100 << 10, Args: []cuda.Arg{{Size: 4, Bits: 3}}}
	if _, err := m.Launch(ctx, l); err != nil {
		return err
	}
	l.Args[0].Bits = 0
	if _, err := m.Time(ctx, l, 2); err != nil {
		return err
	}
	if err := g.CopyOut(ctx, host, mem, 64); err != nil {
		return err
	}
	spare, err := g.Alloc(ctx, 8)
	if err != nil {
		return err
	}
	if err := g.Free(ctx, spare); err != nil {
		return err
	}
	other, err := g.Load(ctx, ptx, "")
	if err != nil {
		return err
	}
	return other.Close(ctx)
}

// Each call fails in turn, each time that it is made: the error names it, nothing
// is left on the device but what the failing call itself was to free, and the
// process lives.
func TestEveryCallFails(t *testing.T) {
	d := cudatest.Use(t)
	ptx := kernels(t)
	if err := session(t.Context(), ptx); err != nil {
		t.Fatal(err)
	}
	times := map[string]int{}
	var names []string
	for _, line := range d.Calls() {
		name, _, _ := strings.Cut(line, " ")
		if times[name]++; times[name] == 1 && strings.HasPrefix(name, "cu") {
			names = append(names, name)
		}
	}
	if len(names) < 23 {
		t.Fatalf("the session makes only %d different calls: %v", len(names), names)
	}
	optional := []string{"cuDeviceGetAttribute"} // all but the first two: the figure is unknown then
	for _, name := range names {
		for n := 1; n <= min(times[name], 3); n++ {
			what := fmt.Sprintf("%s=999@%d", name, n)
			d := cudatest.Use(t, "FAIL="+what)
			err := session(t.Context(), ptx)
			if slices.Contains(optional, name) && n > 2 {
				if err != nil {
					t.Errorf("%s: %v", what, err)
				}
				continue
			}
			if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "CUDA_ERROR_UNKNOWN, 999") {
				t.Errorf("%s: the error is %v", what, err)
				continue
			}
			checkNothingLeft(t, what, d)
		}
	}
}

func checkNothingLeft(t *testing.T, what string, d *cudatest.Driver) {
	t.Helper()
	if d.Count("cuDevicePrimaryCtxRetain") == 0 || strings.HasPrefix(what, "cuDevicePrimaryCtxRetain") {
		return
	}
	calls := d.Calls()
	last := calls[len(calls)-1]
	want := "cuDevicePrimaryCtxRelease_v2 left: 0 allocations, 0 modules, 0 events, 0 contexts"
	for freeing, kind := range map[string]string{"cuMemFree_v2": "allocations", "cuModuleUnload": "modules", "cuEventDestroy_v2": "events"} {
		if strings.HasPrefix(what, freeing) {
			want = strings.Replace(want, "0 "+kind, "1 "+kind, 1)
		}
	}
	if !strings.HasPrefix(last, want) {
		t.Errorf("%s: at the end: %s", what, last)
	}
}
