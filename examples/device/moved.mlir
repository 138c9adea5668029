// y := a*x + y on a device that has memory of its own, which is memory space 1: x and y move there, y moves back.
//
//   irc run -check-transfers -entry=saxpy -args=examples/device/saxpy-args.json examples/device/moved.mlir

device.kernel @saxpy_kernel(%n: index, %a: f32, %x: memref<?xf32, 1>, %y: memref<?xf32, 1>) {
  %block = device.block_id x
  %size = device.block_dim x
  %thread = device.thread_id x
  %first = arith.muli %block, %size : index
  %i = arith.addi %first, %thread : index
  %in = arith.cmpi ult, %i, %n : index
  scf.if %in {
    %xi = memref.load %x[%i] : memref<?xf32, 1>
    %yi = memref.load %y[%i] : memref<?xf32, 1>
    %ax = arith.mulf %a, %xi : f32
    %sum = arith.addf %ax, %yi : f32
    memref.store %sum, %y[%i] : memref<?xf32, 1>
  }
  device.return
}

func.func @saxpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %dx = memref.alloc(%n) : memref<?xf32, 1>
  %dy = memref.alloc(%n) : memref<?xf32, 1>
  memref.copy %x, %dx : memref<?xf32> to memref<?xf32, 1>
  memref.copy %y, %dy : memref<?xf32> to memref<?xf32, 1>
  %c256 = arith.constant 256 : index
  %blocks = arith.ceildivui %n, %c256 : index
  device.launch @saxpy_kernel blocks(%blocks) threads(%c256) args(%n, %a, %dx, %dy : index, f32, memref<?xf32, 1>, memref<?xf32, 1>)
  memref.copy %dy, %y : memref<?xf32, 1> to memref<?xf32>
  memref.dealloc %dx : memref<?xf32, 1>
  memref.dealloc %dy : memref<?xf32, 1>
  return
}
