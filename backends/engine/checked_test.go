package engine

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/c"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
)

// trapping has traps in a function that is called, with a result and without, in a loop
// that is left, in iterations that cores share, and in a function that is passed on.
const trapping = `
func.func private @at(%m: memref<?xf64>, %i: index) -> f64 {
  %x = memref.load %m[%i] : memref<?xf64>
  return %x : f64
}
func.func @get(%m: memref<?xf64>, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %s = scf.for %k = %c0 to %i step %c1 iter_args(%a = %z) -> f64 {
    %x = func.call @at(%m, %k) : (memref<?xf64>, index) -> f64
    %b = arith.addf %a, %x : f64
    scf.yield %b : f64
  }
  return %s : f64
}
func.func @divide(%a: i32, %b: i32) -> (i32, i32) {
  %q = arith.divsi %a, %b : i32
  %r = arith.remsi %a, %b : i32
  return %q, %r : i32, i32
}
func.func private @put(%m: memref<?xf64>, %i: index) {
  %one = arith.constant 1.0 : f64
  memref.store %one, %m[%i] : memref<?xf64>
  return
}
func.func @set(%m: memref<?xf64>, %idx: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %idx, %c0 : memref<?xindex>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = memref.load %idx[%i] : memref<?xindex>
    %d = arith.divsi %c100, %k : index
    %g = arith.remsi %d, %c8 : index
    func.call @put(%m, %g) : (memref<?xf64>, index) -> ()
    scf.reduce
  }
  return
}
func.func @fine(%a: i8) -> i8 { return %a : i8 }
func.func @narrow(%a: i8, %b: i8) -> i8 {
  %q = arith.divui %a, %b : i8
  return %q : i8
}
func.func @indirect(%a: i32, %b: i32) -> (i32, i32) {
  %f = func.constant @divide : (i32, i32) -> (i32, i32)
  %q, %r = func.call_indirect %f(%a, %b) : (i32, i32) -> (i32, i32)
  return %q, %r : i32, i32
}
func.func private @never(%m: memref<?xf64>, %i: index) -> f64 {
  %x = arith.constant 2.5 : f64
  return %x : f64
}
func.func @chosen(%m: memref<?xf64>, %i: index, %c: i1) -> f64 {
  %f = func.constant @at : (memref<?xf64>, index) -> f64
  %g = func.constant @never : (memref<?xf64>, index) -> f64
  %h = arith.select %c, %f, %g : (memref<?xf64>, index) -> f64
  %x = func.call_indirect %h(%m, %i) : (memref<?xf64>, index) -> f64
  %y = arith.addf %x, %x : f64
  return %y : f64
}
`

const trappingMain = `
#include "m.h"
#include "other.h"
#include <stdio.h>
#include <string.h>
/* The parts run from the last to the first. */
void irc_parallel_for(void (*f)(int64_t, int64_t, void *), void *closure, int64_t low, int64_t high, int64_t grain) {
	(void)grain;
	for (int64_t i = high; i > low; i--)
		f(i - 1, i, closure);
}
static void say(int32_t status) { printf("%d %s\n", status != 0, irc_trap_text(status)); }
static double m[8] = {1, 2, 3};
static int64_t idx[100000];
int main(int argc, char **argv) {
	double x = -1;
	struct divide_results d = {-1, -1};
	int8_t n = -1;
	say(get_checked(&x, m, 3, 3)); printf("%g\n", x);
	x = -1; say(get_checked(&x, m, 3, 4)); printf("%g\n", x);
	say(divide_checked(&d, -7, 2)); printf("%d %d\n", d.result0, d.result1);
	say(divide_checked(&d, 1, 0)); say(divide_checked(&d, INT32_MIN, -1)); printf("%d %d\n", d.result0, d.result1);
	say(fine_checked(&n, 5)); printf("%d\n", n);
	say(narrow_checked(&n, 9, 2)); say(narrow_checked(&n, 9, 0)); printf("%d\n", n);
	for (int i = 0; i < 100000; i++) idx[i] = 1 + i % 7;
	say(set_checked(m, 8, idx, 100000)); printf("%g\n", m[6]);
	idx[77777] = 0; say(set_checked(m, 8, idx, 100000));
	idx[70000] = -3; say(set_checked(m, 8, idx, 100000));
	idx[69999] = 0; say(set_checked(m, 8, idx, 100000));
#ifndef IN_C
	struct indirect_results e; say(indirect_checked(&e, 9, 2)); printf("%d %d\n", e.result0, e.result1);
	say(indirect_checked(&e, 9, 0)); say(chosen_checked(&x, m, 8, 7, 1)); printf("%g\n", x); say(chosen_checked(&x, m, 8, 8, 1)); say(chosen_checked(&x, m, 8, 8, 0)); printf("%g\n", x);
#endif
	say(other_checked(&n, 1, 0));
	say(-3);
	fflush(stdout);
	if (argc > 1) get(m, 3, 4);
	return 0;
}
`

