package extend_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mostCore is how large the binary with the core alone may be, without symbols.
const mostCore = 15 << 20

// absentFromCore is what an irc that names the core alone has nothing of.
var absentFromCore = regexp.MustCompile(`llir|purego|yaml|arrow|go/(types|ast|parser|format)$|irc/dialects/(poly|bugs|prob|loop|tensor|linalg|vector|math|special|device)|` +
	`irc/backends/(llvm|jit|nvvm|cuda|engine|sandbox|source|c|golang|elf|ptxas)$|irc/lowering$|irc/passes$|irc/passes/(polyhedral|dependence|grid|loops|fuse)|irc/tools/irc/(commands|models|equations|explain|draw|product)`)

// What an irc does not name is no part of it: not among its packages, not in its binary.
func TestCoreHasTheCoreAlone(t *testing.T) {
	list, err := exec.Command("go", "list", "-deps", "./core").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(list))
	if len(packages) < 50 {
		t.Fatalf("only %d packages are listed", len(packages))
	}
	for _, p := range packages {
		if absentFromCore.MatchString(p) {
			t.Errorf("the core alone has %s", p)
		}
	}
	whole, err := exec.Command("go", "list", "-deps", "../../tools/irc").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, p := range strings.Fields(string(whole)) {
		if absentFromCore.MatchString(p) {
			seen++
		}
	}
	if seen < 40 {
		t.Errorf("only %d packages of the whole irc are looked for", seen)
	}
}

// It is small, and reads, transforms and runs programs; what it has not, it says it has not.
func TestCoreWorks(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "core")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-tags=urfave_cli_no_docs", "-o", bin, "./core").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(bin)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > mostCore {
		t.Errorf("the core alone has %d bytes, more than %d", info.Size(), mostCore)
	}
	args := filepath.Join(t.TempDir(), "args.json")
	write(t, args, "[[1, 2, 3], 2]")
	table := filepath.Join(t.TempDir(), "table.json")
	write(t, table, `[{"file": "t.csv"}, 2]`)
	const sum = "../script/testdata/sum.mlir"
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-passes=canonicalize", "-emit=generic", sum}, 0, `"arith.muli"(`},
		{[]string{"run", sum, "-args=" + args}, 0, `{"results": [28], "args": [[14, 2, 3]]}`},
		{[]string{"passes"}, 0, "canonicalize"},
		{[]string{"dialects"}, 0, "memref"},
		{[]string{"-help"}, 0, "irc run FILE"},
		{[]string{"-passes=licm", sum}, 2, `unknown pass "licm"`},
		{[]string{"-emit=llvm", sum}, 2, "it is one of ir, generic"},
		{[]string{"run", "-engine=llvm", sum}, 2, "it is one of eval"},
		{[]string{"run", "-check-races", sum}, 2, "unknown flag -check-races"},
		{[]string{"run", "-target=nvptx64", sum}, 2, "is no machine that the program runs on"},
		{[]string{"run", sum, "-args=" + table}, 1, "this irc reads no tables"},
	} {
		cmd := exec.Command(bin, c.args...)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != c.code || !strings.Contains(string(out), c.want) {
			t.Errorf("irc %v: %v, want %d and %s\n%s", c.args, cmd.ProcessState, c.code, c.want, out)
		}
	}
}
