// Package extend_test builds a dialect, a pass and a backend from another Go
// module, as the how-tos in docs/ describe them, and runs the irc it makes.
package extend_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "testdata/cplx"

// build makes the other module's irc.
func build(t *testing.T, work string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "cplx-irc")
	inModule(t, work, "build", "-ldflags=-s -w", "-o", bin, ".")
	return bin
}

// copied is a folder with the other module.
func copied(t *testing.T) (work string) {
	t.Helper()
	return copiedFrom(t, module)
}

// copiedFrom is a folder with a module of testdata.
func copiedFrom(t *testing.T, module string) (work string) {
	t.Helper()
	work = t.TempDir()
	if err := os.CopyFS(work, os.DirFS(module)); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(work, "go.mod"), tidied(t, module))
	write(t, filepath.Join(work, "go.sum"), read(t, "../../go.sum"))
	return work
}

// inModule runs a go command in the other module.
func inModule(t *testing.T, work string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=readonly"), "GOPROXY=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
}

// tidied is the other module's go.mod as go mod tidy leaves it, which a test
// cannot run: it asks the network. It names every module that is compiled in.
// Without that, Go reads the go.mod of the dependencies of dependencies, among
// them some of modules that nothing imports and that no build has downloaded.
func tidied(t *testing.T, module string) string {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "./...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	mod := strings.Replace(read(t, module+"/go.mod"), "=> ../../../..", "=> "+root, 1)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		if line != "" {
			mod += "require " + line + " // indirect\n"
		}
	}
	return mod
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, bin string, args ...string) string {
	t.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Dir = module
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

func TestAnotherModule(t *testing.T) {
	work := copied(t)
	bin := build(t, work)
	t.Run("its own tests", func(t *testing.T) { inModule(t, work, "test", "-vet=off", ".") })
	t.Run("dialect", func(t *testing.T) { testDialect(t, bin) })
	t.Run("input", func(t *testing.T) { testInput(t, bin) })
	t.Run("toy", func(t *testing.T) { testToy(t, bin) })
}

func testDialect(t *testing.T, bin string) {
	t.Run("text and folds", func(t *testing.T) {
		got := run(t, bin, "mandel.mlir")
		if !strings.Contains(got, "= cplx.mul %") || !strings.Contains(got, "cplx.re") {
			t.Errorf("got\n%s", got)
		}
		again := filepath.Join(t.TempDir(), "again.mlir")
		if err := os.WriteFile(again, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		if second := run(t, bin, again); second != got {
			t.Errorf("printing what was read gives\n%s\nfor\n%s", second, got)
		}
	})
	t.Run("lowering", func(t *testing.T) {
		got := run(t, bin, "-passes=lower{to=scf}", "mandel.mlir")
		if strings.Contains(got, "cplx.") || strings.Count(got, "arith.mulf") != 2 {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("route", func(t *testing.T) {
		if got := run(t, bin, "passes", "lower"); !strings.Contains(got, "c99 (down to what is printed as C)") {
			t.Errorf("the route is not listed:\n%s", got)
		}
		loop := filepath.Join(t.TempDir(), "loop.mlir")
		write(t, loop, "func.func @f(%x: f64) -> f64 {\n  %y = math.exp %x : f64\n  return %y : f64\n}\n")
		out, err := exec.Command(bin, "-passes=lower{to=c99}", "-emit=c99", loop).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "loop.mlir:2:8: error: pass lower: 'math.exp' op is left over by the route to c99: no rule lowers it") {
			t.Errorf("got %s", out)
		}
	})
	t.Run("lowering with an option", func(t *testing.T) {
		for options, want := range map[string]int{"": 4, " gauss=true": 3} {
			got := run(t, bin, "-passes=lower{to=scf"+options+"}", "powers.mlir")
			if strings.Contains(got, "cplx.") || strings.Count(got, "arith.mulf") != want {
				t.Errorf("%s: wanted %d products, got\n%s", options, want, got)
			}
		}
		if got := run(t, bin, "dialects", "cplx"); !strings.Contains(got, "lower{to=arith gauss=false}") {
			t.Errorf("the option is not listed:\n%s", got)
		}
	})
	t.Run("rules that see users", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "parts.mlir")
		for results, want := range map[string]int{"%re, %re": 0, "%re, %im": 1} {
			write(t, file, "func.func @f(%x: !cplx.number<f64>, %y: !cplx.number<f64>) -> (f64, f64) {\n  %z = cplx.mul %x, %y\n"+
				"  %re = cplx.re %z\n  %im = cplx.im %z\n  return "+results+" : f64, f64\n}\n")
			got := run(t, bin, "-passes=canonicalize", file)
			if strings.Count(got, "cplx.mul") != want || (want == 0) != strings.Contains(got, "arith.subf") {
				t.Errorf("return %s: wanted %d products, got\n%s", results, want, got)
			}
		}
	})
	t.Run("pass", func(t *testing.T) {
		got := run(t, bin, "-passes=cplx-square", "mandel.mlir")
		if strings.Contains(got, "cplx.mul") {
			t.Errorf("got\n%s", got)
		}
		if got := run(t, bin, "-passes=cplx-square{limit=0}", "mandel.mlir"); !strings.Contains(got, "cplx.mul") {
			t.Errorf("limit=0 gives\n%s", got)
		}
		for options, want := range map[string]bool{"in=step": true, "in=orbit,power": false, "in={orbit,step} often=0.5": true, "often=1.5": false, "where=loops": false, "where=anywhere": true} {
			if got := run(t, bin, "-passes=cplx-square{"+options+"}", "mandel.mlir"); strings.Contains(got, "cplx.mul") == want {
				t.Errorf("%s gives\n%s", options, got)
			}
		}
		if got := run(t, bin, "-passes=cplx-square{where=loops}", "orbit.mlir"); strings.Count(got, "cplx.mul") != 2 { // in power, and in @square itself
			t.Errorf("where=loops gives\n%s", got)
		}
		const pipeline = "builtin.module(cplx-square{limit=1000 often=0.5 where=anywhere in={step,orbit}})\n"
		if _, got, err := both(bin, "-passes=cplx-square{in=step,orbit often=0.5}", "-dump-pass-pipeline", "mandel.mlir"); err != nil || !strings.Contains(got, strings.TrimSpace(pipeline)) {
			t.Errorf("the pipeline is %q, %v", got, err)
		}
		const advice = `error: option "where" of "cplx-square" wants one of anywhere, loops, not "loop"` + "\n  cplx-square{where=loop}\n                    ^~~~\nhelp: did you mean \"loops\"?"
		if _, got, err := both(bin, "-passes=cplx-square{where=loop}", "mandel.mlir"); err == nil || !strings.Contains(got, advice) {
			t.Errorf("got %v\n%s", err, got)
		}
		if got := run(t, bin, "completion", "bash", "--", "-passes=cplx-square{where=l"); !strings.Contains(got, "where=loops") {
			t.Errorf("completion gives %s", got)
		}
		if got := run(t, bin, "passes", "cplx-square"); !strings.Contains(got, "in={STRING,...}  names of the functions; all if empty (default {})") {
			t.Errorf("help is\n%s", got)
		}
	})
	t.Run("interpreter", func(t *testing.T) {
		args := filepath.Join(t.TempDir(), "args.json")
		if err := os.WriteFile(args, []byte("[1.5, 2.0, 0.25, 1.0]"), 0o644); err != nil {
			t.Fatal(err)
		}
		// (1.5 + 2i)^2 + 0.25 + i has the real part 2.25 - 4 + 0.25.
		if got := run(t, bin, "run", "-engine=eval", "-entry=step", "-args="+args, "mandel.mlir"); !strings.Contains(got, "-1.5") {
			t.Errorf("got %s", got)
		}
	})
	t.Run("regions by attribute", func(t *testing.T) { regionsByAttribute(t, bin) })
	t.Run("named sizes", func(t *testing.T) { namedSizes(t, bin) })
	t.Run("groups", func(t *testing.T) { fuse(t, bin) })
	t.Run("unswitch", func(t *testing.T) { unswitch(t, bin) })
	t.Run("engines", func(t *testing.T) { everyEngine(t, bin) })
	t.Run("types", func(t *testing.T) { complexNumbers(t, bin) })
	t.Run("dialects", func(t *testing.T) {
		if got := run(t, bin, "dialects", "cplx"); !strings.Contains(got, "cplx.mul") || !strings.Contains(got, "The product.") ||
			!strings.Contains(got, "!cplx.number<$elem>  $elem: type  A complex number") || !strings.Contains(got, "#cplx.value<$re, $im : $elem>  $re: float") {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("backend", func(t *testing.T) { compileC(t, run(t, bin, "-passes=lower{to=c99}", "-emit=c99", "mandel.mlir")) })
}

// An input language is a row of the other module's irc: every command knows it.
func testInput(t *testing.T, bin string) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		write(t, path, text)
		return path
	}
	args, bare := file("args.json", "[1.5]"), file("area", read(t, module+"/area.calc"))
	for _, c := range []struct {
		args, want []string
	}{
		{[]string{"area.calc"}, []string{"func.func @area(%arg0: f64, %arg1: f64)", "call @area"}},
		{[]string{bare}, []string{"call @area"}}, // by what is in it
		{[]string{"-x=calc", bare, "-passes=inline"}, []string{"arith.mulf"}},
		{[]string{"-emit=llvm", "area.calc"}, []string{"define double @main(double %0)"}},
		{[]string{"-emit=svg", "area.calc"}, []string{"<svg", "arith.subf"}},
		{[]string{"run", "area.calc", "-args=" + args}, []string{`"results": [5.5]`}},
		{[]string{"run", "-engine=eval", "area.calc", "-args=" + args}, []string{`"results": [5.5]`}},
		{[]string{"explain", "area.calc"}, []string{"   1  # The area of a frame.\n   2  area(w, h) = w * h  ", " | func.call: writes: stays in order (2 of them)\n"}},
		{[]string{"explain", "-deps", "area.calc"}, []string{"@main"}},
		{[]string{"reduce", "-check=! grep -q area {}", "area.calc"}, []string{"area"}},
		{[]string{"-emit=c99", "-passes=inline", file("product.calc", "product(x, y) = x * y + 1")}, []string{"double product(double a0, double a1) {", "return t"}},
		{[]string{"completion", "bash", "--", "-x="}, []string{"-x=calc"}},
		{[]string{"completion", "bash", "--", "-emit=c99"}, []string{"-emit=c99"}},
		{[]string{"help"}, []string{"kind of the input, instead of by its extension: ir, bugs, eq, calc, toy"}},
	} {
		got := run(t, bin, c.args...)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%v: no %q in\n%s", c.args, want, got)
			}
		}
	}
	wrong := file("wrong.calc", "area(w, h) = w * h\nmain(r) = area(r) + 1\nf(a) = a + b\nx\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{wrong}, "wrong.calc:2:11: error: area takes 2 numbers, and here are 1\n  main(r) = area(r) + 1\n            ^~~~~~~"},
		{[]string{wrong}, "wrong.calc:3:12: error: there is no b\n  f(a) = a + b\n             ^"},
		{[]string{"run", "-entry=f", file("twice.calc", "f(a) = a\nf(b) = b")}, "twice.calc:2:1: error:"},
		{[]string{"-verbatim", "area.calc"}, "flag -verbatim is for text IR, and 'area.calc' is none"},
		{[]string{"-data=x.json", "area.calc"}, "flag -data is for a BUGS model, and 'area.calc' is none"},
		{[]string{"-x=clac", "area.calc"}, "did you mean -x=calc?"},
		{[]string{"-emit=c99", "area.calc"}, "the C backend does not know func.call"},
		{[]string{"-emit=c98", "area.calc"}, "did you mean -emit=c99?"},
		{[]string{file("some.thing", "")}, "help: name it .mlir, .ir, .bug, .bugs, .eq, .calc or .toy, or say -x=ir, -x=bugs, -x=eq, -x=calc or -x=toy"},
	} {
		cmd := exec.Command(bin, c.args...)
		cmd.Dir = module
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%v: %v, no %q in\n%s", c.args, err, c.want, out)
		}
	}
}

