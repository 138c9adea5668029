// One step of the heat equation on a square: each inner point becomes the mean of
// its four neighbours. The border stays. A block is a tile of 32 x 8 points.
device.kernel @heat_kernel(%h: index, %w: index, %from: memref<?x?xf64> {llvm.noalias}, %to: memref<?x?xf64> {llvm.noalias}) {
  %c1 = arith.constant 1 : index
  %quarter = arith.constant 0.25 : f64
  %bx = device.block_id x
  %dx = device.block_dim x
  %tx = device.thread_id x
  %by = device.block_id y
  %dy = device.block_dim y
  %ty = device.thread_id y
  %x0 = arith.muli %bx, %dx : index
  %j = arith.addi %x0, %tx : index
  %y0 = arith.muli %by, %dy : index
  %i = arith.addi %y0, %ty : index
  %in_i = arith.cmpi ult, %i, %h : index
  %in_j = arith.cmpi ult, %j, %w : index
  %in = arith.andi %in_i, %in_j : i1
  scf.if %in {
    %up = arith.subi %i, %c1 : index
    %left = arith.subi %j, %c1 : index
    %hi = arith.subi %h, %c1 : index
    %wi = arith.subi %w, %c1 : index
    %h2 = arith.subi %hi, %c1 : index
    %w2 = arith.subi %wi, %c1 : index
    %mid_i = arith.cmpi ult, %up, %h2 : index
    %mid_j = arith.cmpi ult, %left, %w2 : index
    %mid = arith.andi %mid_i, %mid_j : i1
    %r = scf.if %mid -> (f64) {
      %down = arith.addi %i, %c1 : index
      %right = arith.addi %j, %c1 : index
      %a = memref.load %from[%up, %j] : memref<?x?xf64>
      %b = memref.load %from[%down, %j] : memref<?x?xf64>
      %c = memref.load %from[%i, %left] : memref<?x?xf64>
      %d = memref.load %from[%i, %right] : memref<?x?xf64>
      %ab = arith.addf %a, %b : f64
      %cd = arith.addf %c, %d : f64
      %s = arith.addf %ab, %cd : f64
      %m = arith.mulf %s, %quarter : f64
      scf.yield %m : f64
    } else {
      %same = memref.load %from[%i, %j] : memref<?x?xf64>
      scf.yield %same : f64
    }
    memref.store %r, %to[%i, %j] : memref<?x?xf64>
  }
  device.return
}

func.func @heat(%from: memref<?x?xf64>, %to: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %h = memref.dim %from, %c0 : memref<?x?xf64>
  %w = memref.dim %from, %c1 : memref<?x?xf64>
  %gx = arith.ceildivui %w, %c32 : index
  %gy = arith.ceildivui %h, %c8 : index
  device.launch @heat_kernel blocks(%gx, %gy) threads(%c32, %c8) args(%h, %w, %from, %to : index, index, memref<?x?xf64>, memref<?x?xf64>)
  return
}
