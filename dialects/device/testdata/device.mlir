device.kernel private @all(%n: index, %f: f32, %a: memref<?xi32> {llvm.noalias}, %b: memref<4x?xf64, strided<[?, 1], offset: ?>>) attributes {some.attr} {
  %s = device.shared : memref<16x2xi64, 3>
  %u = device.shared : memref<16x2xindex, 3>
  %t = device.shared {alignment = 64 : i64} : memref<i1, 3>
  %i = device.thread_id x
  %j = device.thread_id y
  %k = device.thread_id z
  %b0 = device.block_id x
  %b1 = device.block_dim y
  %b2 = device.grid_dim z {some.note = 1 : i32}
  memref.store %n, %u[%i, %j] : memref<16x2xindex, 3>
  device.barrier
  %c = arith.index_cast %i : index to i32
  %old = device.atomic_cas %c, %c, %a[%n] : memref<?xi32>
  device.return
}
func.func @f(%n: index, %f: f32, %a: memref<?xi32>, %b: memref<4x?xf64, strided<[?, 1], offset: ?>>) {
  device.launch @all blocks(%n) threads(%n, %n) args(%n, %f, %a, %b : index, f32, memref<?xi32>, memref<4x?xf64, strided<[?, 1], offset: ?>>)
  device.launch @none blocks(%n, %n, %n) threads(%n, %n, %n) {some.note}
  return
}
device.kernel @none() {
  device.return
}
