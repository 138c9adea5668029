package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/polybench"
)

// matmulFlops is about how many operations one measurement of a product does.
const matmulFlops = 4e9

// mostSum bounds the integers that are summed up, so that floats have them exactly: a product of two is at most 30.
const mostSum = 1 << 22

type matmulShape struct {
	m, n, k int
	elem    string
	known   bool // to the program
}

// matmulShapes are M, N and K of products of an M by K and a K by N matrix: squares, that of the kernel gemm, tall and
// skinny ones, primes.
var matmulShapes = []matmulShape{
	{64, 64, 64, "f64", false}, {128, 128, 128, "f64", false}, {256, 256, 256, "f64", false}, {512, 512, 512, "f64", false}, {1024, 1024, 1024, "f64", false}, {2048, 2048, 2048, "f64", false},
	{1000, 1100, 1200, "f64", false}, {2048, 64, 256, "f64", false}, {64, 2048, 256, "f64", false}, {128, 128, 2048, "f64", false}, {509, 521, 523, "f64", false},
	{64, 64, 64, "f32", false}, {256, 256, 256, "f32", false}, {1024, 1024, 1024, "f32", false}, {2048, 2048, 2048, "f32", false}, {1009, 1013, 1019, "f32", false},
}

// matmulProgram multiplies matrices of ELEM as affine loops.
const matmulProgram = `
func.func @init(%C: memref<?x?xELEM> {llvm.noalias}, %A: memref<?x?xELEM> {llvm.noalias}, %B: memref<?x?xELEM> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %c13 = arith.constant 13 : index
  %zero = arith.constant 0.0 : ELEM
  %m = memref.dim %C, %c0 : memref<?x?xELEM>
  %n = memref.dim %C, %c1 : memref<?x?xELEM>
  %k = memref.dim %A, %c1 : memref<?x?xELEM>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 { memref.store %zero, %C[%i, %j] : memref<?x?xELEM> }
    scf.for %l = %c0 to %k step %c1 {
      %0 = arith.muli %i, %c3 : index
      %1 = arith.muli %l, %c5 : index
      %2 = arith.addi %0, %1 : index
      %3 = arith.remsi %2, %c11 : index
      %4 = arith.subi %3, %c5 : index
      %5 = arith.index_cast %4 : index to i64
      %6 = arith.sitofp %5 : i64 to ELEM
      memref.store %6, %A[%i, %l] : memref<?x?xELEM>
    }
  }
  scf.for %l = %c0 to %k step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %0 = arith.muli %l, %c7 : index
      %1 = arith.muli %j, %c2 : index
      %2 = arith.addi %0, %1 : index
      %3 = arith.remsi %2, %c13 : index
      %4 = arith.subi %3, %c6 : index
      %5 = arith.index_cast %4 : index to i64
      %6 = arith.sitofp %5 : i64 to ELEM
      memref.store %6, %B[%l, %j] : memref<?x?xELEM>
    }
  }
  return
}
func.func @kernel(%C: memref<?x?xELEM> {llvm.noalias}, %A: memref<?x?xELEM> {llvm.noalias}, %B: memref<?x?xELEM> {llvm.noalias}, %repetitions: index) {
  affine.for %t = 0 to %repetitions {
    func.call @product(%C, %A, %B) : (memref<?x?xELEM>, memref<?x?xELEM>, memref<?x?xELEM>) -> ()
  }
  return
}
func.func @check(%C: memref<?x?xELEM> {llvm.noalias}, %A: memref<?x?xELEM> {llvm.noalias}, %B: memref<?x?xELEM> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %m = memref.dim %C, %c0 : memref<?x?xELEM>
  %n = memref.dim %C, %c1 : memref<?x?xELEM>
  %sum = scf.for %i = %c0 to %m step %c1 iter_args(%s = %zero) -> (f64) {
    %row = scf.for %j = %c0 to %n step %c1 iter_args(%t = %s) -> (f64) {
      %0 = arith.muli %j, %c3 : index
      %1 = arith.addi %i, %0 : index
      %2 = arith.remsi %1, %c7 : index
      %3 = arith.addi %2, %c1 : index
      %4 = arith.index_cast %3 : index to i64
      %5 = arith.sitofp %4 : i64 to f64
      %6 = memref.load %C[%i, %j] : memref<?x?xELEM>
      %7 = WIDEN
      %8 = arith.mulf %7, %5 : f64
      %9 = arith.addf %t, %8 : f64
      scf.yield %9 : f64
    }
    scf.yield %row : f64
  }
  return %sum : f64
}
`

