package random

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/lowering"
)

// Large are ops on vectors of N x N lanes, and of M = N * N and H = M / 2: %x, %y and %z are such matrices, %r a row, %l a list,
// %i an index, and what they give is %o, or %p of one dimension.
var large = []string{
	`%o = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<NxNxf32>, vector<NxNxf32> into vector<NxNxf32>`,
	`%o = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>} %x, %y, %z : vector<NxNxf32>, vector<NxNxf32> into vector<NxNxf32>`,
	`%o = vector.transpose %x, [1, 0] : vector<NxNxf32> to vector<NxNxf32>`,
	`%p = vector.flat_transpose %l {columns = N : i32, rows = N : i32} : vector<Mxf32> -> vector<Mxf32>`,
	`%p = vector.matrix_multiply %l, %l {lhs_columns = N : i32, lhs_rows = N : i32, rhs_columns = N : i32} : (vector<Mxf32>, vector<Mxf32>) -> vector<Mxf32>`,
	`%p = vector.multi_reduction <add>, %x, %r [1] : vector<NxNxf32> to vector<Nxf32>`,
	`%p = vector.multi_reduction <minnumf>, %x, %r [0] : vector<NxNxf32> to vector<Nxf32>`,
	`%s = vector.reduction <add>, %l : vector<Mxf32> into f32 %p = vector.broadcast %s : f32 to vector<1xf32>`,
	`%s = vector.reduction <maxnumf>, %l : vector<Mxf32> into f32 %p = vector.broadcast %s : f32 to vector<1xf32>`,
	`%o, %q = vector.scan <add>, %x, %r {inclusive = true, reduction_dim = 1 : i64} : vector<NxNxf32>, vector<Nxf32>`,
	`%o, %q = vector.scan <add>, %x, %r {inclusive = false, reduction_dim = 0 : i64} : vector<NxNxf32>, vector<Nxf32>`,
	`%p = vector.extract %x[%i] : vector<Nxf32> from vector<NxNxf32>`,
	`%o = vector.insert %r, %x[%i] : vector<Nxf32> into vector<NxNxf32>`,
	`%c = arith.constant 0.5 : f32 %o = vector.transfer_read %b[%i, %i], %c : memref<?x?xf32>, vector<NxNxf32>`,
	`%c = arith.constant 0.5 : f32 %o = vector.transfer_read %b[%i, %i], %c {permutation_map = affine_map<(i, j) -> (j, i)>} : memref<?x?xf32>, vector<NxNxf32>`,
	`vector.transfer_write %y, %b[%i, %i] {permutation_map = affine_map<(i, j) -> (j, i)>} : vector<NxNxf32>, memref<?x?xf32> %o = vector.load %b[%a0, %a0] : memref<?x?xf32>, vector<NxNxf32>`,
	`%k = arith.cmpf olt, %x, %y : vector<NxNxf32> %o = vector.maskedload %b[%a0, %a0], %k, %z : memref<?x?xf32>, vector<NxNxi1>, vector<NxNxf32> into vector<NxNxf32>`,
	`%k = arith.cmpf olt, %x, %y : vector<NxNxf32> %p = vector.mask %k { vector.multi_reduction <add>, %x, %r [1] : vector<NxNxf32> to vector<Nxf32> } : vector<NxNxi1> -> vector<Nxf32>`,
	`%k = arith.cmpf olt, %x, %y : vector<NxNxf32> vector.mask %k { vector.transfer_write %y, %b[%i, %i] : vector<NxNxf32>, memref<?x?xf32> } : vector<NxNxi1> %o = vector.load %b[%a0, %a0] : memref<?x?xf32>, vector<NxNxf32>`,
	`%o = math.floor %x : vector<NxNxf32>`,
}

