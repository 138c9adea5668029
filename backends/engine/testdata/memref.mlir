// run: oob [[1.0, 2.0, 3.0], 2]
// run: oob [[1.0, 2.0, 3.0], 3]
// run: oob [[1.0, 2.0, 3.0], -1]
func.func @oob(%m: memref<?xf64>, %i: index) -> f64 {
  %x = memref.load %m[%i] : memref<?xf64>
  return %x : f64
}

// run: fresh [3]
// run: fresh [0]
// run: fresh [-2]
func.func @fresh(%n: index) -> memref<?x2xi16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc(%n) : memref<?x2xi16>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %s = arith.addi %i, %j : index
      %x = arith.index_cast %s : index to i16
      memref.store %x, %m[%i, %j] : memref<?x2xi16>
    }
  }
  return %m : memref<?x2xi16>
}

// run: views [[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], 1, 2]
// run: views [[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], 2, 1]
// run: views [[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], 3, 3]
func.func @views(%m: memref<3x4xi32>, %o: index, %n: index) -> (i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.subview %m[%o, 1] [%n, 2] [1, 2] : memref<3x4xi32> to memref<?x2xi32, strided<[4, 2], offset: ?>>
  %t = memref.transpose %s (d0, d1) -> (d1, d0) : memref<?x2xi32, strided<[4, 2], offset: ?>> to memref<2x?xi32, strided<[2, 4], offset: ?>>
  %last = arith.subi %n, %c1 : index
  %x = memref.load %t[%c1, %last] : memref<2x?xi32, strided<[2, 4], offset: ?>>
  %c100 = arith.constant 100 : i32
  memref.store %c100, %s[%c0, %c0] : memref<?x2xi32, strided<[4, 2], offset: ?>>
  %d = memref.dim %t, %c1 : memref<2x?xi32, strided<[2, 4], offset: ?>>
  return %x, %d : i32, index
}

// run: copies [[[1, 2], [3, 4], [5, 6]]]
func.func @copies(%m: memref<3x2xi64>) -> memref<2x3xi64> {
  %a = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<3x2xi64> to memref<2x2xi64, strided<[2, 1]>>
  %b = memref.subview %m[1, 0] [2, 2] [1, 1] : memref<3x2xi64> to memref<2x2xi64, strided<[2, 1], offset: 2>>
  memref.copy %a, %b : memref<2x2xi64, strided<[2, 1]>> to memref<2x2xi64, strided<[2, 1], offset: 2>>
  %c = memref.collapse_shape %m [[0, 1]] : memref<3x2xi64> into memref<6xi64>
  %e = memref.expand_shape %c [[0, 1]] output_shape [2, 3] : memref<6xi64> into memref<2x3xi64>
  %n = memref.alloc() : memref<2x3xi64>
  memref.copy %e, %n : memref<2x3xi64> to memref<2x3xi64>
  return %n : memref<2x3xi64>
}

memref.global "private" constant @table : memref<2x2xf32> = dense<[[1.5, -2.0], [3.0, 0.1]]>
memref.global @counter : memref<1xi32> = dense<40>
// run: globals [1, 1]
// run: globals [0, 1]
// run: globals [2, 0]
func.func @globals(%i: index, %j: index) -> (f32, i32) {
  %t = memref.get_global @table : memref<2x2xf32>
  %x = memref.load %t[%i, %j] : memref<2x2xf32>
  %c = memref.get_global @counter : memref<1xi32>
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %o = memref.atomic_rmw addi %one, %c[%c0] : (i32, memref<1xi32>) -> i32
  return %x, %o : f32, i32
}

// run: atomics [[1.0, 5.0, -3.0], 2.0]
// run: atomics [["NaN", -0.0, -3.0], 0.0]
func.func @atomics(%m: memref<3xf64>, %x: f64) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.atomic_rmw maximumf %x, %m[%c0] : (f64, memref<3xf64>) -> f64
  %b = memref.atomic_rmw mulf %x, %m[%c1] : (f64, memref<3xf64>) -> f64
  %c = memref.generic_atomic_rmw %m[%c2] : memref<3xf64> {
  ^bb0(%old: f64):
    %n = arith.addf %old, %x : f64
    memref.atomic_yield %n : f64
  }
  return %a, %b, %c : f64, f64, f64
}

