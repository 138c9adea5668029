// A product of two lists, eight lanes at a time: what is left at the end is masked, so that nothing behind the
// lists is touched, and the lanes are added in the end.
//
// run: echo '[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1, 1, 1, 1, 1, 1, 1, 1, 1, 2]]' | irc run -entry=dot -args=- examples/mlir/vectors.mlir
//  -> {"results": [65], "args": [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1, 1, 1, 1, 1, 1, 1, 1, 1, 2]]}
// see: irc -emit=asm examples/mlir/vectors.mlir
func.func @dot(%x: memref<?xf32>, %y: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %n = memref.dim %x, %c0 : memref<?xf32>
  %sums = scf.for %i = %c0 to %n step %c8 iter_args(%acc = %zero) -> (vector<8xf32>) {
    %left = arith.subi %n, %i : index
    %mask = vector.create_mask %left : vector<8xi1>
    %a = vector.maskedload %x[%i], %mask, %zero : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    %b = vector.maskedload %y[%i], %mask, %zero : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    %next = vector.fma %a, %b, %acc : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  %sum = vector.reduction <add>, %sums fastmath<reassoc> : vector<8xf32> into f32
  return %sum : f32
}

// A product of matrices of four rows and columns, as one op: sixteen lanes are multiplied and added four times.
//
// run: echo '[[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]]]' | irc run -entry=square -args=- examples/mlir/vectors.mlir
//  -> {"results": [], "args": [[[90, 100, 110, 120], [202, 228, 254, 280], [314, 356, 398, 440], [426, 484, 542, 600]]]}
func.func @square(%m: memref<4x4xf64>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f64
  %zero = arith.constant dense<0.0> : vector<4x4xf64>
  %a = vector.transfer_read %m[%c0, %c0], %pad {in_bounds = [true, true]} : memref<4x4xf64>, vector<4x4xf64>
  %p = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %zero : vector<4x4xf64>, vector<4x4xf64> into vector<4x4xf64>
  vector.transfer_write %p, %m[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf64>, memref<4x4xf64>
  return
}

// Four elements at a time, by affine accesses.
//
// run: echo '[[1, 2, 3, 4, 5, 6, 7, 8]]' | irc run -entry=double -args=- examples/mlir/vectors.mlir
//  -> {"results": [], "args": [[2, 4, 6, 8, 10, 12, 14, 16]]}
func.func @double(%x: memref<8xf32>) {
  affine.for %i = 0 to 2 {
    %v = affine.vector_load %x[4 * %i] : memref<8xf32>, vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    affine.vector_store %w, %x[4 * %i] : memref<8xf32>, vector<4xf32>
  }
  return
}
