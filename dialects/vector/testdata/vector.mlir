func.func @moves(%v: vector<4x8xf32>, %w: vector<8xf32>, %i: index, %a: f32, %z: vector<f32>) {
  %0 = vector.broadcast %a : f32 to vector<2x3xf32>
  %1 = vector.broadcast %w : vector<8xf32> to vector<3x8xf32>
  %2 = vector.splat %a : vector<8xf32>
  %3 = vector.shape_cast %v : vector<4x8xf32> to vector<32xf32>
  %4 = vector.shuffle %w, %w [0, 1, 9] : vector<8xf32>, vector<8xf32>
  %5 = vector.shuffle %v, %v [7, 0] : vector<4x8xf32>, vector<4x8xf32>
  %6 = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %7 = vector.extract %v[1] : vector<8xf32> from vector<4x8xf32>
  %8 = vector.extract %w[%i] : f32 from vector<8xf32>
  %9 = vector.extract %v[%i, 2] : f32 from vector<4x8xf32>
  %10 = vector.insert %a, %w [3] : f32 into vector<8xf32>
  %11 = vector.insert %w, %v [2] : vector<8xf32> into vector<4x8xf32>
  %12 = vector.insert %a, %v [2, %i] : f32 into vector<4x8xf32>
  %13 = vector.extractelement %w[%i : index] : vector<8xf32>
  %14 = vector.extractelement %z[] : vector<f32>
  %15 = vector.insertelement %a, %w[%i : index] : vector<8xf32>
  %16 = vector.insertelement %a, %z[] : vector<f32>
  %17 = vector.bitcast %v : vector<4x8xf32> to vector<4x16xi16>
  return
}

func.func @sums(%w: vector<8xf32>, %n: vector<8xi32>, %a: f32, %k: i32) {
  %0 = vector.fma %w, %w, %w : vector<8xf32>
  %1 = vector.reduction <add>, %w : vector<8xf32> into f32
  %2 = vector.reduction <mul>, %w, %a : vector<8xf32> into f32
  %3 = vector.reduction <maximumf>, %w, %a fastmath<reassoc,nnan> : vector<8xf32> into f32
  %4 = vector.reduction <maxui>, %n : vector<8xi32> into i32
  %5 = vector.reduction <xor>, %n, %k : vector<8xi32> into i32
  return
}

func.func @memory(%m: memref<?x?xf32>, %e: memref<?xvector<8xf32>>, %s: memref<8x16xf32, strided<[?, 1], offset: ?>>, %i: index, %j: index) {
  %0 = vector.load %m[%i, %j] : memref<?x?xf32>, vector<8xf32>
  %1 = vector.load %s[%i, %j] {nontemporal = true} : memref<8x16xf32, strided<[?, 1], offset: ?>>, vector<4x8xf32>
  %2 = vector.load %e[%i] : memref<?xvector<8xf32>>, vector<8xf32>
  vector.store %0, %m[%i, %j] : memref<?x?xf32>, vector<8xf32>
  vector.store %0, %e[%i] : memref<?xvector<8xf32>>, vector<8xf32>
  return
}