// run: stack [4]
func.func @stack(%n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %m = memref.alloca(%n) : memref<?xi1>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.addi %i, %c1 : index
    %tmp = memref.alloca(%k) : memref<?xi1>
    memref.store %t, %tmp[%i] : memref<?xi1>
    %x = memref.load %tmp[%i] : memref<?xi1>
    memref.store %x, %m[%i] : memref<?xi1>
  }
  %last = arith.subi %n, %c1 : index
  %r = memref.load %m[%last] : memref<?xi1>
  return %r : i1
}

// Memory of each round, in a loop that carries other.
// run: scratch [[0, 0], [0, 0], 300]
func.func @scratch(%a: memref<2xi64>, %b: memref<2xi64>, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c256 = arith.constant 256 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<2xi64>, memref<2xi64>) {
    %tmp = memref.alloca() : memref<2048xi8>
    %words = memref.view %tmp[%c0][] : memref<2048xi8> to memref<256xi64>
    %k = arith.index_cast %i : index to i64
    %at = arith.remui %i, %c256 : index
    %j = arith.muli %i, %i : index
    %next = arith.remui %j, %c256 : index
    memref.store %k, %words[%at] : memref<256xi64>
    memref.store %k, %words[%next] : memref<256xi64>
    %odd = arith.remui %j, %c2 : index
    %p = arith.cmpi eq, %odd, %c1 : index
    %q = arith.select %p, %at, %next : index
    %old = memref.load %x[%c0] : memref<2xi64>
    %new = memref.load %words[%q] : memref<256xi64>
    %s = arith.addi %old, %new : i64
    memref.store %s, %x[%c0] : memref<2xi64>
    scf.yield %y, %x : memref<2xi64>, memref<2xi64>
  }
  %r0 = memref.load %r#0[%c0] : memref<2xi64>
  return %r0 : i64
}

// run: swap [[1, 2], [3, 4], 3]
func.func @swap(%a: memref<?xi8>, %b: memref<?xi8>, %n: index) -> (memref<?xi8>, i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<?xi8>, memref<?xi8>) {
    scf.yield %y, %x : memref<?xi8>, memref<?xi8>
  }
  %v = memref.load %r#0[%c1] : memref<?xi8>
  return %r#0, %v : memref<?xi8>, i8
}

// run: choose [true, [[1, 2, 3]], [[4, 5, 6]]]
// run: choose [false, [[1, 2, 3]], [[4, 5, 6]]]
func.func @choose(%c: i1, %a: memref<1x?xi32>, %b: memref<1x?xi32>) -> i32 {
  %m = arith.select %c, %a, %b : memref<1x?xi32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %x = memref.load %m[%c0, %c2] : memref<1x?xi32>
  return %x : i32
}

// run: reinterpret [[1, 2, 3, 4, 5, 6], 1]
// run: reinterpret [[1, 2, 3, 4, 5, 6], 3]
func.func @reinterpret(%m: memref<6xi32>, %o: index) -> (i32, index) {
  %c1 = arith.constant 1 : index
  %r = memref.reinterpret_cast %m to offset: [%o], sizes: [2, 2], strides: [2, 1] : memref<6xi32> to memref<2x2xi32, strided<[2, 1], offset: ?>>
  %b, %off, %s:2, %t:2 = memref.extract_strided_metadata %r : memref<2x2xi32, strided<[2, 1], offset: ?>> -> memref<i32>, index, index, index, index, index
  %x = memref.load %r[%c1, %c1] : memref<2x2xi32, strided<[2, 1], offset: ?>>
  return %x, %off : i32, index
}

// run: grow [[1, 2, 3]]
func.func @grow(%m: memref<3xi32>) -> (i32, index) {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %a = memref.alloc() : memref<3xi32>
  memref.copy %m, %a : memref<3xi32> to memref<3xi32>
  %b = memref.cast %a : memref<3xi32> to memref<?xi32>
  %g = memref.realloc %b(%c5) : memref<?xi32> to memref<?xi32>
  %x = memref.load %g[%c2] : memref<?xi32>
  %c0 = arith.constant 0 : index
  %d = memref.dim %g, %c0 : memref<?xi32>
  memref.dealloc %g : memref<?xi32>
  return %x, %d : i32, index
}

