package nvvm

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/ptxas"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
)

// Kernels of tensors are assembled, and nothing is spilled.
func TestTensors(t *testing.T) {
	needsLLVM(t)
	for _, op := range []string{
		`ten.einsum "ik,kj->ij" %a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32> -> tensor<1024x1024xf32>`,
		`ten.einsum "ki,jk->ij" %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>`,
		`ten.einsum "ik,kj->ij" %a, %b : tensor<200x72xf64>, tensor<72x40xf64> -> tensor<200x40xf64>`,
		`ten.einsum "ik,kj->ij" %a, %b : tensor<256x64xf16>, tensor<64x256xf16> -> tensor<256x256xf16>`,
		`ten.einsum "ki,jk->ij" %a, %b : tensor<72x136xbf16>, tensor<24x72xbf16> -> tensor<136x24xf32>`,
		`ten.softmax %a along 1 : tensor<?x?xf32>`,
	} {
		types := strings.Split(strings.Split(op, " : ")[1], " -> ")
		in := strings.Split(types[0], ", ")
		src := fmt.Sprintf("func.func @main(%%a: %s, %%b: %s) -> %s {\n%%r = %s\nreturn %%r : %[3]s\n}", in[0], in[len(in)-1], types[len(types)-1], op)
		p, err := pass.Parse("tensor-to-device", passes.All())
		if err != nil {
			t.Fatal(err)
		}
		g, err := (&pass.Manager{}).Run(t.Context(), parse(t, "x", src), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, unchecked := range []bool{false, true} {
			ptx, err := compile(g, Options{Unchecked: unchecked})
			if err != nil {
				t.Fatalf("%v\n%s", err, src)
			}
			noSpills(t, ptx)
		}
	}
}

// noSpills has ptxas assemble kernels, and returns how many there are.
func noSpills(t *testing.T, p *PTX) int {
	t.Helper()
	_, used, err := ptxas.Assemble(t.Context(), p.Text, p.Arch)
	if errors.Is(err, ptxas.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range used {
		if u.SpillStores+u.SpillLoads > 0 {
			t.Errorf("@%s spills: %+v", u.Entry, u)
		}
	}
	return len(used)
}

const loops = `func.func @main(%ks: !loop.array<i64>, %vs: !loop.array<f32>, %a: f32) -> (!loop.array<f32>, !loop.array<f32>, f32, f32, index, !loop.buckets<i64>, !loop.array<i64>, !loop.array<f32>) {
  %n = loop.len %ks : !loop.array<i64>
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1 : index
  %c, %s, %sum, %m, %at, %g, %h, %q = loop.for %i < %n -> collect(f32), scan(add reassoc : f32), reduce(add reassoc : f32), reduce(%zero, %none reassoc : f32, index), bucket(i64, [reduce(add : i64), reduce(add reassoc : f32)]) {
    %k = loop.at %ks[%i] : !loop.array<i64>
    %v = loop.at %vs[%i] : !loop.array<f32>
    %less = arith.cmpf olt, %v, %a : f32
    %e = scf.if %less -> (!loop.emit<f32>) {
      %e = loop.emit %v : f32
      scf.yield %e : !loop.emit<f32>
    } else {
      %e = loop.none : !loop.emit<f32>
      scf.yield %e : !loop.emit<f32>
    }
    loop.yield %e, %v, %v, %v, %i, %k, %one, %v : !loop.emit<f32>, f32, f32, f32, index, i64, i64, f32
  } combine(%x: f32, %i1: index, %y: f32, %i2: index) {
    %gt = arith.cmpf ogt, %x, %y : f32
    %z = arith.select %gt, %x, %y : f32
    %p = arith.select %gt, %i1, %i2 : index
    loop.yield %z, %p : f32, index
  }
  return %c, %s, %sum, %m, %at, %g, %h, %q : !loop.array<f32>, !loop.array<f32>, f32, f32, index, !loop.buckets<i64>, !loop.array<i64>, !loop.array<f32>
}
`

// So are kernels of loops: of filters, scans, reductions by name and by a region, and groups.
func TestLoops(t *testing.T) {
	needsLLVM(t)
	p, err := pass.Parse("loop-to-device", passes.All())
	if err != nil {
		t.Fatal(err)
	}
	g, err := (&pass.Manager{}).Run(t.Context(), parse(t, "x", loops), p)
	if err != nil {
		t.Fatal(err)
	}
	ptx, err := compile(g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := noSpills(t, ptx); n != 22 {
		t.Errorf("%d kernels", n)
	}
}
