package extend_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// complexNumbers: values of the dialect's type in signatures, loops, calls, function
// values and arrays are the same on every engine, and in JSON.
func complexNumbers(t *testing.T, bin string) {
	for _, c := range []struct{ entry, args, want string }{
		{"orbit", `[{"re": -0.1, "im": 0.2}, 5]`, `{"results": [{"re": -0.1145801889420287, "im": 0.1624915550945984}, 5], "args": []}`},
		{"power", `[[1, 1], 5]`, `{"results": [{"re": -4, "im": -4}], "args": []}`}, // (1+i)^5
		{"grow", `[[1.5, 0.5], 100]`, `{"results": [{"re": 643.8789, "im": -1383.375}], "args": []}`},
		{"shift", `[[[1,2],[3,4],{"re":5,"im":"NaN"}], [10, 20]]`,
			`{"results": [{"re": 5, "im": "NaN"}], "args": [[{"re": 11, "im": 22}, {"re": 13, "im": 24}, {"re": 15, "im": "NaN"}]]}`},
	} {
		args := filepath.Join(t.TempDir(), "args.json")
		write(t, args, c.args)
		for _, engine := range []string{"eval", "llvm"} {
			if got := run(t, bin, "run", "-engine="+engine, "-entry="+c.entry, "-args="+args, "orbit.mlir"); strings.TrimSpace(got) != c.want {
				t.Errorf("%s on %s: got %s, want %s", c.entry, engine, got, c.want)
			}
		}
	}
	if lowered := run(t, bin, "-passes=lower{to=scf}", "orbit.mlir"); strings.Contains(lowered, "cplx") {
		t.Errorf("lowered:\n%s", lowered)
	}
	for _, bad := range []struct{ entry, args, want string }{
		{"power", `[{"re": 1}, 5]`, `the field "im" is missing`},
		{"power", `[[1, 2, 3], 5]`, "a list of 2 parts is wanted"},
		{"power", `[[1, "x"], 5]`, `argument 0[1]: a number is wanted, not "x"`},
	} {
		args := filepath.Join(t.TempDir(), "args.json")
		write(t, args, bad.args)
		cmd := exec.Command(bin, "run", "-entry="+bad.entry, "-args="+args, "orbit.mlir")
		cmd.Dir = module
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), bad.want) {
			t.Errorf("%s: got %s, want %s", bad.args, out, bad.want)
		}
	}
	// What no rule and no trait covers is named; constants are folded.
	odd := filepath.Join(t.TempDir(), "odd.mlir")
	write(t, odd, "func.func @f(%z: !cplx.number<f64>) {\n  \"x.use\"(%z) : (!cplx.number<f64>) -> ()\n  return\n}\n")
	out, err := exec.Command(bin, "-allow-unregistered-dialect", "-passes=lower{to=scf}", odd).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "odd.mlir:2:3: error: ") || !strings.Contains(string(out), "'x.use' op operand #0 is of type !cplx.number, which becomes its parts at level arith") {
		t.Errorf("got %s", out)
	}
	write(t, odd, "func.func @f() -> !cplx.number<f32> {\n  %a = cplx.constant <1.0, 2.0 : f32>\n  %b = cplx.mul %a, %a\n  return %b : !cplx.number<f32>\n}\n")
	if got := run(t, bin, odd); !strings.Contains(got, "cplx.constant <-3.000000e+00, 4.000000e+00 : f32>") {
		t.Errorf("got\n%s", got)
	}
	write(t, odd, "func.func private @f(!cplx.number<i32>)\n")
	out, err = exec.Command(bin, odd).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "odd.mlir:1:22: error: type '!cplx.number' is made of f32 or f64") {
		t.Errorf("got %s", out)
	}
}

// compileC compiles and runs what the example backend prints.
func compileC(t *testing.T, code string) {
	if !strings.Contains(code, "double step(double a0, double a1, double a2, double a3) {") {
		t.Fatalf("got\n%s", code)
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("what the example backend prints is compiled: needs cc")
	}
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	code += "int main(void) { return step(1.5, 2.0, 0.25, 1.0) == -1.5 ? 0 : 1; }\n"
	if err := os.WriteFile(src, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-o", bin, src).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := exec.Command(bin).Run(); err != nil {
		t.Errorf("the compiled function gives another result: %v\n%s", err, code)
	}
}

// The how-tos show code that is compiled: every Go block stands in a file of the other
// module, in one of the test dialect's, or in the examples of engines and of queries.
func TestHowTosAreCompiled(t *testing.T) {
	files, err := filepath.Glob(module + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"/toy", "/point"} {
		more, err := filepath.Glob(module + dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	all := ""
	for _, f := range append(files, "../../dialects/prob/dhalfcauchy.go", "lms/lower.go", "../../backends/engine/example_test.go", "../../tools/loop/example_test.go", "core/main.go") {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	for _, doc := range []string{"new-dialect.md", "new-pass.md", "new-backend.md", "new-input.md", "binding.md", "loops.md", "new-law.md"} {
		text, err := os.ReadFile("../../docs/" + doc)
		if err != nil {
			t.Fatal(err)
		}
		blocks := regexp.MustCompile("(?s)```go\n(.*?)\n```").FindAllStringSubmatch(string(text), -1)
		if len(blocks) == 0 {
			t.Errorf("%s shows no code", doc)
		}
		for _, b := range blocks {
			if !strings.Contains(all, b[1]) {
				t.Errorf("%s shows code that is in no file of %s:\n%s", doc, module, b[1])
			}
		}
	}
}
