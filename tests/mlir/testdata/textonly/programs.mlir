// Programs that mlir-opt takes and that irc used to refuse. Each says in its first line that it runs, or which op is text only, and why if
// others of its name are not.

// runs
func.func @f(%t: tensor<4xf32>) -> index {
  %c = arith.constant 3 : index
  %0 = tensor.dim %t, %c : tensor<4xf32>
  return %0 : index
}

// -----

// runs
func.func @f(%a: tensor<f32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.elemwise_unary ins(%a : tensor<f32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// runs
func.func @f(%s: f32, %a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.elemwise_binary {fun = #linalg.binary_fn<add>} ins(%s, %a : f32, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// runs
func.func @f(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.insert_slice %a into %o[2] [4] [1] : tensor<4xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// runs
func.func @f(%lo: f64, %hi: f64, %s: i32, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.fill_rng_2d ins(%lo, %hi, %s : f64, f64, i32) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// text only: linalg.softmax
func.func @f(%a: tensor<2x16xf32>, %o: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<2x16xf32>) outs(%o : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}

// -----

// text only: linalg.winograd_filter_transform
func.func @f(%f: tensor<2x3x3x5xf32>, %o: tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32> {
  %0 = linalg.winograd_filter_transform m(4) r(3) ins(%f : tensor<2x3x3x5xf32>) outs(%o : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %0 : tensor<6x6x5x2xf32>
}

// -----

// text only: linalg.matmul: computes with elements
func.func @f(%a: tensor<2x2xcomplex<f32>>, %o: tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>> {
  %0 = linalg.matmul ins(%a, %a : tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) outs(%o : tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  return %0 : tensor<2x2xcomplex<f32>>
}

// -----

// text only: tensor.parallel_insert_slice
func.func @f(%a: tensor<8xf32>, %o: tensor<64xf32>) -> tensor<64xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%s = %o) -> (tensor<64xf32>) {
    %k = arith.muli %i, %i : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %s[%k] [8] [1] : tensor<8xf32> into tensor<64xf32>
    }
  }
  return %0 : tensor<64xf32>
}

// -----

// text only: tensor.bitcast
func.func @f(%s: tensor<4xf32>) -> tensor<4xi32> {
  %0 = tensor.bitcast %s : tensor<4xf32> to tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// text only: tensor.gather
func.func @f(%a: tensor<8x4xf32>, %i: tensor<3x1xindex>) -> tensor<3x1x4xf32> {
  %0 = tensor.gather %a[%i] gather_dims([0]) : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x1x4xf32>
  return %0 : tensor<3x1x4xf32>
}

// -----

// text only: tensor.pack
func.func @f(%a: tensor<128x256xf32>, %o: tensor<16x8x8x32xf32>) -> tensor<16x8x8x32xf32> {
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %o : tensor<128x256xf32> -> tensor<16x8x8x32xf32>
  return %0 : tensor<16x8x8x32xf32>
}

// -----

// text only: tensor.reshape: works on
func.func @f(%s: tensor<*xf32>, %h: tensor<1xi32>) -> tensor<?xf32> {
  %0 = tensor.reshape %s(%h) : (tensor<*xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// text only: tensor.scatter
func.func @f(%s: tensor<3x1x4xf32>, %d: tensor<8x4xf32>, %i: tensor<3x1xindex>) -> tensor<8x4xf32> {
  %0 = tensor.scatter %s into %d[%i] scatter_dims([0]) unique : (tensor<3x1x4xf32>, tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// text only: tensor.unpack
func.func @f(%a: tensor<16x8x8x32xf32>, %o: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %0 = tensor.unpack %a inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %o : tensor<16x8x8x32xf32> -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

// -----

// text only: tensor.cast: works on
func.func private @sink(tensor<*xf32>)
func.func @f(%a: tensor<4xf32>) {
  %0 = tensor.cast %a : tensor<4xf32> to tensor<*xf32>
  func.call @sink(%0) : (tensor<*xf32>) -> ()
  return
}

// -----

// text only: tensor.rank: works on
func.func @f(%a: tensor<*xf32>, %i: index) -> (index, index) {
  %0 = tensor.rank %a : tensor<*xf32>
  %1 = tensor.dim %a, %i : tensor<*xf32>
  return %0, %1 : index, index
}

// -----

// text only: vector.extract: gives
func.func @f(%v: vector<1xf32>) -> vector<1xf32> {
  %0 = "vector.extract"(%v) <{static_position = array<i64: 0>}> : (vector<1xf32>) -> vector<1xf32>
  return %0 : vector<1xf32>
}

// -----

// text only: vector.load: has a vector of 3 dimensions
func.func @f(%m: memref<200x100xf32>, %i: index) -> vector<1x1x4xf32> {
  %0 = vector.load %m[%i, %i] : memref<200x100xf32>, vector<1x1x4xf32>
  return %0 : vector<1x1x4xf32>
}

// -----

// text only: vector.reshape
func.func @f(%v: vector<3x2x4xf32>, %a: index) -> vector<2x3x4xf32> {
  %0 = vector.reshape %v, [%a, %a], [%a, %a], [4] : vector<3x2x4xf32> to vector<2x3x4xf32>
  return %0 : vector<2x3x4xf32>
}

// -----

// text only: vector.type_cast
func.func @f(%m: memref<2xvector<4xf32>>) -> memref<vector<2x4xf32>> {
  %0 = vector.type_cast %m : memref<2xvector<4xf32>> to memref<vector<2x4xf32>>
  return %0 : memref<vector<2x4xf32>>
}

// -----

// text only: vector.warp_execute_on_lane_0
func.func @f(%l: index) -> vector<4xf32> {
  %0 = vector.warp_execute_on_lane_0(%l)[32] -> (vector<4xf32>) {
    %c = arith.constant dense<1.0> : vector<128xf32>
    vector.yield %c : vector<128xf32>
  }
  return %0 : vector<4xf32>
}

// -----

// text only: vector.reduction: combines
func.func @f(%v: vector<4xsi32>) -> si32 {
  %0 = vector.reduction <add>, %v : vector<4xsi32> into si32
  return %0 : si32
}

// -----

// runs
func.func @f(%a: memref<2x3xf32>, %s: f32, %o: memref<2x3xf32>) {
  linalg.elemwise_binary {fun = #linalg.binary_fn<max_signed>} ins(%a, %s : memref<2x3xf32>, f32) outs(%o : memref<2x3xf32>)
  linalg.div ins(%s, %a : f32, memref<2x3xf32>) outs(%o : memref<2x3xf32>)
  return
}

// -----

// runs
func.func @f(%t: tensor<2x3xf32>, %c: i1, %e: tensor<f32>) -> tensor<2x3xf32> {
  %r = linalg.select ins(%c, %t, %t : i1, tensor<2x3xf32>, tensor<2x3xf32>) outs(%t : tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = linalg.add ins(%e, %r : tensor<f32>, tensor<2x3xf32>) outs(%t : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}

// -----

// runs
func.func @f(%v: f32, %m: memref<4xf32>, %i: index) -> f32 {
  %x = memref.atomic_rmw "addf" %v, %m[%i] : (f32, memref<4xf32>) -> f32
  return %x : f32
}

// -----

// text only: tensor.cast: works on
func.func private @printMemrefF32(tensor<*xf32>)
func.func @f(%c: i1, %t: tensor<?x4xf32>) {
  scf.if %c {
    %u = tensor.cast %t : tensor<?x4xf32> to tensor<*xf32>
    func.call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
    %v = tensor.cast %u : tensor<*xf32> to tensor<4x4xf32>
  }
  return
}

// -----

// text only: tensor.pad: adds less
func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<3xf32> {
  %r = tensor.pad %t low[-1] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// text only: tensor.expand_shape: has another
func.func @f(%t: tensor<8x4xf32>) -> tensor<2x4x4xf32> {
  %r = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 4, 5] : tensor<8x4xf32> into tensor<2x4x4xf32>
  return %r : tensor<2x4x4xf32>
}

// -----

// text only: tensor.pack
func.func @f(%t: tensor<?x256xf32>, %o: tensor<8x?x?x32xf32>, %x: f32, %n: index) -> tensor<8x?x?x32xf32> {
  %r = tensor.pack %t padding_value(%x : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [%n, 32] into %o {a = 1 : i64} : tensor<?x256xf32> -> tensor<8x?x?x32xf32>
  return %r : tensor<8x?x?x32xf32>
}

// -----

// text only: tensor.unpack
func.func @f(%t: tensor<8x?x?x32xf32>, %o: tensor<?x256xf32>, %n: index) -> tensor<?x256xf32> {
  %r = tensor.unpack %t outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [%n, 32] into %o : tensor<8x?x?x32xf32> -> tensor<?x256xf32>
  return %r : tensor<?x256xf32>
}

// -----

// text only: linalg.softmax
func.func @f(%a: memref<2x16xf32>, %o: memref<2x16xf32>) {
  linalg.softmax dimension(1) ins(%a : memref<2x16xf32>) outs(%o : memref<2x16xf32>)
  return
}

// -----

// text only: linalg.conv_1d: computes
func.func @f(%a: memref<8xcomplex<f32>>, %k: memref<3xcomplex<f32>>, %o: memref<6xcomplex<f32>>) {
  linalg.conv_1d ins(%a, %k : memref<8xcomplex<f32>>, memref<3xcomplex<f32>>) outs(%o : memref<6xcomplex<f32>>)
  return
}

// -----

// text only: vector.maskedload: has a vector of 1
func.func @f(%m: memref<f32>, %k: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> {
  %r = vector.maskedload %m[], %k, %p : memref<f32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[], %k, %r : memref<f32>, vector<4xi1>, vector<4xf32>
  return %r : vector<4xf32>
}

// -----

// text only: vector.multi_reduction: combines
func.func @f(%v: vector<4x8xui8>, %a: vector<4xui8>) -> vector<4xui8> {
  %r = vector.multi_reduction <mul>, %v, %a [1] : vector<4x8xui8> to vector<4xui8>
  return %r : vector<4xui8>
}

// -----

// text only: vector.warp_execute_on_lane_0
func.func @f(%l: index, %v: vector<1xf32>) -> (vector<1xf32>, index) {
  %r:2 = vector.warp_execute_on_lane_0(%l)[32] args(%v : vector<1xf32>) -> (vector<1xf32>, index) {
  ^bb0(%w: vector<32xf32>):
    %c = arith.constant 3 : index
    %d = arith.addf %w, %w : vector<32xf32>
    vector.yield %d, %c : vector<32xf32>, index
  }
  vector.warp_execute_on_lane_0(%l)[32] {
    vector.print str "one"
  }
  return %r#0, %r#1 : vector<1xf32>, index
}

// -----

// text only: nvgpu.mma.sync: is no product
func.func @f(%a: vector<4x4xi8>, %b: vector<2x4xi8>, %c: vector<2x2xi32>) -> vector<2x2xi32> {
  %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 32]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
  return %d : vector<2x2xi32>
}

// -----

// text only: nvgpu.device_async_copy: copies memory of a layout
func.func @f(%s: memref<4x8xf16, strided<[64, 1], offset: ?>>, %d: memref<5x1x64xf16, #gpu.address_space<workgroup>>, %i: index) {
  %t = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i, %i], 8 {bypassL1} : memref<4x8xf16, strided<[64, 1], offset: ?>> to memref<5x1x64xf16, #gpu.address_space<workgroup>>
  return
}

// -----

// text only: nvgpu.ldmatrix: loads
func.func @f(%m: memref<32x32xi8, 3>, %i: index) -> vector<4x4xi8> {
  %l = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<32x32xi8, 3> -> vector<4x4xi8>
  return %l : vector<4x4xi8>
}

// -----

// text only: nvgpu.mbarrier.create
!group = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
!token = !nvgpu.mbarrier.token
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
func.func @f(%n: index, %p: i1, %m: memref<*xf16>, %s: memref<64x64xf16, 3>) {
  %b = nvgpu.mbarrier.create -> !group
  nvgpu.mbarrier.init %b[%n], %n, predicate = %p : !group
  %t = nvgpu.mbarrier.arrive %b[%n] : !group -> !token
  %u = nvgpu.mbarrier.arrive.nocomplete %b[%n], %n : !group -> !token
  nvgpu.mbarrier.arrive.expect_tx %b[%n], %n : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
  %w = nvgpu.mbarrier.test.wait %b[%n], %t : !group, !token
  nvgpu.mbarrier.try_wait.parity %b[%n], %w, %n : !group
  %d = nvgpu.tma.create.descriptor %m box[%n, %n] : memref<*xf16> -> !map
  nvgpu.tma.prefetch.descriptor %d, predicate = %p : !map
  nvgpu.tma.async.load %d[%n, %n], %b[%n] to %s, predicate = %p : !map, !group -> memref<64x64xf16, 3>
  nvgpu.tma.async.store %s to %d[%n, %n], predicate = %p : memref<64x64xf16, 3> -> !map
  return
}

// -----

// text only: nvgpu.warpgroup.generate.descriptor
!map = !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!mapb = !nvgpu.tensormap.descriptor<tensor = memref<64x128xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
func.func @f(%a: memref<128x64xf16, 3>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>, %m: !map, %o: memref<128x128xf32>) {
  %d = nvgpu.warpgroup.generate.descriptor %a, %m : memref<128x64xf16, 3>, !map -> <tensor = memref<128x64xf16, 3>>
  %c = nvgpu.warpgroup.mma.init.accumulator -> <fragmented = vector<128x128xf32>>
  %e = nvgpu.warpgroup.mma %d, %b, %c {transposeB} : <tensor = memref<128x64xf16, 3>>, <tensor = memref<64x128xf16, 3>>, <fragmented = vector<128x128xf32>> -> <fragmented = vector<128x128xf32>>
  nvgpu.warpgroup.mma.store %e, %o : <fragmented = vector<128x128xf32>> to memref<128x128xf32>
  return
}

// -----

// text only: nvgpu.mma.sp.sync
func.func @f(%a: vector<4x2xf16>, %b: vector<4x2xf16>, %c: vector<2x2xf16>, %m: vector<2xi16>) -> vector<2x2xf16> {
  %d = nvgpu.mma.sp.sync(%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 32]} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return %d : vector<2x2xf16>
}

// -----

// runs
func.func @f(%a: index, %b: index, %n: index, %x: f32) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = memref.alloc(%a, %b) : memref<?x?xf32>
  affine.for %i = 0 to %n {
    %1 = memref.dim %0, %c1 : memref<?x?xf32>
    affine.for %j = 0 to %1 step 264 {
      %2 = memref.dim %0, %c0 : memref<?x?xf32>
      %3 = memref.subview %0[%c0, %c0][%2, %j][%c1, %c1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
      %4 = memref.cast %3 : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
      %5 = memref.dim %4, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
      affine.for %k = 0 to %5 {
        affine.store %x, %0[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
