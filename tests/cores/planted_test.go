package cores

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// head is what all programs begin with; it is one line, so that the first of a body is line 2.
const head = `func.func @f(%a: memref<64xi64>, %b: memref<8x8xf32>) { ` +
	`%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c2 = arith.constant 2 : index %c3 = arith.constant 3 : index %c8 = arith.constant 8 : index %c60 = arith.constant 60 : index ` +
	`%z = arith.constant 7 : i64 %f = arith.constant 1.5 : f32` + "\n"

// loop is a parallel loop over %i from 0 to 8.
func loop(body string) string {
	return "scf.parallel (%i) = (%c0) to (%c8) step (%c1) {\n" + body + "\n}"
}

// planted are programs with one race each: where it is found, and what is said. The numbers are those of lines.
var planted = []struct{ name, body, want string }{
	{"all write one element", loop(`memref.store %z, %a[%c3] : memref<64xi64>`),
		"3: iteration (1) writes element 3, which iteration (0) writes: 3"},
	{"the next iteration reads what one writes", loop(`%j = arith.addi %i, %c1 : index
		memref.store %z, %a[%j] : memref<64xi64>
		%x = memref.load %a[%i] : memref<64xi64>
		special.print %x : i64`),
		"5: iteration (1) reads element 1, which iteration (0) writes: 4"},
	{"the next iteration writes what one reads", loop(`%j = arith.addi %i, %c1 : index
		%x = memref.load %a[%j] : memref<64xi64>
		memref.store %x, %a[%i] : memref<64xi64>`),
		"5: iteration (1) writes element 1, which iteration (0) reads: 4"},
	{"a sum in memory", loop(`%x = memref.load %a[%c0] : memref<64xi64>
		%y = arith.addi %x, %z : i64
		memref.store %y, %a[%c0] : memref<64xi64>`),
		"3: iteration (1) reads element 0, which iteration (0) writes: 5"},
	{"two iterations share an element by division", loop(`%j = arith.divui %i, %c2 : index
		memref.store %z, %a[%j] : memref<64xi64>`),
		"4: iteration (1) writes element 0, which iteration (0) writes: 4"},
	{"a distance of three", loop(`%j = arith.addi %i, %c3 : index
		%x = memref.load %a[%j] : memref<64xi64>
		memref.store %x, %a[%i] : memref<64xi64>`),
		"5: iteration (3) writes element 3, which iteration (0) reads: 4"},
	{"only the last iteration", loop(`%last = arith.cmpi eq, %i, %c8 : index
		%j = arith.addi %i, %c1 : index
		%end = arith.cmpi eq, %j, %c8 : index
		scf.if %end {
			memref.store %z, %a[%c2] : memref<64xi64>
		} else {
			memref.store %z, %a[%i] : memref<64xi64>
		}`),
		"7: iteration (7) writes element 2, which iteration (2) writes: 9"},
	{"an index from memory", loop(`%x = memref.load %a[%i] : memref<64xi64>
		%k = arith.index_cast %x : i64 to index
		%j = arith.remui %k, %c3 : index
		%o = arith.addi %j, %c60 : index
		memref.store %z, %a[%o] : memref<64xi64>`),
		"7: iteration (3) writes element 60, which iteration (0) writes: 7"},
	{"rows that overlap", `scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
		%r = arith.muli %i, %c3 : index
		%s = arith.addi %r, %j : index
		memref.store %z, %a[%s] : memref<64xi64>
	}`, "5: iteration (1, 0) writes element 3, which iteration (0, 3) writes: 5"},
	{"the transposed of a matrix in place", `scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
		%x = memref.load %b[%i, %j] : memref<8x8xf32>
		memref.store %x, %b[%j, %i] : memref<8x8xf32>
	}`, "3: iteration (1, 0) reads element 8, which iteration (0, 1) writes: 4"},
	{"the outer loop alone", loop(`scf.for %j = %c0 to %c8 step %c1 {
		memref.store %z, %a[%j] : memref<64xi64>
	}`), "4: iteration (1) writes element 0, which iteration (0) writes: 4"},
	{"the inner loop alone", `scf.for %i = %c0 to %c8 step %c1 {
		scf.parallel (%j) = (%c0) to (%c8) step (%c1) {
			memref.store %z, %a[%i] : memref<64xi64>
		}
	}`, "4: iteration (1) writes element 0, which iteration (0) writes: 4"},
	{"inner loops of different iterations", loop(`scf.parallel (%j) = (%c0) to (%c8) step (%c1) {
		memref.store %z, %a[%j] : memref<64xi64>
	}`), "4: iteration (1) writes element 0, which iteration (0) writes: 4"},
	{"a view of the same memory", `%v = memref.subview %a[1] [63] [1] : memref<64xi64> to memref<63xi64, strided<[1], offset: 1>>
	` + loop(`memref.store %z, %a[%i] : memref<64xi64>
		memref.store %z, %v[%i] : memref<63xi64, strided<[1], offset: 1>>`), "4: iteration (1) writes element 1, which iteration (0) writes: 5"},
	{"a function that writes", loop(`func.call @put(%a) : (memref<64xi64>) -> ()`),
		"7: iteration (1) writes element 5, which iteration (0) writes: 7"},
	{"forall", `scf.forall (%i) in (8) {
		memref.store %z, %a[%c1] : memref<64xi64>
	}`, "3: iteration (1) writes element 1, which iteration (0) writes: 3"},
	{"affine.parallel", `affine.parallel (%i) = (0) to (8) {
		affine.store %z, %a[%i floordiv 4] : memref<64xi64>
	}`, "3: iteration (1) writes element 0, which iteration (0) writes: 3"},
	{"an atomic update and a read", loop(`%o = memref.atomic_rmw addi %z, %a[%c0] : (i64, memref<64xi64>) -> i64
		%x = memref.load %a[%c0] : memref<64xi64>
		special.print %x : i64`), "3: iteration (1) updates element 0, which iteration (0) reads: 4"},
	{"a copy of all", `%t = memref.alloc() : memref<64xi64>
	` + loop(`memref.copy %t, %a : memref<64xi64> to memref<64xi64>`), "4: iteration (1) writes element 0, which iteration (0) writes: 4"},
	{"the last one reads what all do, and writes it", loop(`%x = memref.load %a[%c60] : memref<64xi64>
		memref.store %x, %a[%i] : memref<64xi64>
		%j = arith.addi %i, %c1 : index
		%end = arith.cmpi eq, %j, %c8 : index
		scf.if %end {
			%y = arith.addi %x, %z : i64
			memref.store %y, %a[%c60] : memref<64xi64>
		}`), "9: iteration (7) writes element 60, which iteration (0) reads: 3"},
	{"memory of the function around it", `%t = memref.alloca() : memref<i64>
	` + loop(`memref.store %z, %t[] : memref<i64>
		%x = memref.load %t[] : memref<i64>
		memref.store %x, %a[%i] : memref<64xi64>`), "4: iteration (1) writes element 0, which iteration (0) writes: 4"},
}