func.func @slices(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  %0 = vector.extract_strided_slice %v {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  %1 = vector.insert_strided_slice %0, %v {offsets = [1, 0], strides = [1, 1]} : vector<2x8xf32> into vector<4x8xf32>
  %2 = vector.insert_strided_slice %w, %v {offsets = [2, 0], strides = [1]} : vector<8xf32> into vector<4x8xf32>
  %3 = vector.interleave %w, %w : vector<8xf32> -> vector<16xf32>
  %4, %5 = vector.deinterleave %w : vector<8xf32> -> vector<4xf32>
  %6 = vector.flat_transpose %w {columns = 4 : i32, rows = 2 : i32} : vector<8xf32> -> vector<8xf32>
  return
}

func.func @several(%v: vector<4x8xf32>, %w: vector<8xf32>, %a: f32, %v2: vector<8x8xf32>, %acc: vector<4x8xf32>, %z: vector<f32>, %h: vector<8xf16>) {
  %0 = vector.multi_reduction <add>, %v, %w [0] : vector<4x8xf32> to vector<8xf32>
  %1 = vector.multi_reduction <maxnumf>, %v, %a [0, 1] : vector<4x8xf32> to f32
  %2:2 = vector.scan <add>, %v, %w {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<8xf32>
  %3:2 = vector.scan <mul>, %w, %z {inclusive = false, reduction_dim = 0 : i64} : vector<8xf32>, vector<f32>
  %4 = vector.outerproduct %w, %w : vector<8xf32>, vector<8xf32>
  %5 = vector.outerproduct %w, %a, %w {kind = #vector.kind<maxnumf>} : vector<8xf32>, f32
  %6 = vector.outerproduct %w, %a, %w : vector<8xf32>, f32
  %7 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %w, %w, %a : vector<8xf32>, vector<8xf32> into f32
  %8 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxnumf>} %v, %v2, %acc : vector<4x8xf32>, vector<8x8xf32> into vector<4x8xf32>
  %9 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %h, %h, %a : vector<8xf16>, vector<8xf16> into f32
  return
}

func.func @masks(%m: memref<?x?xf32>, %v: vector<4x8xf32>, %w: vector<8xf32>, %a: f32, %i: index, %k: vector<8xi1>, %k2: vector<4x8xi1>) {
  %0 = vector.constant_mask [3] : vector<8xi1>
  %1 = vector.constant_mask [3, 1] : vector<4x8xi1>
  %2 = vector.create_mask %i, %i : vector<4x8xi1>
  %3 = vector.step : vector<8xindex>
  %4 = vector.mask %k { vector.reduction <add>, %w : vector<8xf32> into f32 } : vector<8xi1> -> f32
  %5 = vector.mask %k, %w { vector.transfer_read %m[%i, %i], %a : memref<?x?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  vector.mask %k { vector.transfer_write %w, %m[%i, %i] : vector<8xf32>, memref<?x?xf32> } : vector<8xi1>
  %6 = vector.mask %k2 { vector.multi_reduction <add>, %v, %w [0] : vector<4x8xf32> to vector<8xf32> } : vector<4x8xi1> -> vector<8xf32>
  %7 = vector.mask %k, %w { vector.yield %w : vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  %8 = vector.mask %k, %w { arith.addf %w, %w : vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return
}

func.func @accesses(%m: memref<?x?xf32>, %w: vector<8xf32>, %i: index, %k: vector<8xi1>, %n: vector<8xi32>) {
  %0 = vector.maskedload %m[%i, %i], %k, %w : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %1 = vector.expandload %m[%i, %i], %k, %w : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %2 = vector.gather %m[%i, %i] [%n], %k, %w : memref<?x?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.maskedstore %m[%i, %i], %k, %w : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
  vector.compressstore %m[%i, %i], %k, %w : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
  vector.scatter %m[%i, %i] [%n], %k, %w : memref<?x?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  return
}

func.func @transfers(%m: memref<?x?xf32>, %w: vector<8xf32>, %i: index, %a: f32, %k: vector<8xi1>, %k2: vector<8x4xi1>, %v: vector<4x8xf32>) {
  %0 = vector.transfer_read %m[%i, %i], %a : memref<?x?xf32>, vector<8xf32>
  %1 = vector.transfer_read %m[%i, %i], %a, %k {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x?xf32>, vector<8xf32>
  %2 = vector.transfer_read %m[%i, %i], %a, %k2 {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<4x8xf32>
  %3 = vector.transfer_read %m[%i, %i], %a {in_bounds = [true, true, false], permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>} : memref<?x?xf32>, vector<4x8x2xf32>
  %4 = vector.transfer_read %m[%i, %i], %a : memref<?x?xf32>, vector<f32>
  vector.transfer_write %w, %m[%i, %i], %k : vector<8xf32>, memref<?x?xf32>
  vector.transfer_write %v, %m[%i, %i] {in_bounds = [true, false]} : vector<4x8xf32>, memref<?x?xf32>
  return
}

func.func @text(%w: vector<8xf32>, %m: memref<4x3xf32>, %s: vector<[4]xf32>, %p: vector<4xf32>, %a: f32) {
  vector.print %w : vector<8xf32>
  vector.print %w : vector<8xf32> punctuation <comma>
  vector.print str "hi"
  vector.print punctuation <open>
  %0 = vector.matrix_multiply %w, %w {lhs_columns = 4 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32} : (vector<8xf32>, vector<8xf32>) -> vector<4xf32>
  %1 = vector.type_cast %m : memref<4x3xf32> to memref<vector<4x3xf32>>
  %2 = vector.vscale
  %3 = vector.scalable.insert %p, %s[4] : vector<4xf32> into vector<[4]xf32>
  %4 = vector.scalable.extract %s[0] : vector<4xf32> from vector<[4]xf32>
  return
}

func.func @scaling(%s: vector<[4]xf32>, %w: vector<2x[4]xf32>, %m: memref<?xf32>, %i: index, %a: f32) {
  %0 = vector.broadcast %a : f32 to vector<[4]xf32>
  %1 = vector.extract %w[1] : vector<[4]xf32> from vector<2x[4]xf32>
  %2 = vector.fma %s, %s, %s : vector<[4]xf32>
  %3 = vector.reduction <add>, %s : vector<[4]xf32> into f32
  %4 = vector.load %m[%i] : memref<?xf32>, vector<[4]xf32>
  %5 = vector.create_mask %i : vector<[4]xi1>
  %6 = vector.maskedload %m[%i], %5, %s : memref<?xf32>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
  %7 = vector.outerproduct %s, %s : vector<[4]xf32>, vector<[4]xf32>
  %8 = vector.transfer_read %m[%i], %a, %5 {in_bounds = [true]} : memref<?xf32>, vector<[4]xf32>
  %9 = vector.interleave %s, %s : vector<[4]xf32> -> vector<[8]xf32>
  return
}

func.func @tensors(%t: tensor<?x?xf32>, %a: f32, %i: index, %w: vector<8xf32>, %n: vector<8xi32>, %k: vector<8xi1>) -> tensor<?x?xf32> {
  %0 = vector.transfer_read %t[%i, %i], %a : tensor<?x?xf32>, vector<8xf32>
  %1 = vector.gather %t[%i, %i] [%n], %k, %w : tensor<?x?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %2 = vector.transfer_write %0, %t[%i, %i] {in_bounds = [true]} : vector<8xf32>, tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

func.func @elements(%m: memref<?x?xvector<4x3xf32>>, %n: memref<?x?xvector<4x3xi32>>, %i: index, %v: vector<4x3xf32>, %w: vector<4x3xi32>) {
  %0 = vector.transfer_read %m[%i, %i], %v : memref<?x?xvector<4x3xf32>>, vector<1x1x4x3xf32>
  %1 = vector.transfer_read %n[%i, %i], %w : memref<?x?xvector<4x3xi32>>, vector<5x24xi8>
  vector.transfer_write %0, %m[%i, %i] {in_bounds = [true, true]} : vector<1x1x4x3xf32>, memref<?x?xvector<4x3xf32>>
  vector.transfer_write %1, %n[%i, %i] : vector<5x24xi8>, memref<?x?xvector<4x3xi32>>
  return
}
