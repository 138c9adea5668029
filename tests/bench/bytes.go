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

// byteShapes are M, N and K of products of bytes.
var byteShapes = [][3]int{{64, 64, 64}, {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024}, {197, 768, 3072}, {509, 521, 523}, {2048, 2048, 64}}

// byteScale makes sums bytes again, where that is asked for.
const byteScale = "0.037"

// byteProduct is the product as often as said, of numbers by their places.
const byteProduct = `
func.func @init(%C: memref<_Mx_Nx_E> {llvm.noalias}, %A: memref<_Mx_Kxi8> {llvm.noalias}, %B: memref<_Kx_Nxi8> {llvm.noalias}) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  affine.for %i = 0 to _M { affine.for %k = 0 to _K {
    %at = affine.apply affine_map<(i, k) -> (i * _K + k)>(%i, %k)
    %0 = arith.muli %at, %c7 : index
    %1 = arith.remsi %0, %c11 : index
    %2 = arith.subi %1, %c5 : index
    %3 = arith.index_cast %2 : index to i8
    affine.store %3, %A[%i, %k] : memref<_Mx_Kxi8>
  } }
  affine.for %k = 0 to _K { affine.for %j = 0 to _N {
    %at = affine.apply affine_map<(k, j) -> (k * _N + j)>(%k, %j)
    %0 = arith.muli %at, %c5 : index
    %1 = arith.remsi %0, %c7 : index
    %2 = arith.subi %1, %c3 : index
    %3 = arith.index_cast %2 : index to i8
    affine.store %3, %B[%k, %j] : memref<_Kx_Nxi8>
  } }
  return
}
func.func @product(%C: memref<_Mx_Nx_E> {llvm.noalias}, %A: memref<_Mx_Kxi8> {llvm.noalias}, %B: memref<_Kx_Nxi8> {llvm.noalias}) {
  %a = ten.pack %A : memref<_Mx_Kxi8>
  %b = ten.pack %B : memref<_Kx_Nxi8>
  %p = ten.einsum "ik,kj->ij" %a, %b : tensor<_Mx_Kxi8>, tensor<_Kx_Nxi8> -> tensor<_Mx_Nxi32>_finish
  ten.write %_last to %C : tensor<_Mx_Nx_E>, memref<_Mx_Nx_E>
  return
}
func.func @kernel(%C: memref<_Mx_Nx_E> {llvm.noalias}, %A: memref<_Mx_Kxi8> {llvm.noalias}, %B: memref<_Kx_Nxi8> {llvm.noalias}, %repetitions: index) {
  affine.for %t = 0 to %repetitions {
    func.call @product(%C, %A, %B) : (memref<_Mx_Nx_E>, memref<_Mx_Kxi8>, memref<_Kx_Nxi8>) -> ()
  }
  return
}
`

// byteFinish makes bytes of the sums.
const byteFinish = `
  %q = ten.map (%x = %p : tensor<_Mx_Nxi32>) -> tensor<_Mx_Nxi8> {
    %scale = arith.constant _scale : f32
    %least = arith.constant -128.0 : f32
    %most = arith.constant 127.0 : f32
    %0 = arith.sitofp %x : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %least : f32
    %4 = arith.minimumf %3, %most : f32
    %5 = arith.fptosi %4 : f32 to i8
    ten.yield %5 : i8
  }`

// A bytePeer is a way to make the same product; an environment keeps it from instructions that it would use.
type bytePeer struct{ name, how, env string }

var bytePeers = []bytePeer{
	{"loops in C", "loops", ""},
	{"oneDNN without AMX", "onednn", "DNNL_MAX_CPU_ISA=AVX512_CORE_VNNI"},
	{"oneDNN", "onednn", ""},
}

