package llvm

import (
	"strings"
	"testing"
)

// Only the thunks of functions that a trap may leave mark a place to go back to: by themselves, through what they call, or
// through loops that cores share.
func TestThunksOfTraps(t *testing.T) {
	const src = `func.func private @pick(%x: memref<4xf64>, %i: index) -> f64 {
  %v = memref.load %x[%i] : memref<4xf64>
  return %v : f64
}
func.func @direct(%x: memref<4xf64>, %i: index) -> f64 {
  %v = memref.load %x[%i] : memref<4xf64>
  return %v : f64
}
func.func @through(%x: memref<4xf64>, %i: index) -> f64 {
  %v = func.call @pick(%x, %i) : (memref<4xf64>, index) -> f64
  return %v : f64
}
func.func @shared(%x: memref<4xf64>, %y: memref<100000xf64>, %i: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 100000 : index
  scf.parallel (%j) = (%zero) to (%n) step (%one) {
    %k = arith.muli %i, %j : index
    %v = memref.load %x[%k] : memref<4xf64>
    %l = math.sin %v : f64
    memref.store %l, %y[%j] : memref<100000xf64>
    scf.reduce
  }
  return
}
func.func @never(%x: memref<4xf64>) -> f64 {
  %i = arith.constant 3 : index
  %v = memref.load %x[%i] : memref<4xf64>
  %l = math.log %v : f64
  return %l : f64
}
`
	m, err := Emit(parse(t, src), Options{Thunks: true, Cores: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"direct": true, "through": true, "shared": true, "never": false} {
		for _, f := range m.IR.Funcs {
			if f.Name() == m.Func(name).Thunk && strings.Contains(f.LLString(), "@_setjmp") != want {
				t.Errorf("@%s: a trap may leave it: %t; its thunk is\n%s", name, want, f.LLString())
			}
		}
	}
}
