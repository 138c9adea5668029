package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/polybench"
)

// finishedShapes are M, N and K of products with a bias for each column and a rectifier: squares, layers of a transformer, odd primes, and
// little to sum up.
var finishedShapes = [][3]int{{256, 256, 256}, {1024, 1024, 1024}, {197, 768, 3072}, {512, 3072, 768}, {509, 521, 523}, {2048, 2048, 64}, {4096, 64, 64}}

// finishedProduct is the product as often as said, of numbers by their places.
const finishedProduct = `
func.func @init(%C: memref<_Mx_Nxf32> {llvm.noalias}, %A: memref<_Mx_Kxf32> {llvm.noalias}, %B: memref<_Kx_Nxf32> {llvm.noalias}, %D: memref<_Nxf32> {llvm.noalias}) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  affine.for %i = 0 to _M { affine.for %k = 0 to _K {
    %at = affine.apply affine_map<(i, k) -> (i * _K + k)>(%i, %k)
    %0 = arith.muli %at, %c7 : index
    %1 = arith.remsi %0, %c11 : index
    %2 = arith.subi %1, %c5 : index
    %3 = arith.index_cast %2 : index to i32
    %4 = arith.sitofp %3 : i32 to f32
    affine.store %4, %A[%i, %k] : memref<_Mx_Kxf32>
  } }
  affine.for %k = 0 to _K { affine.for %j = 0 to _N {
    %at = affine.apply affine_map<(k, j) -> (k * _N + j)>(%k, %j)
    %0 = arith.muli %at, %c5 : index
    %1 = arith.remsi %0, %c7 : index
    %2 = arith.subi %1, %c3 : index
    %3 = arith.index_cast %2 : index to i32
    %4 = arith.sitofp %3 : i32 to f32
    affine.store %4, %B[%k, %j] : memref<_Kx_Nxf32>
  } }
  affine.for %j = 0 to _N {
    %0 = arith.muli %j, %c3 : index
    %1 = arith.remsi %0, %c5 : index
    %2 = arith.subi %1, %c3 : index
    %3 = arith.index_cast %2 : index to i32
    %4 = arith.sitofp %3 : i32 to f32
    affine.store %4, %D[%j] : memref<_Nxf32>
  }
  return
}
func.func @layer(%C: memref<_Mx_Nxf32> {llvm.noalias}, %A: memref<_Mx_Kxf32> {llvm.noalias}, %B: memref<_Kx_Nxf32> {llvm.noalias}, %D: memref<_Nxf32> {llvm.noalias}) {
  %a = ten.pack %A : memref<_Mx_Kxf32>
  %b = ten.pack %B : memref<_Kx_Nxf32>
  %d = ten.pack %D : memref<_Nxf32>
  %p = ten.einsum "ik,kj->ij" %a, %b : tensor<_Mx_Kxf32>, tensor<_Kx_Nxf32> -> tensor<_Mx_Nxf32>
  %s = ten.map (%x = %p : tensor<_Mx_Nxf32>, %y = %d : tensor<_Nxf32>) -> tensor<_Mx_Nxf32> {
    %0 = arith.addf %x, %y : f32
    ten.yield %0 : f32
  }
  %r = ten.relu %s above 0.0 : f64 : tensor<_Mx_Nxf32>
  ten.write %r to %C : tensor<_Mx_Nxf32>, memref<_Mx_Nxf32>
  return
}
func.func @kernel(%C: memref<_Mx_Nxf32> {llvm.noalias}, %A: memref<_Mx_Kxf32> {llvm.noalias}, %B: memref<_Kx_Nxf32> {llvm.noalias}, %D: memref<_Nxf32> {llvm.noalias}, %repetitions: index) {
  affine.for %t = 0 to %repetitions {
    func.call @layer(%C, %A, %B, %D) : (memref<_Mx_Nxf32>, memref<_Mx_Kxf32>, memref<_Kx_Nxf32>, memref<_Nxf32>) -> ()
  }
  return
}
`

