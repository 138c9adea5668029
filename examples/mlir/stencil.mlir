// Heat on a rod: steps of a three-point stencil between two buffers that change
// places as the values that the outer loop carries.
//
// run: echo '[50]' | irc run examples/mlir/stencil.mlir -entry=main -args=-
//  -> {"results": [7.95892369401724], "args": []}
func.func @step(%from: memref<32xf64>, %to: memref<32xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %quarter = arith.constant 0.25 : f64
  %half = arith.constant 0.5 : f64
  %first = memref.load %from[%c0] : memref<32xf64>
  memref.store %first, %to[%c0] : memref<32xf64>
  %last = memref.load %from[%c31] : memref<32xf64>
  memref.store %last, %to[%c31] : memref<32xf64>
  scf.for %i = %c1 to %c31 step %c1 {
    %l = arith.subi %i, %c1 : index
    %r = arith.addi %i, %c1 : index
    %x = memref.load %from[%l] : memref<32xf64>
    %y = memref.load %from[%i] : memref<32xf64>
    %z = memref.load %from[%r] : memref<32xf64>
    %xz = arith.addf %x, %z : f64
    %sides = arith.mulf %xz, %quarter : f64
    %mid = arith.mulf %y, %half : f64
    %new = arith.addf %sides, %mid : f64
    memref.store %new, %to[%i] : memref<32xf64>
  }
  return
}

func.func @main(%steps: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %cold = arith.constant 0.0 : f64
  %hot = arith.constant 100.0 : f64
  %a = memref.alloca() : memref<32xf64>
  %b = memref.alloca() : memref<32xf64>
  scf.for %i = %c0 to %c32 step %c1 {
    memref.store %cold, %a[%i] : memref<32xf64>
  }
  memref.store %hot, %a[%c16] : memref<32xf64>
  %end:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%x = %a, %y = %b) -> (memref<32xf64>, memref<32xf64>) {
    func.call @step(%x, %y) : (memref<32xf64>, memref<32xf64>) -> ()
    scf.yield %y, %x : memref<32xf64>, memref<32xf64>
  }
  %r = memref.load %end#0[%c16] : memref<32xf64>
  return %r : f64
}
