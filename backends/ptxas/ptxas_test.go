package ptxas

import (
	"errors"
	"strings"
	"testing"
)

const said = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for helper
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Function properties for k
    32 bytes stack frame, 24 bytes spill stores, 20 bytes spill loads
ptxas info    : Used 255 registers, 17408 bytes smem, 388 bytes cmem[0]
ptxas info    : Compiling entry function 'l' for 'sm_80'
ptxas info    : Function properties for l
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, 388 bytes cmem[0]
`

func TestUsages(t *testing.T) {
	got := usages(said)
	want := []Usage{{"k", 255, 17408, 32, 24, 20}, {"l", 12, 0, 0, 0, 0}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%v, not %v", got, want)
	}
}

// As NVIDIA's occupancy calculator has it: registers of a warp by 256, warps by four, 1 KiB more of shared memory for a block.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		arch              string
		registers, shared int
		threads           int
		blocks            int
		limit             string
	}{
		{"sm_80", 32, 0, 256, 8, "threads"},
		{"sm_80", 33, 0, 256, 6, "registers"},
		{"sm_80", 128, 17408, 256, 2, "registers"},
		{"sm_80", 32, 48 << 10, 256, 3, "shared memory"},
		{"sm_80", 16, 0, 32, 32, "blocks"},
		{"sm_86", 32, 0, 256, 6, "threads"},
		{"sm_90", 32, 48 << 10, 256, 4, "shared memory"},
		{"sm_75", 64, 0, 100, 8, "threads"},
	} {
		f, ok := Usage{Registers: c.registers, Shared: c.shared}.Fits(c.arch, c.threads)
		if !ok || f.Blocks != c.blocks || f.Limit != c.limit || f.Threads != c.blocks*c.threads {
			t.Errorf("%v: %v", c, f)
		}
	}
	if _, ok := (Usage{Registers: 255}).Fits("sm_80", 1024); ok {
		t.Error("a block that does not fit")
	}
	if _, ok := (Usage{}).Fits("sm_00", 32); ok {
		t.Error("no such architecture")
	}
}

const sass = "" +
	".L_x_0:\n" +
	"        /*0010*/                   FFMA R0, R1, R2, R0 ;\n" +
	"        /*0020*/                   LDL R3, [R1] ;\n" +
	"        /*0030*/              @!P0 BRA `(.L_x_1) ;\n" +
	".L_x_2:\n" +
	"        /*0040*/                   HMMA.16816.F32 R0, R1, R2, R0 ;\n" +
	"        /*0050*/                   STL.64 [R1], R2 ;\n" +
	"        /*0060*/               @P0 BRA `(.L_x_2) ;\n" +
	".L_x_1:\n" +
	"        /*0070*/               @P0 BRA `(.L_x_0) ;\n"

func TestHotLoop(t *testing.T) {
	if got, want := HotLoop(sass), (Loop{7, 65}); got != want {
		t.Errorf("%v, not %v", got, want)
	}
	if n := Spills(sass); n != 2 {
		t.Errorf("%d spills, not 2", n)
	}
	if got := HotLoop("nothing"); got != (Loop{}) {
		t.Error(got)
	}
}

const ptx = `.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b64 %d<3>;
  .reg .f32 %f<3>;
  .shared .align 4 .b8 s[1024];
  ld.param.u64 %d1, [p];
  cvta.to.global.u64 %d2, %d1;
  ld.global.f32 %f1, [%d2];
  st.shared.f32 [s], %f1;
  bar.sync 0;
  ld.shared.f32 %f2, [s];
  st.global.f32 [%d2+4], %f2;
  ret;
}
`

func TestAssemble(t *testing.T) {
	cubin, us, err := Assemble(t.Context(), ptx, "sm_80")
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil || len(us) != 1 || us[0].Entry != "k" || us[0].Registers == 0 || us[0].Shared != 1024 || us[0].SpillStores != 0 {
		t.Fatal(us, err)
	}
	text, err := Disassemble(t.Context(), cubin)
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil || !strings.Contains(text, "BAR.SYNC") {
		t.Error(err, text)
	}
	if _, _, err := Assemble(t.Context(), "nonsense", "sm_80"); err == nil || !strings.Contains(err.Error(), "the PTX") {
		t.Error("not refused: ", err)
	}
}