// weighedSum adds up the elements of a product, each times a number of 1 to 7 by its place.
const weighedSum = `
func.func @check(%C: memref<_Mx_Nx_E> {llvm.noalias}) -> f64 {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %a = affine.for %i = 0 to _M iter_args(%r = %zero) -> (f64) {
    %b = affine.for %j = 0 to _N iter_args(%s = %r) -> (f64) {
      %at = affine.apply affine_map<(i, j) -> (i * _N + j)>(%i, %j)
      %0 = arith.remsi %at, %c7 : index
      %1 = arith.addi %0, %c1 : index
      %2 = arith.index_cast %1 : index to i64
      %3 = arith.sitofp %2 : i64 to f64
      %4 = affine.load %C[%i, %j] : memref<_Mx_Nx_E>
      %5 = arith._widen %4 : _E to f64
      %6 = arith.mulf %5, %3 : f64
      %7 = arith.addf %s, %6 : f64
      affine.yield %7 : f64
    }
    affine.yield %b : f64
  }
  return %a : f64
}
`

// epilogue measures products and convolutions with what follows them element by element, in turn with their peers, on one core.
func (b *bench) epilogue() error {
	exe, err := b.peer("epilogue.c", "-O3", "-march=native", "-ldl")
	if err != nil {
		return err
	}
	convExe, err := b.conv2dPeer()
	if err != nil {
		return err
	}
	e, err := b.oneCore()
	if err != nil {
		return err
	}
	defer e.Close()
	var products, convolutions []float64
	for _, s := range finishedShapes {
		what := fmt.Sprintf("%d x %d x %d, bias, relu", s[0], s[1], s[2])
		if !strings.Contains(what, b.kernel) {
			continue
		}
		r, err := b.finishedProduct(e, exe, s, what)
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		b.table.Add(r)
		products = append(products, r.Ratio)
	}
	for _, l := range layers {
		if l.isFinished, l.name = true, l.name+", bias, relu"; !strings.Contains(l.name, b.kernel) {
			continue
		}
		r, err := b.layer(e, convExe, "epilogue", l)
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		b.table.Add(r)
		convolutions = append(convolutions, r.Ratio)
	}
	if len(products) > 0 {
		mean := stat.GeometricMean(products, nil)
		b.table.Absolute("epilogue", fmt.Sprintf("%d products, by OpenBLAS and a loop in C", len(products)), "", mean, mean >= 1, "mean >= 1")
	}
	if len(convolutions) > 0 {
		mean := stat.GeometricMean(convolutions, nil)
		b.table.Absolute("epilogue", fmt.Sprintf("%d layers, by oneDNN with post-ops", len(convolutions)), "", mean, mean >= 0.8, "mean >= 0.8")
	}
	return b.ctx.Err()
}

// finishedProduct measures one.
func (b *bench) finishedProduct(e engine.Engine, exe string, s [3]int, what string) (report.Row, error) {
	m, n, k := int64(s[0]), int64(s[1]), int64(s[2])
	file := filepath.Join(b.dir, "epilogue.mlir")
	text := strings.NewReplacer("_M", strconv.Itoa(s[0]), "_N", strconv.Itoa(s[1]), "_K", strconv.Itoa(s[2]), "_E", "f32", "_widen", "extf").Replace(finishedProduct + weighedSum)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return report.Row{}, err
	}
	p, _, err := b.compilePoly(e, file, "")
	if err != nil {
		return report.Row{}, err
	}
	c := ir.NewContext(dialects.All...)
	var args []ir.Val
	for _, shape := range [][]int64{{m, n}, {m, k}, {k, n}, {n}} {
		args = append(args, polybench.Zeros(c, ir.F32, shape))
	}
	flops := 2 * float64(m) * float64(n) * float64(k)
	repetitions := max(1, int(layerFlops/flops)/max(1, 10/b.size(10)))
	bound, err := run.Bind(b.ctx, p, append(args, ir.IntVal(int64(repetitions), 64))...)
	if err != nil {
		return report.Row{}, err
	}
	defer bound.Close(b.ctx)
	both, err := inTurn(3, func() (seconds, sum float64, err error) {
		seconds, sum, _, err = b.said([]string{"OPENBLAS_NUM_THREADS=1"}, exe, strconv.Itoa(s[0]), strconv.Itoa(s[1]), strconv.Itoa(s[2]), strconv.Itoa(repetitions))
		if err != nil {
			err = fmt.Errorf("OpenBLAS does not run: %w", err)
		}
		return seconds, sum, err
	}, func() (seconds, sum float64, err error) { return polybench.Time(b.ctx, bound) })
	if err != nil {
		return report.Row{}, err
	}
	return both.row("epilogue", what, flops*float64(repetitions), "OpenBLAS", exactly), nil
}