// everyEngine runs the program by all that there is: its level is on every route.
func everyEngine(t *testing.T, bin string) {
	args := filepath.Join(t.TempDir(), "args.json")
	write(t, args, "[1.5, 2.0, 0.25, 1.0]")
	if got := run(t, bin, "-passes=lower{to=scf}", "mandel.mlir"); strings.Contains(got, "cplx.") {
		t.Errorf("the route to scf leaves\n%s", got)
	}
	got, stderr, err := both(bin, "run", "-engine=llvm", "-entry=step", "-args="+args, "mandel.mlir")
	if err != nil && strings.Contains(stderr, "libLLVM") {
		t.Skip("native code of another module's dialect: needs libLLVM")
	}
	if err != nil || !strings.Contains(got, "-1.5") {
		t.Errorf("-engine=llvm: %v\n%s%s", err, got, stderr)
	}
	if got, stderr, err = both(bin, "run", "-entry=step", "-args="+args, "mandel.mlir"); err != nil || !strings.Contains(got, "-1.5") || stderr != "" {
		t.Errorf("auto: %v\n%s%s", err, got, stderr)
	}
	// An op without a rule is interpreted, and a note says why and where.
	lone := filepath.Join(t.TempDir(), "lone.mlir")
	write(t, lone, "func.func @norm(%x: f64, %y: f64) -> f64 {\n  %z = cplx.make %x, %y : f64\n  %r = cplx.abs %z\n  return %r : f64\n}\n")
	write(t, args, "[3.0, 4.0]")
	got, stderr, err = both(bin, "run", "-entry=norm", "-args="+args, lone)
	if err != nil || !strings.Contains(got, "5") || !strings.Contains(stderr, "lone.mlir:3:") ||
		!strings.Contains(stderr, "the program is interpreted") || !strings.Contains(stderr, "no rule lowers the op") {
		t.Errorf("auto, of an op that has no rule: %v\n%s%s", err, got, stderr)
	}
}

