// y := a*x + y on vectors of any length.
//
// run: echo '[8]' | irc run examples/mlir/saxpy.mlir -entry=main -args=-
//  -> {"results": [15], "args": []}
// see: irc -emit=llvm examples/mlir/saxpy.mlir
func.func @saxpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %xi = memref.load %x[%i] : memref<?xf32>
    %yi = memref.load %y[%i] : memref<?xf32>
    %ax = arith.mulf %a, %xi : f32
    %sum = arith.addf %ax, %yi : f32
    memref.store %sum, %y[%i] : memref<?xf32>
  }
  return
}

// The last element of 2*x + y for x[i] = i and y[i] = 1: 2(n-1) + 1.
func.func @main(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %i32 = arith.index_cast %i : index to i32
    %f = arith.sitofp %i32 : i32 to f32
    memref.store %f, %x[%i] : memref<?xf32>
    memref.store %one, %y[%i] : memref<?xf32>
  }
  call @saxpy(%two, %x, %y) : (f32, memref<?xf32>, memref<?xf32>) -> ()
  %last = arith.subi %n, %c1 : index
  %r = memref.load %y[%last] : memref<?xf32>
  memref.dealloc %x : memref<?xf32>
  memref.dealloc %y : memref<?xf32>
  return %r : f32
}
