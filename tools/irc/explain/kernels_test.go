package explain

import "testing"

func TestKernelsText(t *testing.T) {
	for _, c := range []struct {
		kernels Kernels
		want    string
	}{
		{Kernels{Missing: "ptxas is not found (make deps-ptx)"}, "kernels\n  what they take is not known: ptxas is not found (make deps-ptx)\n"},
		{Kernels{Arch: "sm_80", List: []Kernel{
			{Name: "a", Registers: 10, Fits: []Fit{{256, 2048, 2048, "threads"}, {100, 1600, 2048, "registers"}}},
			{Name: "b", Registers: 255, Shared: 4, Stack: 8, Spilled: 12, Fits: []Fit{{Block: 1024, Most: 2048}}},
		}}, "kernels on sm_80 with checks of bounds, by ptxas\n" +
			"  @a: 10 registers, 0 bytes of shared memory, 0 spilled; by blocks of 256, 2048 of 2048 threads at once; by blocks of 100, 1600 of 2048 threads at once (registers)\n" +
			"  @b: 255 registers, 4 bytes of shared memory, 12 spilled, 8 of stack; a block of 1024 threads does not fit\n"},
	} {
		if got := c.kernels.Text(); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
