package llvm

import (
	"strings"
	"testing"
)

// In a loop that carries memory, what is not carried on is reserved once, before the loop,
// and what may be, in each round.
func TestStackOfALoop(t *testing.T) {
	for _, x := range []struct {
		name, yield string
		once        bool
	}{{"accessed", "%y, %x", true}, {"carried on", "%y, %v", false}} {
		ll, err := Text(parse(t, `func.func @f(%a: memref<?xi8>, %b: memref<?xi8>, %n: index) -> memref<?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i8
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<?xi8>, memref<?xi8>) {
    %m = memref.alloca() : memref<16xi8>
    %v = memref.cast %m : memref<16xi8> to memref<?xi8>
    memref.store %k, %v[%i] : memref<?xi8>
    %l = memref.load %v[%c1] : memref<?xi8>
    memref.store %l, %x[%c0] : memref<?xi8>
    scf.yield `+x.yield+` : memref<?xi8>, memref<?xi8>
  }
  return %r#0 : memref<?xi8>
}`), Options{})
		if err != nil {
			t.Fatal(err)
		}
		reserved, loop := strings.Index(ll, "alloca"), strings.Index(ll, "phi")
		if reserved < 0 || loop < 0 || reserved < loop != x.once {
			t.Errorf("memory that is %s: at %d, the loop at %d\n%s", x.name, reserved, loop, ll)
		}
	}
}
