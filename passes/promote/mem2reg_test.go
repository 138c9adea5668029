package promote_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
)

// promoted are bodies of @f(%a: i64, %n: index, %c: i1) -> i64, and what mem2reg
// makes of them.
var promoted = []struct{ name, body, want string }{
	{"a loop carries what it stores", `
  %m = memref.alloca() : memref<i64>
  memref.store %a, %m[] : memref<i64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[] : memref<i64>
    %y = arith.muli %x, %x : i64
    memref.store %y, %m[] : memref<i64>
  }
  %r = memref.load %m[] : memref<i64>
  return %r : i64`, `
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %arg3 = %c0 to %arg1 step %c1 iter_args(%arg4 = %arg0) -> (i64) {
    %1 = arith.muli %arg4, %arg4 : i64
    scf.yield %1 : i64
  }
  return %0 : i64`},
	{"elements of an array that only loops in the round which stores them read", `
  %m = memref.alloc() : memref<8xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (i64) {
    %c8 = arith.constant 8 : index
    %j = arith.remui %i, %c8 : index
    %x = arith.muli %s, %s : i64
    memref.store %x, %m[%j] : memref<8xi64>
    %q = scf.for %k = %c0 to %n step %c1 iter_args(%t = %s) -> (i64) {
      %y = memref.load %m[%j] : memref<8xi64>
      %z = arith.xori %y, %t : i64
      scf.yield %z : i64
    }
    scf.yield %q : i64
  }
  return %r : i64`, `
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %arg3 = %c0 to %arg1 step %c1 iter_args(%arg4 = %arg0) -> (i64) {
    %1 = arith.muli %arg4, %arg4 : i64
    %2 = scf.for %arg5 = %c0 to %arg1 step %c1 iter_args(%arg6 = %arg4) -> (i64) {
      %3 = arith.xori %1, %arg6 : i64
      scf.yield %3 : i64
    }
    scf.yield %2 : i64
  }
  return %0 : i64`},
	{"a store under a condition, in a loop, to memory that is freed", `
  %m = memref.alloc() : memref<1xi64>
  memref.store %a, %m[%c0] : memref<1xi64>
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      %x = memref.load %m[%c0] : memref<1xi64>
      %y = arith.addi %x, %seven : i64
      memref.store %y, %m[%c0] : memref<1xi64>
    }
  }
  %r = memref.load %m[%c0] : memref<1xi64>
  memref.dealloc %m : memref<1xi64>
  return %r : i64`, `
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7_i64 = arith.constant 7 : i64
  %0 = scf.for %arg3 = %c0 to %arg1 step %c1 iter_args(%arg4 = %arg0) -> (i64) {
    %1 = scf.if %arg2 -> (i64) {
      %2 = arith.addi %arg4, %c7_i64 : i64
      scf.yield %2 : i64
    } else {
      scf.yield %arg4 : i64
    }
    scf.yield %1 : i64
  }
  return %0 : i64`},
	{"memory of an iteration, and what is stored in one branch only", `
  %m = memref.alloca() : memref<i64>
  memref.store %a, %m[] : memref<i64>
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloca() : memref<i64>
    scf.if %c {
      memref.store %seven, %t[] : memref<i64>
    }
    %x = memref.load %t[] : memref<i64>
    %y = memref.load %m[] : memref<i64>
    %z = arith.addi %x, %y : i64
    memref.store %z, %m[] : memref<i64>
  }
  %r = memref.load %m[] : memref<i64>
  return %r : i64`, `
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.if %arg2 -> (i64) {
    %c7_i64 = arith.constant 7 : i64
    scf.yield %c7_i64 : i64
  } else {
    %2 = ub.poison : i64
    scf.yield %2 : i64
  }
  %1 = scf.for %arg3 = %c0 to %arg1 step %c1 iter_args(%arg4 = %arg0) -> (i64) {
    %2 = arith.addi %0, %arg4 : i64
    scf.yield %2 : i64
  }
  return %1 : i64`},
	{"both regions of a while store", `
  %m = memref.alloca() : memref<i64>
  %k = memref.alloca() : memref<i64>
  memref.store %a, %m[] : memref<i64>
  scf.while : () -> () {
    %x = memref.load %m[] : memref<i64>
    %g = arith.cmpi slt, %x, %seven : i64
    memref.store %x, %k[] : memref<i64>
    scf.condition(%g)
  } do {
    %x = memref.load %m[] : memref<i64>
    %y = arith.addi %x, %one : i64
    memref.store %y, %m[] : memref<i64>
    scf.yield
  }
  %r = memref.load %k[] : memref<i64>
  return %r : i64`, `
  %c1_i64 = arith.constant 1 : i64
  %c7_i64 = arith.constant 7 : i64
  %0:2 = scf.while (%arg3 = %arg0) : (i64) -> (i64, i64) {
    %1 = arith.cmpi slt, %arg3, %c7_i64 : i64
    scf.condition(%1) %arg3, %arg3 : i64, i64
  } do {
  ^bb0(%arg3: i64, %arg4: i64):
    %1 = arith.addi %arg3, %c1_i64 : i64
    scf.yield %1 : i64
  }
  return %0#1 : i64`},
	{"cases of a switch, and an element seen through views", `
  %m = memref.alloca() : memref<1x1xi64>
  memref.store %a, %m[%c0, %c0] : memref<1x1xi64>
  %v = memref.collapse_shape %m [[0, 1]] : memref<1x1xi64> into memref<1xi64>
  scf.index_switch %n
  case 2 {
    memref.store %seven, %v[%c0] : memref<1xi64>
    scf.yield
  }
  default {
    scf.yield
  }
  %r = memref.load %v[%c0] : memref<1xi64>
  return %r : i64`, `
  %0 = scf.index_switch %arg1 -> i64
  case 2 {
    %c7_i64 = arith.constant 7 : i64
    scf.yield %c7_i64 : i64
  }
  default {
    scf.yield %arg0 : i64
  }
  return %0 : i64`},
	{"what an index in memory is shows the next memory", `
  %i = memref.alloca() : memref<index>
  memref.store %c0, %i[] : memref<index>
  scf.for %j = %c0 to %n step %c1 {
    %x = memref.load %i[] : memref<index>
    memref.store %x, %i[] : memref<index>
  }
  %m = memref.alloca() : memref<1xi64>
  %x = memref.load %i[] : memref<index>
  memref.store %a, %m[%x] : memref<1xi64>
  scf.if %c { memref.store %one, %m[%c0] : memref<1xi64> }
  %r = memref.load %m[%x] : memref<1xi64>
  return %r : i64`, `
  %c1_i64 = arith.constant 1 : i64
  %0 = arith.select %arg2, %c1_i64, %arg0 : i64
  return %0 : i64`},
	{"a loop that runs in parallel may read", `
  %m = memref.alloca() : memref<i64>
  memref.store %a, %m[] : memref<i64>
  scf.if %c { memref.store %one, %m[] : memref<i64> }
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%seven) -> i64 {
    %x = memref.load %m[] : memref<i64>
    scf.reduce(%x : i64) {
    ^bb0(%p: i64, %q: i64):
      %s = arith.addi %p, %q : i64
      scf.reduce.return %s : i64
    }
  }
  return %r : i64`, `
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7_i64 = arith.constant 7 : i64
  %c1_i64 = arith.constant 1 : i64
  %0 = arith.select %arg2, %c1_i64, %arg0 : i64
  %1 = scf.parallel (%arg3) = (%c0) to (%arg1) step (%c1) init (%c7_i64) -> i64 {
    scf.reduce(%0 : i64) {
    ^bb0(%arg4: i64, %arg5: i64):
      %2 = arith.addi %arg4, %arg5 : i64
      scf.reduce.return %2 : i64
    }
  }
  return %1 : i64`},
}

