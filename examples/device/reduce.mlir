// The sum of an array on two levels. A block sums 256 elements in shared memory,
// halving the threads that add at each step; its first thread adds the result to
// that of the other blocks by an atomic.
device.kernel @sum_kernel(%n: index, %x: memref<?xf64>, %sum: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f64
  %part = device.shared : memref<256xf64, 3>
  %block = device.block_id x
  %thread = device.thread_id x
  %first = arith.muli %block, %c256 : index
  %i = arith.addi %first, %thread : index
  %in = arith.cmpi ult, %i, %n : index
  %mine = scf.if %in -> (f64) {
    %xi = memref.load %x[%i] : memref<?xf64>
    scf.yield %xi : f64
  } else {
    scf.yield %zero : f64
  }
  memref.store %mine, %part[%thread] : memref<256xf64, 3>
  device.barrier
  %c128 = arith.constant 128 : index
  %end = scf.while (%half = %c128) : (index) -> index {
    %more = arith.cmpi ugt, %half, %c0 : index
    scf.condition(%more) %half : index
  } do {
  ^bb0(%half: index):
    %adds = arith.cmpi ult, %thread, %half : index
    scf.if %adds {
      %other = arith.addi %thread, %half : index
      %p = memref.load %part[%thread] : memref<256xf64, 3>
      %q = memref.load %part[%other] : memref<256xf64, 3>
      %s = arith.addf %p, %q : f64
      memref.store %s, %part[%thread] : memref<256xf64, 3>
    }
    device.barrier
    %next = arith.shrui %half, %c1 : index
    scf.yield %next : index
  }
  %last = arith.cmpi eq, %thread, %c0 : index
  scf.if %last {
    %all = memref.load %part[%c0] : memref<256xf64, 3>
    %old = memref.atomic_rmw addf %all, %sum[%c0] : (f64, memref<1xf64>) -> f64
  }
  device.return
}

func.func @sum(%x: memref<?xf64>, %sum: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f64
  memref.store %zero, %sum[%c0] : memref<1xf64>
  %n = memref.dim %x, %c0 : memref<?xf64>
  %blocks = arith.ceildivui %n, %c256 : index
  device.launch @sum_kernel blocks(%blocks) threads(%c256) args(%n, %x, %sum : index, memref<?xf64>, memref<1xf64>)
  return
}