// A body that runs once is no loop: what is around it may change, but nothing leaves it.
func regionsByAttribute(t *testing.T, bin string) {
	text := run(t, bin, "repeat.mlir")
	again := filepath.Join(t.TempDir(), "again.mlir")
	for _, form := range []string{"-mlir-print-op-generic", "-emit=ir"} {
		write(t, again, run(t, bin, form, "repeat.mlir"))
		if got := run(t, bin, again); got != text {
			t.Errorf("%s is read as\n%s\nfor\n%s", form, got, text)
		}
	}
	got := run(t, bin, "explain", "repeat.mlir")
	for _, want := range []string{"changes with the loop at line 3", "stays in a region at line 8", "hoisted out of the loop at line 18"} {
		if !strings.Contains(got, want) {
			t.Errorf("explain has no %q:\n%s", want, got)
		}
	}
	if got := run(t, bin, "-passes=lower{to=scf}", "repeat.mlir"); strings.Contains(got, "cplx.") || strings.Count(got, "scf.for") != 2 {
		t.Errorf("lowered:\n%s", got)
	}
	if got := run(t, bin, "-passes=cplx-square{where=loops}", "repeat.mlir"); strings.Count(got, "cplx.mul") != 3 { // the body that runs once, and what is no square
		t.Errorf("where=loops leaves\n%s", got)
	}
	args := filepath.Join(t.TempDir(), "args.json")
	for _, c := range []struct{ entry, args, want string }{
		{"powers", `[[1, 1]]`, `{"results": [{"re": 256, "im": -0.0}, {"re": 0, "im": 2}], "args": []}`},
		{"hoist", `[[1, 1], [1, 2]]`, `{"results": [{"re": 73, "im": 161}, {"re": 1, "im": 2}], "args": []}`},
	} {
		write(t, args, c.args)
		for _, engine := range []string{"eval", "llvm"} {
			got, stderr, err := both(bin, "run", "-engine="+engine, "-entry="+c.entry, "-args="+args, "repeat.mlir")
			if err != nil && strings.Contains(stderr, "libLLVM") {
				continue
			}
			if err != nil || strings.TrimSpace(got) != c.want {
				t.Errorf("%s on %s: got %s%s, want %s", c.entry, engine, got, stderr, c.want)
			}
		}
	}
	body := "({\n  ^bb0(%w: !cplx.number<f64>):\n    cplx.yield %w\n  })"
	for op, want := range map[string]string{
		`"cplx.repeat"(%z) ` + body + ` {times = 1 : i64}`:  `has region #0 of kind "loop", and by its attributes the kind is "run once": in text they must stand before the regions, in <{...}>`,
		`"cplx.repeat"(%z) <{times = 0 : i64}> ` + body:     "has an attribute times, a positive i64",
		`"cplx.repeat"(%z, %z) <{times = 2 : i64}> ` + body: "values of the same types",
	} {
		results := "!cplx.number<f64>"
		if strings.Contains(op, "%z, %z") {
			results = "(!cplx.number<f64>, !cplx.number<f64>)"
		}
		operands := strings.TrimPrefix(strings.Trim(results, "()"), "(")
		write(t, again, "func.func @f(%z: !cplx.number<f64>) {\n  %a:"+strconv.Itoa(strings.Count(operands, "<"))+" = "+op+" : ("+operands+") -> "+results+"\n  return\n}\n")
		if _, stderr, err := both(bin, again); err == nil || !strings.Contains(stderr, "again.mlir:2:") || !strings.Contains(stderr, want) {
			t.Errorf("%s: got %v\n%s", op, err, stderr)
		}
	}
}

