memref.global "private" @x : memref<2xf32> = dense<[0.0, 2.0]>
memref.global "private" @aligned : memref<2xf32> = dense<1.0> {alignment = 64 : i64}
memref.global "private" @declared : memref<4xi32>
memref.global @z : memref<3xf16> = uninitialized
memref.global constant @c : memref<2xi32> = dense<[1, 4]>
func.func @alloc(%n: index) {
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc(%n, %n) {alignment = 64 : i64} : memref<?x?xf32>
  %s = memref.alloc(%n)[%n] : memref<8x?xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>>
  %d = memref.alloca(%n) : memref<?xf32, 3>
  %e = memref.alloc(%n) : memref<?xf32>
  %f = memref.realloc %e : memref<?xf32> to memref<8xf32>
  %g = memref.realloc %f(%n) {alignment = 8 : i64} : memref<8xf32> to memref<?xf32>
  memref.dealloc %a : memref<4x4xf32>
  memref.dealloc %b : memref<?x?xf32>
  return
}
func.func @scope(%x: f32) -> f32 {
  %z = arith.constant 0 : index
  %r = memref.alloca_scope -> (f32) {
    %a = memref.alloca() : memref<1xf32>
    memref.store %x, %a[%z] : memref<1xf32>
    %l = memref.load %a[%z] : memref<1xf32>
    memref.alloca_scope.return %l : f32
  }
  memref.alloca_scope {
    %a = memref.alloca() : memref<1xf32>
    memref.store %x, %a[%z] : memref<1xf32>
  }
  return %r : f32
}
func.func @access(%m: memref<?x?xf32>, %i: index, %x: f32, %u: memref<*xf32>, %k: memref<?xi32>, %n: i32) -> f32 {
  %l = memref.load %m[%i, %i] : memref<?x?xf32>
  %t = memref.load %m[%i, %i] {nontemporal = true} : memref<?x?xf32>
  memref.store %l, %m[%i, %i] : memref<?x?xf32>
  memref.copy %m, %m : memref<?x?xf32> to memref<?x?xf32>
  memref.prefetch %m[%i, %i], read, locality<3>, data : memref<?x?xf32>
  memref.prefetch %m[%i, %i], write, locality<0>, instr : memref<?x?xf32>
  memref.assume_alignment %m, 16 : memref<?x?xf32>
  %a = memref.atomic_rmw addf %x, %m[%i, %i] : (f32, memref<?x?xf32>) -> f32
  %b = memref.atomic_rmw maxu %n, %k[%i] : (i32, memref<?xi32>) -> i32
  %g = memref.generic_atomic_rmw %m[%i, %i] : memref<?x?xf32> {
  ^bb0(%old: f32):
    %s = arith.addf %old, %x : f32
    memref.atomic_yield %s : f32
  }
  %rank = memref.rank %u : memref<*xf32>
  %dim = memref.dim %m, %i : memref<?x?xf32>
  %dimu = memref.dim %u, %i : memref<*xf32>
  return %l : f32
}
func.func @dma(%s: memref<?xf32>, %d: memref<?xf32, 1>, %t: memref<1xi32>, %i: index, %n: index) {
  memref.dma_start %s[%i], %d[%i], %n, %t[%i] : memref<?xf32>, memref<?xf32, 1>, memref<1xi32>
  memref.dma_start %s[%i], %d[%i], %n, %t[%i], %n, %n : memref<?xf32>, memref<?xf32, 1>, memref<1xi32>
  memref.dma_wait %t[%i], %n : memref<1xi32>
  return
}
func.func @views(%m: memref<8x16xf32>, %d: memref<?x?xf32>, %i: index, %u: memref<*xf32>, %b: memref<?xi8>, %s: memref<1xindex>) {
  %0 = memref.cast %m : memref<8x16xf32> to memref<?x?xf32>
  %1 = memref.cast %u : memref<*xf32> to memref<?x?xf32>
  %2 = memref.memory_space_cast %d : memref<?x?xf32> to memref<?x?xf32, 5>
  %3 = memref.reinterpret_cast %m to offset: [%i], sizes: [4, %i], strides: [%i, 1] : memref<8x16xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %4 = memref.subview %m[2, 4] [4, 8] [1, 2] : memref<8x16xf32> to memref<4x8xf32, strided<[16, 2], offset: 36>>
  %5 = memref.subview %d[%i, 0] [%i, 1] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %6 = memref.view %b[%i][%i] : memref<?xi8> to memref<?x4xf32>
  %7 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 16] : memref<8x16xf32> into memref<2x4x16xf32>
  %8 = memref.expand_shape %d [[0, 1], [2]] output_shape [%i, 4, %i] : memref<?x?xf32> into memref<?x4x?xf32>
  %9 = memref.collapse_shape %m [[0, 1]] : memref<8x16xf32> into memref<128xf32>
  %10 = memref.reshape %u(%s) : (memref<*xf32>, memref<1xindex>) -> memref<?xf32>
  %11 = memref.transpose %d (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %12 = memref.extract_aligned_pointer_as_index %d : memref<?x?xf32> -> index
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %d : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  %13 = memref.get_global @x : memref<2xf32>
  return
}