// innocent are programs without a race that look like some with one.
var innocent = []struct{ name, body string }{
	{"each its own element", loop(`memref.store %z, %a[%i] : memref<64xi64>`)},
	{"all read", loop(`%x = memref.load %a[%c60] : memref<64xi64>
		memref.store %x, %a[%i] : memref<64xi64>`)},
	{"memory of the iteration", loop(`%t = memref.alloc() : memref<i64>
		memref.store %z, %t[] : memref<i64>
		memref.dealloc %t : memref<i64>`)},
	{"atomic updates", loop(`%o = memref.atomic_rmw addi %z, %a[%c0] : (i64, memref<64xi64>) -> i64`)},
	{"loops one after the other", `scf.for %r = %c0 to %c8 step %c1 {
		` + loop(`%x = memref.load %a[%i] : memref<64xi64>
		memref.store %x, %a[%i] : memref<64xi64>`) + `
		memref.store %z, %a[%r] : memref<64xi64>
	}`},
	{"an iteration reads what it wrote, and what the loop before wrote", loop(`%j = arith.muli %i, %c2 : index
		scf.parallel (%k) = (%c0) to (%c2) step (%c1) {
			%s = arith.addi %j, %k : index
			memref.store %z, %a[%s] : memref<64xi64>
		}
		scf.parallel (%k) = (%c0) to (%c2) step (%c1) {
			%s = arith.addi %j, %k : index
			%x = memref.load %a[%j] : memref<64xi64>
			%t = arith.addi %s, %c60 : index
		}`)},
}

func check(t *testing.T, body string) (*interp.Failure, *diag.Source) {
	t.Helper()
	src := diag.NewSource("race.mlir", head+body+`
	return }
	func.func private @put(%a: memref<64xi64>) { %c5 = arith.constant 5 : index %z = arith.constant 7 : i64
	memref.store %z, %a[%c5] : memref<64xi64>
	return }`)
	ctx := ir.NewContext(dialects.All...)
	g, list := text.Parse(ctx, src, text.Options{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	e, _, err := engine.Eval.Start(context.Background(), engine.Options{Check: contract.Races})
	if err != nil {
		t.Fatal(err)
	}
	ps, err := e.Prepare(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	a, b := interp.NewBuffer(ctx, ir.I64, 64, false), interp.NewBuffer(ctx, ir.F32, 64, false)
	for i := range 64 {
		a.Store(i, ir.IntVal(int64(i), 64))
	}
	_, _, err = ps[0].Call(context.Background(), "f", []ir.Val{(&interp.MemRef{Buf: a, Sizes: []int64{64}, Strides: []int64{1}}).Val(),
		(&interp.MemRef{Buf: b, Sizes: []int64{8, 8}, Strides: []int64{8, 1}}).Val()})
	var f *interp.Failure
	if err != nil && !errors.As(err, &f) {
		t.Fatal(err)
	}
	return f, src
}

// Each race is found and told with both places.
func TestPlanted(t *testing.T) {
	if len(planted) < 20 {
		t.Errorf("%d programs", len(planted))
	}
	for _, p := range planted {
		f, src := check(t, p.body)
		var r *interp.Violation
		if f == nil || !errors.As(f, &r) {
			t.Errorf("%s: %v", p.name, f)
			continue
		}
		line := func(ls []ir.Loc) int { n, _ := src.Position(int(ls[0]) - 1); return n }
		what := strings.Replace(strings.TrimPrefix(r.What, "a race: "), "of the parallel loop ", "", 1)
		if got := fmt.Sprintf("%d: %s: %d", line(f.Locs), what, line(r.Notes[0].Locs)); !strings.HasPrefix(got, p.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", p.name, got, p.want)
		}
	}
}

// What is no race is none.
func TestInnocent(t *testing.T) {
	for _, p := range innocent {
		if f, _ := check(t, p.body); f != nil {
			t.Errorf("%s: %v", p.name, f)
		}
	}
}
