package order

import (
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/built"
)

// files are the programs of examples/ on which steps that come after none are tried.
var files = []string{
	"affine/covariance.mlir", "linalg/convnet.mlir", "linalg/softmax.mlir", "loop/histogram.mlir", "loop/kmeans.mlir", "loop/pipeline.mlir",
	"loops/saxpy.mlir", "mlir/vectors.mlir", "reductions/convolved_sum.eq", "reductions/row_products.eq", "tensor/gram.mlir", "tensor/logistic.mlir",
}

// everyProgram names the programs that read knows.
func everyProgram() (out []string) {
	for _, p := range lowering.AllPasses() {
		if p.Example != "" {
			out = append(out, p.Name)
		}
	}
	for name := range programs {
		out = append(out, name)
	}
	return append(out, files...)
}

// read is the program of a name.
func read(t *testing.T, name string) *ir.Graph {
	t.Helper()
	src := programs[name]
	switch {
	case strings.Contains(name, "."):
		file, err := os.ReadFile("../../examples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if src = string(file); strings.HasSuffix(name, ".eq") {
			return ir.Settle(built.OfEquations(t, src))
		}
	case src == "":
		src = lowering.AllPasses().Find(name).Example
	}
	return ir.Settle(built.Parse(t, src, text.Options{}))
}

// programs are those that show one order each, and that no pass has for its example.
var programs = map[string]string{
	"three products": `func.func @f(%x: tensor<32x32xf64>, %y: tensor<32x32xf64>) -> tensor<32x32xf64> {
  %a = ten.einsum "ik,kj->ij" %x, %y : tensor<32x32xf64>, tensor<32x32xf64> -> tensor<32x32xf64>
  %s = ten.softmax %a along 1 : tensor<32x32xf64>
  %b = ten.einsum "ik,kj->ij" %s, %y : tensor<32x32xf64>, tensor<32x32xf64> -> tensor<32x32xf64>
  %t = ten.softmax %b along 1 : tensor<32x32xf64>
  %c = ten.einsum "ik,kj->ij" %t, %y : tensor<32x32xf64>, tensor<32x32xf64> -> tensor<32x32xf64>
  return %c : tensor<32x32xf64>
}
`,
	"sum of two kinds": `func.func @f(%x: memref<100xf64> {func.static, llvm.noalias}, %a: f64, %b: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 100 : index
  %none = arith.constant 0.0 : f64
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (f64) {
    %v = memref.load %x[%i] : memref<100xf64>
    %t = arith.mulf %a, %v fastmath<contract> : f64
    %u = math.exp %b : f64
    %w = arith.addf %t, %u fastmath<reassoc> : f64
    %next = arith.addf %s, %w fastmath<reassoc> : f64
    scf.yield %next : f64
  }
  return %r : f64
}
`,
	"powers": `func.func @f(%x: memref<?xf64>, %b: f64) {
  affine.for %i = 0 to 24 {
    %y = affine.load %x[%i] : memref<?xf64>
    %p = math.powf %b, %y fastmath<afn> : f64
    affine.store %p, %x[%i] : memref<?xf64>
  }
  return
}
`,
	"short sum": `func.func @f(%x: memref<4xf64>) -> f64 {
  %z = arith.constant 0.0 : f64
  %r = affine.for %i = 0 to 4 iter_args(%s = %z) -> (f64) {
    %a = affine.load %x[%i] : memref<4xf64>
    %y = math.log %a : f64
    %t = arith.addf %s, %y : f64
    affine.yield %t : f64
  }
  return %r : f64
}
`,
	"table": `func.func @f(%x: memref<8xf64>, %y: memref<8xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %r = affine.for %i = 0 to 8 iter_args(%a = %zero) -> (f64) {
    %s = affine.for %j = 0 to 8 iter_args(%b = %a) -> (f64) {
      %u = affine.load %x[%i] : memref<8xf64>
      %v = affine.load %y[%j] : memref<8xf64>
      %w = math.exp %v : f64
      %p = arith.mulf %u, %w : f64
      %t = arith.addf %b, %p : f64
      affine.yield %t : f64
    }
    affine.yield %s : f64
  }
  return %r : f64
}
`,
	"softplus": `func.func @f(%x: memref<64xf64>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %x[%i] : memref<64xf64>
    %y = special.log1pexp %a : f64
    affine.store %y, %x[%i] : memref<64xf64>
  }
  return
}
`,
	"logit": `func.func @f(%x: f64) -> f64 {
  %y = special.logit %x : f64
  return %y : f64
}
`,
}
