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
