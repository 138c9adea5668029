package engine

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
)

const cModule = `
func.func @add(%a: f64, %b: f32) -> f64 {
  %c = arith.extf %b : f32 to f64
  %d = arith.addf %a, %c : f64
  return %d : f64
}
func.func @divide(%a: i32, %b: i32) -> (i32, i8, i1) {
  %q = arith.divsi %a, %b : i32
  %n = arith.trunci %q : i32 to i8
  %z = arith.constant 0 : i32
  %r = arith.remsi %a, %b : i32
  %e = arith.cmpi eq, %r, %z : i32
  return %q, %n, %e : i32, i8, i1
}
func.func @neg(%a: i8) -> i8 {
  %z = arith.constant 0 : i8
  %r = arith.subi %z, %a : i8
  return %r : i8
}
func.func @not(%a: i1) -> i1 {
  %t = arith.constant true
  %r = arith.xori %a, %t : i1
  return %r : i1
}
func.func @trace(%m: memref<?x?xf64, strided<[?, ?], offset: ?>>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?x?xf64, strided<[?, ?], offset: ?>>
  %z = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> f64 {
    %x = memref.load %m[%i, %i] : memref<?x?xf64, strided<[?, ?], offset: ?>>
    %b = arith.addf %a, %x : f64
    scf.yield %b : f64
  }
  return %s : f64
}
func.func @iota(%n: index) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.index_cast %i : index to i32
    memref.store %x, %m[%i] : memref<?xi32>
  }
  return %m : memref<?xi32>
}
func.func private @host(i1, i8) -> (f64, i1)
func.func @back(%c: i1, %x: i8) -> f64 {
  %r, %ok = func.call @host(%c, %x) : (i1, i8) -> (f64, i1)
  %z = arith.constant -1.0 : f64
  %s = arith.select %ok, %r, %z : f64
  return %s : f64
}
`

const cMain = `
#include "m.h"
#include <stdio.h>
#include <stdlib.h>
struct host_results { double r0; bool r1; };
void host(struct host_results *out, bool c, int8_t x) { out->r0 = c ? x : 100 * x; out->r1 = x != 7; }
int main(int argc, char **argv) {
	struct divide_results d;
	struct iota_results v;
	double a[2][3] = {{1, 2, 3}, {4, 5, 6}};
	divide(&d, -700, 7);
	iota(&v, 5);
	printf("%g %d %d %d %d %d %d\n", add(1.5, 2.25f), d.result0, d.result1, d.result2, neg(-100), not(true), not(false));
	printf("%g %d %d %g %g %g\n", trace(&a[0][1], 2, 2, 3, 1), (int)v.result0_size0, v.result0[4], back(true, -3), back(false, -3), back(true, 7));
	free(v.result0);
	fflush(stdout);
	divide(&d, 1, argc - 1);
}
`

// C calls an object file as docs/abi.md says.
func TestC(t *testing.T) {
	for _, level := range []jit.Level{jit.O0, jit.O3} {
		main := link(t, objects(t, cMain, level, llvm.Options{}, map[string]string{"m": cModule}))
		var stdout, stderr strings.Builder
		run := exec.Command(main)
		run.Stdout, run.Stderr = &stdout, &stderr
		err := run.Run()
		want := "3.75 -100 -100 1 100 0 1\n8 5 4 -3 -300 -1\n"
		if stdout.String() != want || err == nil || stderr.String() != "irc: @divide: arith.divsi: division by zero\n" {
			t.Errorf("%v: printed %q, %q", err, stdout.String(), stderr.String())
		}
	}
}

// objects makes an object file and a header of each module, beside a main program in C.
func objects(t *testing.T, main string, level jit.Level, o llvm.Options, modules map[string]string) (dir string) {
	t.Helper()
	lib, err := jit.Find()
	if errors.Is(err, jit.ErrMissing) {
		t.Skipf("this test needs libLLVM: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	files := map[string][]byte{"main.c": []byte(main)}
	for name, text := range modules {
		m, err := llvm.Emit(parse(t, text), o)
		if err != nil {
			t.Fatal(err)
		}
		if files[name+".o"], err = lib.Emit(m.Text(), jit.Object, jit.Options{Level: level}); err != nil {
			t.Fatal(err)
		}
		files[name+".h"] = []byte(m.Header(name + "_H"))
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// link makes a program of the objects in a folder.
func link(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*.o"))
	if err != nil {
		t.Fatal(err)
	}
	flags = append(flags, "-Wall", "-Werror", "-o", "main", "main.c")
	build := exec.Command(compiler(t), append(append(flags, list...), "-lm")...)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(dir, "main")
}

// compiler is one of C.
func compiler(t *testing.T) string {
	for _, name := range []string{"cc", "gcc", "clang", "clang-19"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("this test needs a C compiler")
	return ""
}

const coresMain = `
#include <stdint.h>
#include <stdio.h>
void fill(int64_t *a, int64_t n);
double sum(int64_t *a, int64_t n);
#ifdef HOST
static int parts;
void irc_parallel_for(void (*fn)(int64_t, int64_t, void *), void *closure, int64_t low, int64_t high, int64_t grain) {
	int64_t step = grain < 0 ? -grain : grain;
	for (int64_t end = high; end > low; end -= step, parts++)
		fn(end - step < low ? low : end - step, end, closure);
}
#endif
int main(void) {
	int64_t a[1000], wrong = 0;
	fill(a, 1000);
	for (int i = 0; i < 1000; i++)
		wrong += a[i] != i;
	printf("%d %.17g", (int)wrong, sum(a, 1000));
#ifdef HOST
	printf(" %s", parts > 2 ? "parts" : "one");
#endif
}
`

// A program that links an object file may have its own irc_parallel_for; the one in the file makes one call.
func TestCSharesLoops(t *testing.T) {
	dir := objects(t, coresMain, 0, llvm.Options{Target: onCores(2), Cores: true}, map[string]string{"m": `
func.func @fill(%a: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = arith.index_cast %i : index to i64
    memref.store %x, %a[%i] : memref<?xi64>
  }
  return
}
func.func @sum(%a: memref<?xi64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.1 : f64
  %n = memref.dim %a, %c0 : memref<?xi64>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
    %x = memref.load %a[%i] : memref<?xi64>
    %y = arith.sitofp %x : i64 to f64
    %w = arith.divf %z, %y : f64
    %v = arith.minimumf %w, %z : f64
    scf.reduce(%v : f64) {
    ^bb0(%p: f64, %q: f64):
      %s = arith.addf %p, %q : f64
      scf.reduce.return %s : f64
    }
  }
  return %r : f64
}`})
	var printed []string
	for _, flag := range []string{"-UHOST", "-DHOST"} {
		out, err := exec.Command(link(t, dir, flag)).Output()
		if err != nil {
			t.Fatal(err)
		}
		printed = append(printed, string(out))
	}
	if !strings.HasPrefix(printed[0], "0 0.9") || printed[1] != printed[0]+" parts" {
		t.Errorf("alone it prints %q, with a host's irc_parallel_for %q", printed[0], printed[1])
	}
}