const trappingSays = `0 
6
1 @at: memref.load: index out of bounds
-1
0 
-3 -1
1 @divide: arith.divsi: division by zero
1 @divide: arith.divsi: signed overflow
-3 -1
0 
5
0 
1 @narrow: arith.divui: division by zero
4
0 
1
1 @set: arith.divsi: division by zero
1 @put: memref.store: index out of bounds
1 @set: arith.divsi: division by zero
0 
4 1
1 @divide: arith.divsi: division by zero
0 
0
1 @at: memref.load: index out of bounds
0 
5
1 @other: arith.remui: division by zero
1 unknown status
`

// other is in another object.
const other = "func.func @other(%a: i8, %b: i8) -> i8 {\n  %q = arith.remui %a, %b : i8\n  return %q : i8\n}\n"

// Twins return the code of a trap, in two objects of one program, and that of the lowest
// iteration where cores share a loop; the plain form aborts.
func TestCheckedTwins(t *testing.T) {
	for _, level := range []jit.Level{jit.O0, jit.O2} {
		o := llvm.Options{Checked: true, Cores: true, Target: onCores(2)}
		main := link(t, objects(t, trappingMain, level, o, map[string]string{"m": trapping, "other": other}))
		out, err := exec.Command(main).CombinedOutput()
		if err != nil || string(out) != trappingSays {
			t.Errorf("level %v: %v\n%s\nwant\n%s", level, err, out, trappingSays)
		}
		out, err = exec.Command(main, "abort").CombinedOutput()
		if err == nil || !strings.HasSuffix(string(out), "irc: @at: memref.load: index out of bounds\n") {
			t.Errorf("level %v: the plain form: %v\n%s", level, err, out)
		}
	}
}

// Code in C has the same twins, which share the texts of an object's, and are called as the header of an object says; and
// it ends the program in the plain form.
func TestCheckedTwinsInC(t *testing.T) {
	inC, _, _ := strings.Cut(trapping, "func.func @indirect")
	text, err := c.Emit(parse(t, inC), c.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := llvm.Emit(parse(t, inC), llvm.Options{Checked: true})
	if err != nil {
		t.Fatal(err)
	}
	dir := objects(t, trappingMain, jit.O0, llvm.Options{Checked: true}, map[string]string{"other": other})
	for name, data := range map[string]string{"m.c": text, "m.h": m.Header("M_H")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	main := link(t, dir, "-DIN_C", "m.c")
	want := strings.Replace(trappingSays, trappingSays[strings.Index(trappingSays, "0 \n4 1\n"):strings.Index(trappingSays, "1 @other")], "", 1)
	if out, err := exec.Command(main).CombinedOutput(); err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
	out, err := exec.Command(main, "abort").CombinedOutput()
	if err == nil || !strings.HasSuffix(string(out), "irc: @at: memref.load: index out of bounds\n") {
		t.Errorf("the plain form: %v\n%s", err, out)
	}
}

// An object of a model has the twins alone, to which everything is passed by a pointer.
func TestCheckedAlone(t *testing.T) {
	main := link(t, objects(t, aloneMain, jit.O2, llvm.Options{Checked: true, CheckedAlone: true}, map[string]string{"m": trapping}))
	out, err := exec.Command(main).CombinedOutput()
	if want := "0 6 1 @divide: arith.divsi: division by zero\n"; err != nil || string(out) != want {
		t.Errorf("%v: %q, want %q", err, out, want)
	}
}

const aloneMain = `
#include "m.h"
#include <stdio.h>
/* There is no plain form: these are free. */
double get(void) { return 1; }
void set(void) {}
int main(void) {
	double m[4] = {1, 2, 3}, x = -1;
	int64_t n = 4, i = 3;
	int32_t a = 1, b = 0;
	struct divide_results d;
	int32_t s = get_checked(&x, m, &n, &i), t = divide_checked(&d, &a, &b);
	printf("%d %g %d %s\n", s, x, t != 0, irc_trap_text(t));
	return 0;
}
`