// run: reshaped [[1, 2, 3, 4, 5, 6], [2, 3]]
// run: reshaped [[1, 2, 3, 4, 5, 6], [2, 4]]
func.func @reshaped(%m: memref<6xi32>, %s: memref<2xindex>) -> i32 {
  %c1 = arith.constant 1 : index
  %r = memref.reshape %m(%s) : (memref<6xi32>, memref<2xindex>) -> memref<?x?xi32>
  %x = memref.load %r[%c1, %c1] : memref<?x?xi32>
  return %x : i32
}

// run: scope [3]
func.func @scope(%n: index) -> i64 {
  %c7 = arith.constant 7 : i64
  %r = memref.alloca_scope -> (i64) {
    %m = memref.alloca(%n) : memref<?xi64>
    %c0 = arith.constant 0 : index
    memref.store %c7, %m[%c0] : memref<?xi64>
    %x = memref.load %m[%c0] : memref<?xi64>
    memref.alloca_scope.return %x : i64
  }
  return %r : i64
}

// run: dims [[[1, 2, 3]], 1]
// run: dims [[[1, 2, 3]], 2]
func.func @dims(%m: memref<?x?xi32>, %i: index) -> index {
  %d = memref.dim %m, %i : memref<?x?xi32>
  return %d : index
}

// run: lie [[1, 2]]
// run: lie [[1, 2, 3, 4]]
func.func @lie(%m: memref<?xi32>) -> i32 {
  %c = memref.cast %m : memref<?xi32> to memref<4xi32>
  %r = func.call @last(%c) : (memref<4xi32>) -> i32
  return %r : i32
}
func.func @last(%m: memref<4xi32>) -> i32 {
  %c3 = arith.constant 3 : index
  %x = memref.load %m[%c3] : memref<4xi32>
  return %x : i32
}

// run: bytes [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], 0, 1, 1.5]
// run: bytes [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], 8, 1, -0.0]
// run: bytes [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], 8, 2, 1.5]
// run: bytes [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], 2, 0, 1.5]
// run: bytes [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], -4, 0, 1.5]
// run: bytes [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], 100, 0, 1.5]
// run: bytes [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], 4611686018427387904, 0, 1.5]
// run: bytes [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], 8, 1, 1.5]
// run: bytes [[], 0, 0, 1.5]
func.func @bytes(%m: memref<?xi8>, %shift: index, %i: index, %x: f32) -> (f32, i16, i8, memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %v = memref.view %m[%shift][] : memref<?xi8> to memref<4xf32>
  memref.store %x, %v[%i] : memref<4xf32>
  %y = memref.load %v[%i] : memref<4xf32>
  %w = memref.view %m[%c0][] : memref<?xi8> to memref<2x4xi16>
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = memref.load %w[%c0, %c3] : memref<2x4xi16>
  %c15 = arith.constant 15 : index
  %b = memref.load %m[%c15] : memref<?xi8>
  return %y, %z, %b, %m : f32, i16, i8, memref<?xi8>
}

