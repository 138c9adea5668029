// C += A*B, three nested loops. The load of A[i,k] does not depend on the
// innermost loop: see where it is printed.
//
// run: echo '[5]' | irc run examples/mlir/matmul.mlir -entry=main -args=-
//  -> {"results": [1100], "args": []}
// see: irc examples/mlir/matmul.mlir
func.func @matmul(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf64>
  %k = memref.dim %a, %c1 : memref<?x?xf64>
  %m = memref.dim %b, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %l = %c0 to %k step %c1 {
      scf.for %j = %c0 to %m step %c1 {
        %ail = memref.load %a[%i, %l] : memref<?x?xf64>
        %blj = memref.load %b[%l, %j] : memref<?x?xf64>
        %cij = memref.load %c[%i, %j] : memref<?x?xf64>
        %p = arith.mulf %ail, %blj : f64
        %s = arith.addf %cij, %p : f64
        memref.store %s, %c[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// The trace of A*A for A[i,j] = i + 2j.
func.func @main(%n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %a = memref.alloc(%n, %n) : memref<?x?xf64>
  %c = memref.alloc(%n, %n) : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %j2 = arith.addi %j, %j : index
      %s = arith.addi %i, %j2 : index
      %s64 = arith.index_cast %s : index to i64
      %f = arith.sitofp %s64 : i64 to f64
      memref.store %f, %a[%i, %j] : memref<?x?xf64>
      memref.store %zero, %c[%i, %j] : memref<?x?xf64>
    }
  }
  call @matmul(%a, %a, %c) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %trace = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f64) {
    %x = memref.load %c[%i, %i] : memref<?x?xf64>
    %s = arith.addf %acc, %x : f64
    scf.yield %s : f64
  }
  memref.dealloc %a : memref<?x?xf64>
  memref.dealloc %c : memref<?x?xf64>
  return %trace : f64
}
