package script

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/cuda/cudatest"
	"github.com/irc-lang/irc/backends/jit"
)

// nest has functions that become tables and arithmetic, and what hoists.
const nest = `func.func @main(%x: memref<8xf64>, %y: memref<16xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %zero) -> (f64) {
    %s = scf.for %j = %c0 to %c16 step %c1 iter_args(%b = %a) -> (f64) {
      %u = memref.load %x[%i] : memref<8xf64>
      %v = memref.load %y[%j] : memref<16xf64>
      %w = math.exp %v : f64
      %k = special.log1pexp %u : f64
      %p = arith.mulf %k, %w : f64
      %t = arith.addf %b, %p : f64
      scf.yield %t : f64
    }
    scf.yield %s : f64
  }
  return %r : f64
}
`

// kernel is launched; its function has a lowering of its own on a GPU.
const kernel = `device.kernel @exps(%a: memref<?xf32>) {
  %i = device.thread_id x
  %x = memref.load %a[%i] : memref<?xf32>
  %y = math.exp %x : f32
  memref.store %y, %a[%i] : memref<?xf32>
  device.return
}
func.func @scale(%a: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  device.launch @exps blocks(%c1, %c1, %c1) threads(%c3, %c1, %c1) args(%a : memref<?xf32>)
  return
}
`

// routeCases are command lines; what is in braces is a file of routeFiles.
var routeCases = []struct {
	needs string // "llvm" or "cuda"
	line  string
}{
	{"", "-passes=inline,licm {nest.mlir}"},
	{"", "-emit=svg -passes=cse {nest.mlir}"},
	{"", "explain {nest.mlir}"},
	{"", "explain -passes=licm,canonicalize {nest.mlir}"},
	{"", "explain {MODEL}"},
	{"", "-emit=llvm {nest.mlir}"},
	{"", "-emit=llvm -passes=inline,cse {nest.mlir}"},
	{"", "-emit=llvm -target={small.json} {nest.mlir}"},
	{"", "-emit=llvm -target={bare.json} {nest.mlir}"},
	{"llvm", "-emit=asm {nest.mlir}"},
	{"llvm", "-emit=asm -mcpu=x86-64 {nest.mlir}"},
	{"", "-emit=llvm -target={own.json} {nest.mlir}"},
	{"llvm", "-emit=asm -target={small.json} {nest.mlir}"},
	{"llvm", "-emit=asm -target={own.json} {nest.mlir}"},
	{"llvm", "-emit=obj {nest.mlir}"},
	{"llvm", "-emit=obj -target={bare.json} {nest.mlir}"},
	{"", "-emit=nvvm {kernel.mlir}"},
	{"", "-emit=llvm -target=nvptx64 {kernel.mlir}"},
	{"llvm", "-emit=ptx {kernel.mlir}"},
	{"llvm", "-emit=ptx -target={gpu.json} {kernel.mlir}"},
	{"llvm", "-emit=asm -target=nvptx64 {kernel.mlir}"},
	{"", "-emit=llvm -data ../../examples/bugs/rats-data.json ../../examples/bugs/rats.bug"},
	{"", "-emit=llvm -target={small.json} -scale=unconstrained -data ../../examples/bugs/seeds-data.json ../../examples/bugs/seeds.bug"},
	{"llvm", "run -engine=llvm -target={own.json} -args={args.json} {nest.mlir}"},
	{"", "run -engine=eval -args={args.json} {nest.mlir}"},
	{"", "run -engine=eval -passes=licm -args={args.json} {nest.mlir}"},
	{"", "run -args={args.json} {nest.mlir}"},
	{"", "run -target=interpreter -args={args.json} {nest.mlir}"},
	{"llvm", "run -engine=llvm -args={args.json} {nest.mlir}"},
	{"llvm", "run -target={bare.json} -args={args.json} {nest.mlir}"},
	{"", "run -engine=eval -entry=scale -args={kargs.json} {kernel.mlir}"},
	{"cuda", "run -engine=cuda -entry=scale -args={kargs.json} {kernel.mlir}"},
	{"", "logdensity {MODEL}"},
	{"", "logdensity -engine=eval {MODEL}"},
	{"", "logdensity -target=interpreter -json {MODEL}"},
	{"", "logdensity -target={slow.json} {MODEL}"},
	{"llvm", "logdensity -engine=llvm -mcpu=x86-64 {MODEL}"},
	{"llvm", "logdensity -engine=llvm -target={bare.json} -passes=cse -json {MODEL}"},
	{"llvm", "logdensity -engine=llvm -scale=unconstrained {MODEL}"},
}

var routeFiles = map[string]string{
	"nest.mlir":   nest,
	"kernel.mlir": kernel,
	"own.json":    `{"pipeline": "lower{to=scf},lower{to=llvm}"}`,
	"args.json":   "[[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7]]",
	"kargs.json":  "[[1, 2, 3]]",
	"small.json":  `{"cpu": "x86-64", "cache_bytes": [64], "costs": {"trips": 10}}`,
	"bare.json":   `{"library": "", "cache_bytes": [32768]}`,
	"slow.json":   `{"kind": "interpreter", "costs": {"trips": 10}}`,
	"gpu.json":    `{"kind": "gpu", "cpu": "sm_86"}`,
}