// Elements of every kind, as bytes and back.
// run: kinds [5, 305419896, 1.25]
// run: kinds [-3, -2, -1e10]
func.func @kinds(%a: i3, %b: i33, %x: f64) -> (memref<64xi8>, i3, i24, i33, index, f16, bf16, vector<2xi16>, i1) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %c40 = arith.constant 40 : index
  %c48 = arith.constant 48 : index
  %c56 = arith.constant 56 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i8
  %m = memref.alloc() : memref<64xi8>
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %zero, %m[%i] : memref<64xi8>
  }
  %i3 = memref.view %m[%c0][] : memref<64xi8> to memref<8xi3>
  memref.store %a, %i3[%c1] : memref<8xi3>
  %i24 = memref.view %m[%c8][] : memref<64xi8> to memref<2xi24>
  %t = arith.trunci %b : i33 to i24
  memref.store %t, %i24[%c1] : memref<2xi24>
  %i33 = memref.view %m[%c16][] : memref<64xi8> to memref<1xi33>
  memref.store %b, %i33[%c0] : memref<1xi33>
  %idx = memref.view %m[%c24][] : memref<64xi8> to memref<1xindex>
  memref.store %c24, %idx[%c0] : memref<1xindex>
  %h = memref.view %m[%c32][] : memref<64xi8> to memref<4xf16>
  %xh = arith.truncf %x : f64 to f16
  memref.store %xh, %h[%c1] : memref<4xf16>
  %bf = memref.view %m[%c40][] : memref<64xi8> to memref<4xbf16>
  %xb = arith.truncf %x : f64 to bf16
  memref.store %xb, %bf[%c1] : memref<4xbf16>
  %vec = memref.view %m[%c48][] : memref<64xi8> to memref<2xvector<2xi16>>
  %dense = arith.constant dense<[-1, 258]> : vector<2xi16>
  memref.store %dense, %vec[%c1] : memref<2xvector<2xi16>>
  %bits = memref.view %m[%c56][] : memref<64xi8> to memref<8xi1>
  %true = arith.constant true
  memref.store %true, %bits[%c1] : memref<8xi1>
  %r0 = memref.load %i3[%c1] : memref<8xi3>
  %r1 = memref.load %i24[%c1] : memref<2xi24>
  %r2 = memref.load %i33[%c0] : memref<1xi33>
  %r3 = memref.load %idx[%c0] : memref<1xindex>
  %r4 = memref.load %h[%c1] : memref<4xf16>
  %r5 = memref.load %bf[%c1] : memref<4xbf16>
  %r6 = memref.load %vec[%c1] : memref<2xvector<2xi16>>
  %r7 = memref.load %bits[%c1] : memref<8xi1>
  return %m, %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : memref<64xi8>, i3, i24, i33, index, f16, bf16, vector<2xi16>, i1
}

// run: onstack [-3, 1]
// run: onstack [-3, 2]
func.func @onstack(%x: i64, %at: index) -> (i32, memref<2x1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = memref.alloca() : memref<16xi8>
  %v = memref.view %s[%c0][%at] : memref<16xi8> to memref<?xi64>
  scf.for %i = %c0 to %at step %c1 {
    memref.store %x, %v[%i] : memref<?xi64>
  }
  %w = memref.view %s[%c4][] : memref<16xi8> to memref<3xi32>
  %y = memref.load %w[%c0] : memref<3xi32>
  %m = memref.alloc() : memref<2x1xi64>
  %last = memref.load %v[%c0] : memref<?xi64>
  memref.store %last, %m[%c0, %c0] : memref<2x1xi64>
  memref.store %last, %m[%c1, %c0] : memref<2x1xi64>
  return %y, %m : i32, memref<2x1xi64>
}

// run: size [[1, 2, 3, 4], -1]
// run: size [[1, 2, 3, 4], 1]
func.func @size(%m: memref<4xi8>, %n: index) -> i16 {
  %c0 = arith.constant 0 : index
  %v = memref.view %m[%c0][%n] : memref<4xi8> to memref<?xi16>
  %x = memref.load %v[%c0] : memref<?xi16>
  return %x : i16
}

// Memory under another element type of the same size, with an offset.
// run: cast [[1, 2, 3, 4], 1.5]
func.func @cast(%m: memref<4xi32>, %x: f32) -> (i32, i32, memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %y = memref.load %m[%c1] : memref<4xi32>
  %s = memref.subview %m[1] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 1>>
  %v = arith.bitcast %s : memref<2xi32, strided<[1], offset: 1>> to memref<2xf32, strided<[1], offset: 1>>
  scf.for %i = %c0 to %c3 step %c1 {
    %l = memref.load %m[%c1] : memref<4xi32>
    %f = arith.sitofp %l : i32 to f32
    %g = arith.addf %f, %x : f32
    memref.store %g, %v[%c0] : memref<2xf32, strided<[1], offset: 1>>
  }
  %z = memref.load %m[%c1] : memref<4xi32>
  return %y, %z, %m : i32, i32, memref<4xi32>
}