// Vectors of a size that has a name run on every engine; a call gives the name one size.
func namedSizes(t *testing.T, bin string) {
	dir := t.TempDir()
	args, file := filepath.Join(dir, "args.json"), filepath.Join(dir, "wrong.mlir")
	write(t, args, `[{"re": [1, 2], "im": [0, 1]}, {"re": [3, 4], "im": [1, 1]}, {"re": [1, 1, 1], "im": [0, 0, 1]}]`)
	for _, engine := range []string{"eval", "llvm"} {
		got, stderr, err := both(bin, "run", "-engine="+engine, "-entry=twice", "-args="+args, "vector.mlir")
		if err != nil && strings.Contains(stderr, "libLLVM") {
			continue
		}
		if want := `{"results": [{"re": 10, "im": 7}, {"re": 2, "im": 2}], "args": []}`; err != nil || strings.TrimSpace(got) != want {
			t.Errorf("%s: got %s%s, want %s", engine, got, stderr, want)
		}
	}
	if got := run(t, bin, "-passes=lower{to=scf}", "vector.mlir"); strings.Contains(got, "cplx") || strings.Count(got, "memref.dim") != 1 {
		t.Errorf("lowered:\n%s", got)
	}
	program := read(t, module+"/vector.mlir")
	for from, to := range map[string]string{
		"%y: !cplx.vector<m, f64>":                     "%y: !cplx.vector<k, f64>", // the call says m
		"(!cplx.vector<3, f64>, !cplx.vector<3, f64>)": "(!cplx.vector<3, f64>, !cplx.vector<4, f64>)",
		"@dot(%x: !cplx.vector<n, f64>":                "@dot(%x: !cplx.vector<k, f64>", // two sizes
		"<n, f64>":                                     "<?, f64>",
	} {
		write(t, file, strings.ReplaceAll(program, from, to))
		if _, stderr, err := both(bin, file); err == nil || !strings.Contains(stderr, "wrong.mlir:") {
			t.Errorf("%s in the place of %s is accepted:\n%s", to, from, stderr)
		}
	}
}