// bytes measures products of bytes, as sums of 32 bits and made bytes again, in turn with their peers, on one core.
func (b *bench) bytes() error {
	exe, err := b.peer("bytes.cpp", "-O3", "-march=native", "-ldnnl", "-lstdc++", "-lm")
	if err != nil {
		return fmt.Errorf("needs oneDNN (Debian: libdnnl-dev): %w", err)
	}
	e, err := b.oneCore()
	if err != nil {
		return err
	}
	defer e.Close()
	ratios := map[string][]float64{}
	for _, s := range byteShapes {
		for _, isScaled := range []bool{false, true} {
			what := fmt.Sprintf("%d x %d x %d, i32", s[0], s[1], s[2])
			if isScaled {
				what = fmt.Sprintf("%d x %d x %d, scaled to i8", s[0], s[1], s[2])
			}
			if !strings.Contains(what, b.kernel) {
				continue
			}
			rows, err := b.byteProduct(e, exe, s, isScaled, what)
			if err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			for i, r := range rows {
				b.table.Add(r)
				ratios[bytePeers[i].name] = append(ratios[bytePeers[i].name], r.Ratio)
			}
		}
	}
	for _, p := range bytePeers {
		if list := ratios[p.name]; len(list) > 0 {
			mean := stat.GeometricMean(list, nil)
			b.table.Add(report.Row{Group: "bytes", What: fmt.Sprintf("%d products, by %s", len(list), p.name), Ratio: mean})
		}
	}
	return b.ctx.Err()
}

// byteProduct measures one beside each peer.
func (b *bench) byteProduct(e engine.Engine, exe string, s [3]int, isScaled bool, what string) ([]report.Row, error) {
	file := filepath.Join(b.dir, "bytes.mlir")
	elem, finish, last := "i32", "", "p"
	if isScaled {
		elem, finish, last = "i8", byteFinish, "q"
	}
	sizes := strings.NewReplacer("_M", strconv.Itoa(s[0]), "_N", strconv.Itoa(s[1]), "_K", strconv.Itoa(s[2]), "_E", elem, "_scale", byteScale, "_widen", "sitofp")
	text := sizes.Replace(strings.NewReplacer("_finish", finish, "_last", last).Replace(byteProduct + weighedSum))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}
	p, _, err := b.compilePoly(e, file, "")
	if err != nil {
		return nil, err
	}
	c := ir.NewContext(dialects.All...)
	m, n, k := int64(s[0]), int64(s[1]), int64(s[2])
	result := ir.I32
	if isScaled {
		result = ir.I8
	}
	args := []ir.Val{polybench.Zeros(c, result, []int64{m, n}), polybench.Zeros(c, ir.I8, []int64{m, k}), polybench.Zeros(c, ir.I8, []int64{k, n})}
	ops := 2 * float64(m) * float64(n) * float64(k)
	repetitions := max(1, int(layerFlops/ops)/max(1, 10/b.size(10)))
	bound, err := run.Bind(b.ctx, p, append(args, ir.IntVal(int64(repetitions), 64))...)
	if err != nil {
		return nil, err
	}
	defer bound.Close(b.ctx)
	var rows []report.Row
	for _, peer := range bytePeers {
		numbers := []string{peer.how, strconv.Itoa(s[0]), strconv.Itoa(s[1]), strconv.Itoa(s[2]), strconv.Itoa(repetitions)}
		if isScaled {
			numbers = append(numbers, byteScale)
		}
		how := ""
		both, err := inTurn(3, func() (seconds, sum float64, err error) {
			if seconds, sum, how, err = b.said([]string{"OMP_NUM_THREADS=1", peer.env}, exe, numbers...); err != nil {
				err = fmt.Errorf("%s does not run: %w", peer.name, err)
			}
			return seconds, sum, err
		}, func() (seconds, sum float64, err error) { return polybench.Time(b.ctx, bound) })
		if err != nil {
			return nil, err
		}
		name := what + ", " + peer.name
		if peer.how != how {
			name += " by " + how
		}
		rows = append(rows, both.row("bytes", name, ops*float64(repetitions), peer.name, exactly))
	}
	return rows, nil
}