// affineProduct adds the product of matrices of ELEM to C.
const affineProduct = `
func.func @product(%C: memref<?x?xELEM> {llvm.noalias}, %A: memref<?x?xELEM> {llvm.noalias}, %B: memref<?x?xELEM> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %C, %c0 : memref<?x?xELEM>
  %n = memref.dim %C, %c1 : memref<?x?xELEM>
  %k = memref.dim %A, %c1 : memref<?x?xELEM>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %l = 0 to %k {
        %a = affine.load %A[%i, %l] : memref<?x?xELEM>
        %b = affine.load %B[%l, %j] : memref<?x?xELEM>
        %c = affine.load %C[%i, %j] : memref<?x?xELEM>
        %p = arith.mulf %a, %b fastmath<fast> : ELEM
        %s = arith.addf %c, %p fastmath<fast> : ELEM
        affine.store %s, %C[%i, %j] : memref<?x?xELEM>
      }
    }
  }
  return
}
`

// A product is how the products of a row are written: the function @product, and the way to code.
type product struct {
	group, function, passes string
	known                   string // the function for extents M, N and K that it knows
	beta                    string // by which OpenBLAS multiplies what there was in the result
	shapes                  []matmulShape
	routines                []routine // kernels beside OpenBLAS's, too
}

// matmul measures products of matrices beside OpenBLAS, in turn, by what they reach.
func (b *bench) matmul() error {
	return b.products(product{"matmul", affineProduct, inTiles, "", "1", matmulShapes, routines})
}

func (b *bench) products(p product) error {
	root, err := repository()
	if err != nil {
		return err
	}
	exe, err := b.peer("matmul.c", "-O2", "-ldl")
	if err != nil {
		return err
	}
	for _, cores := range []int{1, 0} {
		if err := b.matmulOn(p, exe, root, cores); err != nil {
			return err
		}
	}
	return b.ctx.Err()
}

// hostWith is this machine with some of its cores, or all for 0.
func hostWith(cores int) *target.Target {
	t := *target.Host()
	if cores > 0 {
		t.Cores = cores
	}
	return &t
}

// onCores are the variables that keep OpenBLAS to one core; all are its own choice.
func onCores(cores int) []string {
	if cores == 1 {
		return []string{"OPENBLAS_NUM_THREADS=1"}
	}
	return nil
}

