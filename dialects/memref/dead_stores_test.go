package memref_test

import (
	"testing"

	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

func TestDropDeadStores(t *testing.T) {
	src := head + `%a = memref.alloc() : memref<4xindex>
  %b = memref.alloc() : memref<4xindex>
  %s = memref.subview %a[0] [2] [1] : memref<4xindex> to memref<2xindex, strided<[1]>>
  scf.for %i = %c0 to %c2 step %c1 { memref.store %i, %s[%i] : memref<2xindex, strided<[1]>> memref.store %i, %b[%i] : memref<4xindex> }
  memref.dealloc %a : memref<4xindex>
  %l = memref.load %b[%c1] : memref<4xindex>
  return %l : index }`
	g := memtest.Parse(t, memtest.Context(), src, text.Options{})
	h := memtest.Rewrite(t, g, ir.DropDeadStores(g.Ctx))
	if got := memtest.Shape(h, "f", "memref.alloc", "memref.store", "memref.dealloc", "scf.for"); got != "alloc for{store}" {
		t.Errorf("got %q\n%s", got, memtest.Text(h))
	}
	args := []ir.Val{{Bits: 1}, {Bits: 2}}
	if a, b := memtest.Outcome(t, g, "f", args...), memtest.Outcome(t, h, "f", args...); a != b {
		t.Errorf("%q became %q", a, b)
	}
}

// Memory that only dead stores name goes with them, if what may do anything comes after it.
func TestDropDeadStoresAllocations(t *testing.T) {
	src := head + `%a = memref.alloc() : memref<4xindex>
  %b = memref.alloc() : memref<4xindex>
  scf.for %i = %c0 to %c2 step %c1 { memref.store %i, %a[%i] : memref<4xindex> memref.store %i, %b[%i] : memref<4xindex> }
  func.call @show(%c1) : (index) -> ()
  %l = memref.load %b[%c1] : memref<4xindex>
  return %l : index }`
	g := memtest.Parse(t, memtest.Context(), src, text.Options{})
	h := memtest.Rewrite(t, g, ir.DropDeadStores(g.Ctx))
	if got := memtest.Shape(h, "f", "memref.alloc", "memref.store", "func.call", "memref.load", "scf.for"); got != "alloc for{store} call load" {
		t.Errorf("got %q\n%s", got, memtest.Text(h))
	}
}