// A condition that may be poison is frozen before the loop asks for it, which may have no round: on every engine
// the memory is as it was. An argument is never poison, and is not frozen.
func unswitch(t *testing.T, bin string) {
	made := run(t, bin, "-passes=unswitch", "unswitch.mlir")
	if strings.Count(made, "scf.for") != 2 || strings.Count(made, "ub.freeze") != 1 {
		t.Errorf("got\n%s", made)
	}
	args := filepath.Join(t.TempDir(), "args.json")
	write(t, args, "[[9, 9, 9, 9], 0, 5]")
	for _, engine := range []string{"eval", "llvm"} {
		got := run(t, bin, "run", "-engine="+engine, "-passes=unswitch", "-entry=f", "-args="+args, "unswitch.mlir")
		if !strings.Contains(got, "[9, 9, 9, 9]") {
			t.Errorf("%s gives %s", engine, got)
		}
	}
	if made := run(t, bin, "-passes=unswitch", "unswitch_argument.mlir"); strings.Count(made, "scf.for") != 2 || strings.Contains(made, "ub.freeze") {
		t.Errorf("got\n%s", made)
	}
}

// Loops that need nothing of each other are fused, others are not, and the results stay.
func fuse(t *testing.T, bin string) {
	fused := run(t, bin, "-passes=cplx-fuse", "fuse.mlir")
	if strings.Count(fused, "cplx.repeat") != 3 || !strings.Contains(fused, ":2 = cplx.repeat 3 times %arg0, %arg1 {") {
		t.Errorf("got\n%s", fused)
	}
	dir := t.TempDir()
	file, args := filepath.Join(dir, "fused.mlir"), filepath.Join(dir, "args.json")
	write(t, file, fused)
	write(t, args, "[[1, 1], [1, 2]]")
	want := run(t, bin, "run", "-engine=eval", "-entry=f", "-args="+args, "fuse.mlir")
	if got := run(t, bin, "run", "-engine=eval", "-entry=f", "-args="+args, file); got != want || !strings.Contains(got, `"im": `) {
		t.Errorf("fused it gives %s, before %s", got, want)
	}
}

// both runs a command and returns its output and its errors.
func both(bin string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.Command(bin, args...)
	cmd.Dir = module
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}