// run: rows [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 1]
// run: rows [[[1.0, 2.0], [3.0, 4.0]], 2]
func.func @rows(%m: memref<?xvector<2xf32>>, %i: index) -> (vector<2xf32>, memref<?xvector<2xf32>>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%i] : memref<?xvector<2xf32>>
  %y = arith.addf %x, %x : vector<2xf32>
  memref.store %y, %m[%c0] : memref<?xvector<2xf32>>
  return %x, %m : vector<2xf32>, memref<?xvector<2xf32>>
}

// The address is that of the memory: of a part it is the same, of bytes behind a shift it is
// as much further on, and no other's.
// run: addresses [3]
// run: addresses [0]
func.func @addresses(%n: index) -> (i1, i1, index) {
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<32xi8>
  %b = memref.alloc() : memref<32xi8>
  %part = memref.subview %a[%n] [2] [1] : memref<32xi8> to memref<2xi8, strided<[1], offset: ?>>
  %shifted = memref.view %a[%c8][] : memref<32xi8> to memref<2xf64>
  %pa = memref.extract_aligned_pointer_as_index %a : memref<32xi8> -> index
  %pb = memref.extract_aligned_pointer_as_index %b : memref<32xi8> -> index
  %pp = memref.extract_aligned_pointer_as_index %part : memref<2xi8, strided<[1], offset: ?>> -> index
  %ps = memref.extract_aligned_pointer_as_index %shifted : memref<2xf64> -> index
  %same = arith.cmpi eq, %pa, %pp : index
  %other = arith.cmpi eq, %pa, %pb : index
  %shift = arith.subi %ps, %pa : index
  memref.dealloc %a : memref<32xi8>
  memref.dealloc %b : memref<32xi8>
  return %same, %other, %shift : i1, i1, index
}

// Memory of open extents that two branches give, each of which has a loop that memory goes round.
// run: memory_of_branches [3, 4, true]
// run: memory_of_branches [3, 4, false]
func.func @memory_of_branches(%n: index, %m: index, %c: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 1 : i64
  %a = memref.alloc(%c2, %n, %m) : memref<?x?x?xi64>
  %b = memref.alloc(%c2, %m, %n) : memref<?x?x?xi64>
  %r = scf.if %c -> (memref<?x?x?xi64>) {
    %p:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (memref<?x?x?xi64>, memref<?x?x?xi64>) {
      memref.store %x, %u[%c1, %c1, %c2] : memref<?x?x?xi64>
      scf.yield %v, %u : memref<?x?x?xi64>, memref<?x?x?xi64>
    }
    scf.yield %p#0 : memref<?x?x?xi64>
  } else {
    %p:2 = scf.for %i = %c0 to %m step %c1 iter_args(%u = %a, %v = %b) -> (memref<?x?x?xi64>, memref<?x?x?xi64>) {
      memref.store %x, %v[%c1, %c2, %c1] : memref<?x?x?xi64>
      scf.yield %v, %u : memref<?x?x?xi64>, memref<?x?x?xi64>
    }
    scf.yield %p#1 : memref<?x?x?xi64>
  }
  memref.store %x, %r[%c1, %c2, %c1] : memref<?x?x?xi64>
  %d = memref.dim %r, %c2 : memref<?x?x?xi64>
  %y = memref.load %r[%c1, %c2, %c1] : memref<?x?x?xi64>
  memref.store %x, %r[%c1, %c1, %c2] : memref<?x?x?xi64>
  %z = memref.load %r[%c1, %c1, %c2] : memref<?x?x?xi64>
  %e = arith.index_cast %d : index to i64
  %f = arith.addi %y, %e : i64
  %g = arith.addi %f, %z : i64
  memref.dealloc %a : memref<?x?x?xi64>
  memref.dealloc %b : memref<?x?x?xi64>
  return %g : i64
}

// An extent of 2^40 twice is more than there is.
// run: too_large [1, 0, 1]
func.func @too_large(%x: i64, %i: index, %j: index) -> i64 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1099511627776x1099511627776xi64>
  memref.store %x, %m[%i, %c0] : memref<1099511627776x1099511627776xi64>
  memref.store %x, %m[%j, %c0] : memref<1099511627776x1099511627776xi64>
  %y = memref.load %m[%i, %c0] : memref<1099511627776x1099511627776xi64>
  return %y : i64
}
