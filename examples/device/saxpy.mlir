// y = a x + y: a thread for each element, 256 threads a block.
device.kernel @saxpy_kernel(%n: index, %a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %block = device.block_id x
  %size = device.block_dim x
  %thread = device.thread_id x
  %first = arith.muli %block, %size : index
  %i = arith.addi %first, %thread : index
  %in = arith.cmpi ult, %i, %n : index
  scf.if %in {
    %xi = memref.load %x[%i] : memref<?xf32>
    %yi = memref.load %y[%i] : memref<?xf32>
    %ax = arith.mulf %a, %xi : f32
    %r = arith.addf %ax, %yi : f32
    memref.store %r, %y[%i] : memref<?xf32>
  }
  device.return
}

func.func @saxpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %y, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  device.launch @saxpy_kernel blocks(%blocks) threads(%c256) args(%n, %a, %x, %y : index, f32, memref<?xf32>, memref<?xf32>)
  return
}