// matmulOn measures on one core, or on all for 0.
func (b *bench) matmulOn(how product, exe, root string, cores int) error {
	e, _, err := engine.LLVM.Start(b.ctx, engine.Options{Target: hostWith(cores)})
	if err != nil {
		return err
	}
	defer e.Close()
	name, programs := nameOf(e, cores), map[string]run.Program{}
	for elem := range widened {
		if programs[elem], err = b.compileProduct(e, how, matmulShape{elem: elem}); err != nil {
			return err
		}
	}
	var ratios []float64
	blas := ""
	for _, s := range how.shapes {
		what := fmt.Sprintf("%d x %d by %d, %s", s.m, s.n, s.k, s.elem)
		if !strings.Contains(what, b.kernel) {
			continue
		}
		program := programs[s.elem]
		if s.known {
			what += ", known"
			if program, err = b.compileProduct(e, how, s); err != nil {
				return err
			}
		}
		flops := 2 * float64(s.m) * float64(s.n) * float64(s.k)
		repetitions := b.repetitions(how, s)
		both, err := inTurn(3, func() (seconds, sum float64, err error) {
			seconds, sum, blas, err = b.said(onCores(cores), exe, strconv.Itoa(s.m), strconv.Itoa(s.n), strconv.Itoa(s.k), s.elem, strconv.Itoa(repetitions), how.beta)
			if err != nil {
				err = fmt.Errorf("OpenBLAS (Debian: libopenblas0-pthread) does not run: %w", err)
			}
			return seconds, sum, err
		}, func() (seconds, sum float64, err error) {
			return b.runProduct(program, s.elem, s.m, s.n, s.k, repetitions)
		})
		if err != nil {
			return err
		}
		r := both.row(how.group, what+", "+name, flops*float64(repetitions), "OpenBLAS", exactly)
		if !s.known {
			ratios = append(ratios, r.Ratio)
		}
		b.table.Add(r)
	}
	of, err := b.routines(how.routines, e, root, name, cores)
	if err != nil {
		return err
	}
	if ratios = append(ratios, of...); len(ratios) == 0 {
		return fmt.Errorf("no product is %q", b.kernel)
	}
	mean := stat.GeometricMean(ratios, nil)
	b.table.Absolute(how.group, fmt.Sprintf("%d products by %s, %s", len(ratios), blas, name), "", mean, mean >= 0.9, "mean >= 0.9")
	b.table.Add(report.Row{Group: how.group, What: "  the slowest of them, " + name, Ratio: slices.Min(ratios)})
	return nil
}

// nameOf says how many cores an engine was given: 0 are all.
func nameOf(e engine.Engine, cores int) string {
	if cores == 0 {
		return fmt.Sprintf("%d cores", e.Target().Cores)
	}
	return "one core"
}

// repetitions is how often a product is made while time is taken.
func (b *bench) repetitions(how product, s matmulShape) int {
	n := int(matmulFlops / (2 * float64(s.m) * float64(s.n) * float64(s.k)))
	if how.beta != "0" { // what is added up stays exact
		n = min(n, mostSum/(30*s.k))
	}
	return max(1, n/max(1, 10/b.size(10)))
}

// widened says how a float becomes an f64, by its type.
var widened = map[string]string{"f64": "arith.addf %6, %zero : f64", "f32": "arith.extf %6 : f32 to f64"}

// compileProduct makes the program for a type of elements, and for extents if they are known.
func (b *bench) compileProduct(e engine.Engine, how product, s matmulShape) (run.Program, error) {
	function := how.function
	if s.known {
		function = strings.NewReplacer("_M", strconv.Itoa(s.m), "_N", strconv.Itoa(s.n), "_K", strconv.Itoa(s.k)).Replace(how.known)
	}
	file := filepath.Join(b.dir, "matmul.mlir")
	if err := os.WriteFile(file, []byte(strings.NewReplacer("ELEM", s.elem, "WIDEN", widened[s.elem]).Replace(matmulProgram+function)), 0o600); err != nil {
		return nil, err
	}
	p, _, err := b.compilePoly(e, file, how.passes)
	return p, err
}

// runProduct runs our program and gives the seconds of all repetitions, and the sum over the result.
func (b *bench) runProduct(p run.Program, elem string, m, n, k, repetitions int) (seconds, sum float64, err error) {
	c := ir.NewContext(dialects.All...)
	t := map[string]ir.Type{"f64": ir.F64, "f32": ir.F32}[elem]
	var args []ir.Val
	for _, shape := range [][]int64{{int64(m), int64(n)}, {int64(m), int64(k)}, {int64(k), int64(n)}} {
		args = append(args, polybench.Zeros(c, t, shape))
	}
	bound, err := run.Bind(b.ctx, p, append(args, ir.IntVal(int64(repetitions), 64))...)
	if err != nil {
		return 0, 0, err
	}
	defer bound.Close(b.ctx)
	return polybench.Time(b.ctx, bound)
}