// escaping are bodies whose memory stays.
var escaping = []struct{ name, body string }{
	{"stored to in a parallel loop", `
  %m = memref.alloca() : memref<i64>
  memref.store %a, %m[] : memref<i64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %one, %m[] : memref<i64>
    scf.reduce
  }
  %r = memref.load %m[] : memref<i64>
  return %r : i64`},
	{"at an index that is not known", `
  %m = memref.alloca() : memref<1xi64>
  memref.store %a, %m[%n] : memref<1xi64>
  %r = memref.load %m[%c0] : memref<1xi64>
  return %r : i64`},
	{"passed on", `
  %m = memref.alloca() : memref<i64>
  func.call @fill(%m) : (memref<i64>) -> ()
  %r = memref.load %m[] : memref<i64>
  return %r : i64`},
	{"carried by a loop", `
  %m = memref.alloc() : memref<i64>
  %k = memref.alloc() : memref<i64>
  memref.store %a, %m[] : memref<i64>
  memref.store %one, %k[] : memref<i64>
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m, %q = %k) -> (memref<i64>, memref<i64>) {
    scf.yield %q, %p : memref<i64>, memref<i64>
  }
  %r = memref.load %s#0[] : memref<i64>
  return %r : i64`},
	{"combined atomically", `
  %m = memref.alloca() : memref<i64>
  memref.store %a, %m[] : memref<i64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.atomic_rmw addi %one, %m[] : (i64, memref<i64>) -> i64
  }
  %r = memref.load %m[] : memref<i64>
  return %r : i64`},
}