// largeProgram applies an op to vectors of n x n lanes.
func largeProgram(op string, n int) *irtest.Program {
	for _, v := range []string{"x", "y", "z"} {
		op = "%" + v + " = vector.load %m" + v + "[%a0, %a0] : memref<NxNxf32>, vector<NxNxf32> " + op
	}
	op += " "
	if strings.Contains(op, "%o = ") || strings.Contains(op, "%o, ") {
		op += "vector.store %o, %b[%a0, %a0] : memref<?x?xf32>, vector<NxNxf32>"
	} else {
		typ := "vector<Nxf32>"
		for _, t := range []string{"vector<Mxf32> ", "vector<1xf32> "} {
			if strings.HasSuffix(op, t) {
				typ = t
			}
		}
		op += "vector.store %p, %ml[%a0] : memref<Mxf32>, " + typ
	}
	text := `module { func.func @main(%mx: memref<NxNxf32>, %my: memref<NxNxf32>, %mz: memref<NxNxf32>, %ml: memref<Mxf32>, %b: memref<?x?xf32>, %i: index) {
%a0 = arith.constant 0 : index
%l = vector.load %ml[%a0] : memref<Mxf32>, vector<Mxf32>
%r = vector.load %ml[%a0] : memref<Mxf32>, vector<Nxf32>
` + op + "\nreturn\n} }"
	text = strings.NewReplacer("Nx", fmt.Sprint(n, "x"), "Mx", fmt.Sprint(n*n, "x"), "= N ", fmt.Sprintf("= %d ", n)).Replace(text)
	p := &irtest.Program{Entry: "main", Text: text}
	array := func(typ string, sizes ...int) {
		a := irtest.Arg{Type: typ, Elem: "f32", Sizes: sizes, Strides: []int{1}}
		total := 1
		for _, s := range sizes {
			total *= s
		}
		if len(sizes) == 2 {
			a.Strides = []int{sizes[1], 1}
		}
		for i := range total {
			a.Elems = append(a.Elems, []uint64{0x3F800000, 0xC0000000, 0x40400000, 0, 0xBF000000, 0x3E800000, 0xC1100000}[(i*i+3*i+len(p.Args))%7])
		}
		p.Args = append(p.Args, a)
	}
	for range 3 {
		array(fmt.Sprintf("memref<%dx%dxf32>", n, n), n, n)
	}
	array(fmt.Sprintf("memref<%dxf32>", n*n), n*n)
	array("memref<?x?xf32>", n+1, n+2)
	p.Args = append(p.Args, irtest.Arg{Type: "index", Bits: 3})
	return p
}

// Ops on vectors of many lanes give, compiled, what they give in the interpreter, and become no more code for three times
// as many.
func TestLargeVectors(t *testing.T) {
	t.Parallel()
	e := onLLVM(t, engine.Options{CountHeap: true})
	defer e.Close()
	for _, op := range large {
		var ops []int
		for _, n := range []int{23, 40} {
			p := largeProgram(op, n)
			want, g, err := oracle(ir.NewContext(dialects.All...), p, new(tally))
			if err != nil || want.Trap != "" {
				t.Fatalf("%s: %v %s", op, err, want.Trap)
			}
			if g, err = lowering.Compile(context.Background(), g, e.Target()); err != nil {
				t.Fatalf("%s: %v", op, err)
			}
			count := 0
			for v := range ir.ScheduleOf(g).All() {
				for _, c := range g.Children(v) {
					for range ir.ScheduleOf(c).All() {
						count++
					}
				}
			}
			if ops = append(ops, count); n > 23 { // what LLVM takes grows with the lanes
				continue
			}
			c, err := e.Prepare(context.Background(), g)
			if err != nil {
				t.Fatalf("%s: %v", op, err)
			}
			if err := runCompiled(c[0], g, p, want); err != nil {
				t.Errorf("%d lanes: %v\n%s", n*n, err, p.Text)
			}
		}
		if ops[1] > ops[0]+8 {
			t.Errorf("%d ops of %d x %d lanes, and %d of three times as many: the code grows with the lanes\n%s", ops[0], 23, 23, ops[1], op)
		}
	}
}
