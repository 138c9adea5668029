package llvm

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/target"
)

// What cores may share, and what has an order or is too little.
func TestWhatIsShared(t *testing.T) {
	machine := *target.Host()
	machine.Cores = 4
	for _, x := range []struct {
		name, body string
		shared     bool
	}{
		{"stores", `scf.parallel (%i) = (%c0) to (%n) step (%c1) { memref.store %z, %a[%i] : memref<?xi64> }`, true},
		{"a box", `scf.parallel (%i, %j) = (%c0, %c1) to (%n, %n) step (%c1, %c2) { memref.store %z, %a[%i] : memref<?xi64> }`, true},
		{"forall", `scf.forall (%i) in (%n) { memref.store %z, %a[%i] : memref<?xi64> }`, true},
		{"few iterations", `scf.parallel (%i) = (%c0) to (%c9) step (%c1) { memref.store %z, %a[%i] : memref<?xi64> }`, false},
		{"few iterations that do much", `scf.parallel (%i) = (%c0) to (%c9) step (%c1) { scf.for %j = %c0 to %n step %c1 { memref.store %z, %a[%j] : memref<?xi64> } }`, true},
		{"what prints", `scf.parallel (%i) = (%c0) to (%n) step (%c1) { special.print %i : index }`, false},
		{"a function that prints", `scf.parallel (%i) = (%c0) to (%n) step (%c1) { func.call @even(%z) : (i64) -> () }`, false},
		{"a function that does not", `scf.parallel (%i) = (%c0) to (%n) step (%c1) { %x = func.call @twice(%z) : (i64) -> i64 memref.store %x, %a[%i] : memref<?xi64> }`, true},
		{"a function from outside", `scf.parallel (%i) = (%c0) to (%n) step (%c1) { func.call @outside() : () -> () }`, false},
		{"an atomic sum", `scf.parallel (%i) = (%c0) to (%n) step (%c1) { %o = memref.atomic_rmw addi %z, %a[%c0] : (i64, memref<?xi64>) -> i64 }`, true},
		{"an atomic sum whose steps are seen", `scf.parallel (%i) = (%c0) to (%n) step (%c1) { %o = memref.atomic_rmw addi %z, %a[%c0] : (i64, memref<?xi64>) -> i64 memref.store %o, %a[%i] : memref<?xi64> }`, false},
		{"an atomic sum of floats", `scf.parallel (%i) = (%c0) to (%n) step (%c1) { %o = memref.atomic_rmw addf %f, %b[%c0] : (f64, memref<?xf64>) -> f64 }`, false},
		{"a reduction", `%r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> i64 { %x = memref.load %a[%i] : memref<?xi64> scf.reduce(%x : i64) {
			^bb0(%p: i64, %q: i64): %s = arith.subi %p, %q : i64 scf.reduce.return %s : i64 } } memref.store %r, %a[%c0] : memref<?xi64>`, true},
		{"a reduction that may stop", `%r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> i64 { %x = memref.load %a[%i] : memref<?xi64> scf.reduce(%x : i64) {
			^bb0(%p: i64, %q: i64): %s = arith.divsi %p, %q : i64 scf.reduce.return %s : i64 } } memref.store %r, %a[%c0] : memref<?xi64>`, false},
	} {
		src := `func.func private @outside()
func.func private @twice(%x: i64) -> i64 { %y = arith.addi %x, %x : i64 return %y : i64 }
func.func private @even(%x: i64) { %c = arith.trunci %x : i64 to i1 scf.if %c { func.call @odd(%x) : (i64) -> () } return }
func.func private @odd(%x: i64) { %o = arith.constant 1 : i64 %y = arith.subi %x, %o : i64 func.call @even(%y) : (i64) -> () special.print %x : i64 return }
func.func @f(%a: memref<?xi64>, %b: memref<?xf64>, %n: index, %z: i64, %f: f64) {
  %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c2 = arith.constant 2 : index %c9 = arith.constant 9 : index
  ` + x.body + `
  return
}`
		for _, cores := range []bool{false, true} {
			ll, err := Text(parse(t, src), Options{Target: &machine, Cores: cores})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(ll, "call void @irc_parallel_for("); got != (cores && x.shared) {
				t.Errorf("%s, with cores %v: shared %v, want %v", x.name, cores, got, x.shared)
			}
		}
	}
}

// Loops in tiles are bounded on both sides, and the tile says how much they do at most.
func TestWorkOfTiles(t *testing.T) {
	machine := *target.Host()
	machine.Cores = 4
	for size, shared := range map[string]bool{"32": false, "65536": true} {
		src := strings.ReplaceAll(`func.func @f(%a: memref<?xi64>, %n: index, %m: index, %z: i64) {
  %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c9 = arith.constant 9 : index %size = arith.constant SIZE : index
  scf.parallel (%i) = (%c0) to (%c9) step (%c1) {
    %low = arith.muli %i, %size : index
    %high = arith.addi %low, %size : index
    %from = arith.maxsi %low, %m : index
    %to = arith.minsi %high, %n : index
    scf.for %j = %from to %to step %c1 { memref.store %z, %a[%j] : memref<?xi64> }
  }
  return
}`, "SIZE", size)
		ll, err := Text(parse(t, src), Options{Target: &machine, Cores: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(ll, "call void @irc_parallel_for("); got != shared {
			t.Errorf("nine tiles of %s: shared %v, want %v", size, got, shared)
		}
	}
}

// A parallel sum is filled up with zeros in the format of its type: those of bf16 are integers.
func TestSumsAreFilledUp(t *testing.T) {
	for elem, zero := range map[string]string{"f64": "store double 0x8000000000000000", "bf16": "store i16 32768"} {
		ll, err := Text(parse(t, strings.ReplaceAll(`func.func @f(%a: memref<?xf64>, %n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f64 {
    %y = memref.load %a[%i] : memref<?xf64>
    scf.reduce(%y : f64) {
    ^bb0(%p: f64, %q: f64):
      %s = arith.addf %p, %q fastmath<reassoc> : f64
      scf.reduce.return %s : f64
    }
  }
  return %r : f64
}`, "f64", elem)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(ll, zero) {
			t.Errorf("a sum of %s is not filled up by %q:\n%s", elem, zero, ll)
		}
	}
}