// What -dump-pass-pipeline prints is all that a command runs: given to -passes of the
// same command it makes the same, byte for byte.
func TestRoutes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range routeFiles {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	gpu, fakeErr := cudatest.Library()
	for _, k := range routeCases {
		t.Run(k.line, func(t *testing.T) {
			if k.needs != "" && !jit.Doctor().Found {
				t.Skip("this needs libLLVM")
			}
			if k.needs == "cuda" {
				if fakeErr != nil {
					t.Skip(fakeErr)
				}
				t.Setenv("IRC_LIBCUDA", gpu)
			}
			line := strings.ReplaceAll(k.line, "{MODEL}", "-data ../../examples/bugs/rats-data.json -inits ../../examples/bugs/rats-inits.json ../../examples/bugs/rats.bug")
			line = strings.NewReplacer("{", dir+"/", "}", "").Replace(line)
			args := append(strings.Fields(line), "-dump-pass-pipeline")
			want, pipeline := routed(t, args)
			var again []string
			for _, a := range args {
				if !strings.HasPrefix(a, "-passes=") {
					again = append(again, a)
				}
			}
			if got, same := routed(t, append(again, "-passes="+pipeline)); got != want || same != pipeline {
				t.Errorf("%s\nruns %s\nwhich runs %s\nand makes\n%s\nin place of\n%s", line, pipeline, same, got, want)
			}
			ends := []string{")"} // of what nothing takes over
			switch command := strings.Fields(line)[0]; {
			case strings.Contains(line, "-emit=llvm") || strings.Contains(line, "-emit=nvvm"):
				ends = []string{",llvm{level=0})"}
			case k.needs != "":
				ends = []string{",llvm{level=3})"}
			case command == "run" || command == "logdensity":
				ends = []string{",llvm{level=3})", "interpret)"} // of auto, where there is no libLLVM
			}
			if !slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(pipeline, end) }) {
				t.Errorf("%s\nruns %s, which ends in none of %q", line, pipeline, ends)
			}
		})
	}
}

// routed is what a command line makes, and the pipeline that it says it runs.
func routed(t *testing.T, args []string) (out, pipeline string) {
	t.Helper()
	status, out, errs := irc("", args...)
	if status != 0 || out == "" {
		t.Fatalf("%q: status %d\n%s", args, status, errs)
	}
	_, pipeline, _ = strings.Cut(errs, "Pass Manager with ")
	_, pipeline, _ = strings.Cut(pipeline, "\n")
	pipeline, _, _ = strings.Cut(pipeline, "\n")
	if pipeline == "" {
		t.Fatalf("%q: no pipeline is shown:\n%s", args, errs)
	}
	return out, pipeline
}

// A pipeline that is whole is all that runs: without a step of the usual way something
// else comes out, and LLVM works as hard as the text says.
func TestWholePipelines(t *testing.T) {
	lower := "lower-math{quick=true loops=true},lower{to=llvm},"
	file := filepath.Join(t.TempDir(), "nest.mlir")
	if err := os.WriteFile(file, []byte(nest), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(passes, emit string) string {
		status, out, errs := irc("", "-passes="+passes, "-emit="+emit, file)
		if status != 0 {
			t.Fatalf("%s: %s", passes, errs)
		}
		return out
	}
	if out := run("lower{to=llvm},llvm{level=0}", "llvm"); !strings.Contains(out, "@llvm.exp.f64") {
		t.Errorf("exp is lowered although no pass does that:\n%s", out)
	}
	if out := run(lower+"llvm{level=0}", "llvm"); strings.Contains(out, "@llvm.exp.f64") {
		t.Errorf("exp is not lowered:\n%s", out)
	}
	if !jit.Doctor().Found {
		t.Skip("the rest needs libLLVM")
	}
	if out := run(lower+"loop-hints,llvm{level=2}", "llvm"); !strings.Contains(out, "x double>") {
		t.Errorf("LLVM makes no vectors at level 2:\n%s", out)
	}
	if a, b := run(lower+"llvm{level=0}", "asm"), run(lower+"llvm{level=3}", "asm"); len(a) == 0 || a == b {
		t.Error("LLVM works as hard at level 0 as at level 3")
	}
}

// What ends a pipeline has its place there, and a command that can do it.
func TestLastSteps(t *testing.T) {
	for _, k := range []struct{ line, want string }{
		{"-passes=llvm -", "-emit=ir writes it as it is"},
		{"-passes=interpret -emit=svg -", "-emit=svg writes it as it is"},
		{"-passes=interpret -emit=llvm -", "ends in interpret, which is no end of the lowering pipeline to host"},
		{"-passes=interpret -emit=ptx -", "no end of the lowering pipeline to nvptx64"},
		{"-passes=llvm,cse -emit=llvm -", "nothing runs after it"},
		{"-passes=func(llvm) -emit=llvm -", "nothing runs after it"},
		{"-passes=repeat(cse,llvm) -emit=llvm -", "put it at the end of the whole pipeline"},
		{"-passes=llvm{level=4} -emit=llvm -", "level=4 is not between 0 and 3"},
		{"explain -passes=llvm -", "explains what passes do"},
		{"run -engine=eval -passes=llvm -", "-engine=eval interprets"},
		{"run -engine=llvm -passes=interpret -", "-engine=llvm compiles"},
		{"run -engine=llvm -target=interpreter -", "nothing is compiled for -target=interpreter"},
		{"run -target=nvptx64 -", "no machine that the program runs on"},
		{"logdensity -passes=bugs-order -x=bugs -", "as they are written"},
	} {
		in := nest
		if strings.Contains(k.line, "bugs") {
			in = "model { x ~ dnorm(0, 1) }"
		}
		if status, _, errs := irc(in, strings.Fields(k.line)...); status != 2 || !strings.Contains(errs, k.want) {
			t.Errorf("irc %s: status %d, want 2 and %q:\n%s", k.line, status, k.want, errs)
		}
	}
}