func withMemory(body string) string {
	return `func.func @fill(%m: memref<i64>) {
  %nine = arith.constant 9 : i64
  memref.store %nine, %m[] : memref<i64>
  return
}
func.func @f(%a: i64, %n: index, %c: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %seven = arith.constant 7 : i64` + body + "\n}\n"
}

// sameCalls compares what @f gives before and after on a few arguments; where it
// gives poison, anything will do.
func sameCalls(t *testing.T, src, pipeline string) string {
	t.Helper()
	before := read(t, src)
	after, _ := built.Counted(t, read(t, src), pipeline)
	for _, a := range []int64{0, 3, -5, 100} {
		for n := range int64(4) {
			for c := range int64(2) {
				if got, want := call(t, after, a, n, c), call(t, before, a, n, c); got != want {
					t.Errorf("@f(%d, %d, %d) gives %s, gave %s", a, n, c, got, want)
				}
			}
		}
	}
	return show(after)
}

func TestMemoryBecomesValues(t *testing.T) { becomes(t, promoted, "mem2reg") }

func TestMemoryStays(t *testing.T) { stays(t, escaping, "mem2reg") }

// becomes runs a pipeline on bodies and compares what they become.
func becomes(t *testing.T, bodies []struct{ name, body, want string }, pipeline string) {
	for _, c := range bodies {
		t.Run(c.name, func(t *testing.T) {
			got := sameCalls(t, withMemory(c.body), pipeline)
			_, got, _ = strings.Cut(got, "@f(%arg0: i64, %arg1: index, %arg2: i1) -> i64 {")
			if want := strings.ReplaceAll(c.want, "\n", "\n  "); !strings.HasPrefix(got, want) {
				t.Errorf("becomes%s\nwant%s", got, want)
			}
		})
	}
}

// stays runs a pipeline on bodies that it leaves as they are.
func stays(t *testing.T, bodies []struct{ name, body string }, pipeline string) {
	for _, c := range bodies {
		t.Run(c.name, func(t *testing.T) {
			src := withMemory(c.body)
			if got, want := sameCalls(t, src, pipeline), show(read(t, src)); got != want {
				t.Errorf("becomes\n%s\nwas\n%s", got, want)
			}
		})
	}
}

// What is carried and never read goes again.
func TestNoDeadStoreIsCarried(t *testing.T) {
	src := withMemory(`
  %m = memref.alloca() : memref<i64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %a, %m[] : memref<i64>
    %x = memref.load %m[] : memref<i64>
    memref.store %x, %m[] : memref<i64>
    special.print %x : i64
  }
  return %one : i64`)
	if got := sameCalls(t, src, "mem2reg"); strings.Contains(got, "iter_args") {
		t.Errorf("something is carried:\n%s", got)
	}
}
