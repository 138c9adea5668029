func.func @products(%a: memref<2x3xf32>, %b: memref<3x4xf32>, %c: memref<2x4xf32>, %v: memref<?xf32>, %m: memref<?x?xf32>, %s: memref<f32>) {
  linalg.matmul ins(%a, %b : memref<2x3xf32>, memref<3x4xf32>) outs(%c : memref<2x4xf32>)
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : memref<2x3xf32>, memref<3x4xf32>) outs(%c : memref<2x4xf32>)
  linalg.matvec {note = "kept"} ins(%m, %v : memref<?x?xf32>, memref<?xf32>) outs(%v : memref<?xf32>)
  linalg.dot ins(%v, %v : memref<?xf32>, memref<?xf32>) outs(%s : memref<f32>)
  return
}
func.func @integers(%a: memref<2x3xi8>, %b: memref<3x4xi8>, %c: memref<2x4xi32>, %z: i32, %i: memref<2x3xi1>) {
  linalg.quantized_matmul ins(%a, %b, %z, %z : memref<2x3xi8>, memref<3x4xi8>, i32, i32) outs(%c : memref<2x4xi32>)
  linalg.mul ins(%i, %i : memref<2x3xi1>, memref<2x3xi1>) outs(%i : memref<2x3xi1>)
  linalg.add ins(%i, %i : memref<2x3xi1>, memref<2x3xi1>) outs(%i : memref<2x3xi1>)
  linalg.select ins(%i, %a, %a : memref<2x3xi1>, memref<2x3xi8>, memref<2x3xi8>) outs(%a : memref<2x3xi8>)
  return
}
func.func @windows(%x: memref<1x5x5x2xf32>, %k: memref<2x2x2x3xf32>, %w: memref<2x2xf32>, %o: memref<1x2x2x3xf32>, %p: memref<1x4x4x2xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %k : memref<1x5x5x2xf32>, memref<2x2x2x3xf32>) outs(%o : memref<1x2x2x3xf32>)
  linalg.pooling_nhwc_max ins(%x, %w : memref<1x5x5x2xf32>, memref<2x2xf32>) outs(%p : memref<1x4x4x2xf32>)
  return
}
func.func @elementwise(%x: f32, %a: memref<2x3xf32>, %d: memref<2x3xf64>) {
  linalg.fill ins(%x : f32) outs(%d : memref<2x3xf64>)
  linalg.exp ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>)
  linalg.elemwise_binary {cast = #linalg.type_fn<cast_signed>, fun = #linalg.binary_fn<max_signed>} ins(%a, %a : memref<2x3xf32>, memref<2x3xf32>) outs(%d : memref<2x3xf64>)
  linalg.copy ins(%a : memref<2x3xf32>) outs(%d : memref<2x3xf64>)
  return
}
func.func @regions(%x: f32, %a: memref<2x3xf32>, %r: memref<2xf32>, %t: memref<3x2xf32>) {
  linalg.map { math.exp } ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>)
  linalg.map { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%a, %a : memref<2x3xf32>, memref<2x3xf32>) outs(%a : memref<2x3xf32>)
  linalg.map outs(%a : memref<2x3xf32>) () {
    linalg.yield %x : f32
  }
  linalg.map ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>) (%e: f32) {
    %0 = arith.mulf %e, %x : f32
    %1 = arith.addf %0, %e : f32
    linalg.yield %1 : f32
  }
  linalg.reduce { arith.addf } ins(%a : memref<2x3xf32>) outs(%r : memref<2xf32>) dimensions = [1]
  linalg.reduce ins(%a : memref<2x3xf32>) outs(%r : memref<2xf32>) dimensions = [1] (%e: f32, %acc: f32) {
    %0 = arith.subf %e, %acc : f32
    linalg.yield %0 : f32
  }
  linalg.transpose ins(%a : memref<2x3xf32>) outs(%t : memref<3x2xf32>) permutation = [1, 0]
  linalg.broadcast ins(%r : memref<2xf32>) outs(%a : memref<2x3xf32>) dimensions = [1]
  return
}
func.func @generic(%a: memref<?x?xf32>, %b: memref<?xi64>, %x: f32) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "reduction"]} ins(%a, %x : memref<?x?xf32>, f32) outs(%b, %a : memref<?xi64>, memref<?x?xf32>) attrs = {note = "kept"} {
  ^bb0(%e: f32, %s: f32, %n: i64, %o: f32):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.addi %n, %1 : i64
    %3 = arith.mulf %e, %s : f32
    linalg.yield %2, %3 : i64, f32
  }
  return
}
func.func @tensors(%a: tensor<?x3xf32>, %b: tensor<3x4xf32>, %c: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x3xf32>, tensor<3x4xf32>) outs(%c : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = linalg.map { math.exp } ins(%0 : tensor<?x4xf32>) outs(%c : tensor<?x4xf32>)
  return %1 : tensor<?x4xf32>
}
