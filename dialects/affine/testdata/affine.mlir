#pair = affine_map<(d0)[s0] -> (d0 mod 7, d0 floordiv 4 + s0 * 3, d0 ceildiv 5)>
#inside = affine_set<(d0)[s0] : (d0 - 3 >= 0, s0 - d0 - 1 == 0)>
func.func @loops(%m: memref<?xf32>, %n: index, %x: f32) -> f32 {
  %z = affine.for %i = max affine_map<(d0)[s0] -> (d0, s0 + 1)>(%n)[%n] to min #pair(%n)[%n] step 2 iter_args(%a = %x) -> f32 {
    %l = affine.load %m[%i * 3 + symbol(%n) - 1] : memref<?xf32>
    %k = affine.if #inside(%i)[%n] -> f32 {
      affine.yield %l : f32
    } else {
      affine.yield %a : f32
    }
    affine.store %k, %m[%i floordiv 2] {note = 3 : i32} : memref<?xf32>
    affine.yield %k : f32
  }
  affine.for %i = 0 to 10 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n {
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %j) {
        affine.store %x, %m[%i + %j] : memref<?xf32>
      }
    } {tag = "kept"}
  }
  return %z : f32
}
func.func @indices(%n: index, %k: index) -> (index, index, index, index) {
  %q = affine.apply affine_map<(d0, d1)[s0] -> (d0 + d1 floordiv s0)>(%n, %n)[%k]
  %w = affine.min affine_map<(d0) -> (d0, 100 - d0)>(%q)
  %v = affine.max affine_map<(d0)[s0] -> (d0, s0 * 2)>(%q)[%n]
  %d:2 = affine.delinearize_index %n into (%n, %k) : index, index
  return %q, %w, %v, %d#1 : index, index, index, index
}
func.func @parallel(%m: memref<?x?xf32>, %n: index) -> (f32, f32) {
  %r:2 = affine.parallel (%i, %j) = (0, max(0, %n - 3)) to (%n, min(%n + 2, 10)) step (1, 3) reduce ("addf", "maximumf") -> (f32, f32) {
    %v = affine.load %m[%i, %j] : memref<?x?xf32>
    affine.yield %v, %v : f32, f32
  }
  affine.parallel (%i) = (0) to (symbol(%n)) {
    affine.prefetch %m[%i, 0], read, locality<3>, data : memref<?x?xf32>
  }
  return %r#0, %r#1 : f32, f32
}
func.func @text(%m: memref<?xf32>, %f: memref<?xf32, 1>, %t: memref<1xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %v = affine.vector_load %m[%n] : memref<?xf32>, vector<4xf32>
  affine.vector_store %v, %m[%n + 1] : memref<?xf32>, vector<4xf32>
  affine.dma_start %m[%n], %f[%n + 7], %t[0], %n, %c1, %n : memref<?xf32>, memref<?xf32, 1>, memref<1xi32>
  affine.dma_wait %t[0], %n : memref<1xi32>
  return
}
