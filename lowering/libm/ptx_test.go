package libm_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering/libm"
)

// LLVM makes PTX of every function, without a call of what is not there, and rounds
// each product and sum on its own: contraction would break the double-word arithmetic.
func TestPTX(t *testing.T) {
	l, err := jit.Find()
	if errors.Is(err, jit.ErrMissing) {
		t.Skipf("this test needs libLLVM: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var src strings.Builder
	for _, f := range libm.Table {
		if f.Integer() {
			continue
		}
		for _, k := range formats {
			if k.t == ir.F64 && f.F64 > 1 { // enough for one test: these have many ops
				continue
			}
			src.WriteString(strings.Replace(function(f, k.name), "@f", fmt.Sprintf("@%s_%s", f.Name(), k.name), 1))
		}
	}
	m, err := llvm.Emit(lowered(t, src.String()), llvm.Options{Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	ptx, err := l.Emit(m.Text(), jit.Assembly, jit.Options{Level: jit.O1, Triple: "nvptx64-nvidia-cuda", CPU: "sm_80"})
	if err != nil {
		t.Skipf("this test needs a libLLVM with the NVPTX target: %v", err)
	}
	text := string(ptx)
	for _, bad := range []string{`\.extern`, `\bcall\b`, `\b(mul|add|sub)\.f(32|64)`, `\.ftz`, `\.approx`} {
		if at := regexp.MustCompile(".*" + bad + ".*").FindString(text); at != "" {
			t.Errorf("PTX has %q", strings.TrimSpace(at))
		}
	}
	ptxas, err := exec.LookPath("ptxas")
	if err != nil {
		t.Log("no ptxas here: the PTX was not assembled")
		return
	}
	file := filepath.Join(t.TempDir(), "libm.ptx")
	if err := os.WriteFile(file, ptx, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(ptxas, "-arch=sm_80", "-o", "/dev/null", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%.2000s", err, out)
	}
}
