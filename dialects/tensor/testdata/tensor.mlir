// Every op of the dialect, in its own syntax.

func.func @product(%a: tensor<?x3xf64>, %b: tensor<3x2xf64>) -> tensor<?x2xf64> {
  %c = ten.einsum "ij,jk->ik" %a, %b : tensor<?x3xf64>, tensor<3x2xf64> -> tensor<?x2xf64>
  return %c : tensor<?x2xf64>
}

// Batches by `...`: %b is stretched along the first dimension.
func.func @batches(%a: tensor<2x2x3xf32>, %b: tensor<1x3x2xf32>) -> tensor<2x2x2xf32> {
  %c = ten.einsum "...ij,...jk->...ik" %a, %b : tensor<2x2x3xf32>, tensor<1x3x2xf32> -> tensor<2x2x2xf32>
  return %c : tensor<2x2x2xf32>
}

// The diagonal, the trace, an outer product, and a chain of three.
func.func @indices(%a: tensor<2x2xi32>, %v: tensor<3xi32>) -> (tensor<2xi32>, tensor<i32>, tensor<3x3xi32>, tensor<i32>) {
  %d = ten.einsum "ii->i" %a : tensor<2x2xi32> -> tensor<2xi32>
  %t = ten.einsum "ii->" %a : tensor<2x2xi32> -> tensor<i32>
  %o = ten.einsum "i,j->ij" %v, %v : tensor<3xi32>, tensor<3xi32> -> tensor<3x3xi32>
  %q = ten.einsum "i,ij,j->" %v, %o, %v : tensor<3xi32>, tensor<3x3xi32>, tensor<3xi32> -> tensor<i32>
  return %d, %t, %o, %q : tensor<2xi32>, tensor<i32>, tensor<3x3xi32>, tensor<i32>
}

// Bytes, summed up as integers of 32 bits.
func.func @bytes(%a: tensor<2x?xi8>, %b: tensor<?x2xi8>) -> tensor<2x2xi32> {
  %c = ten.einsum "ij,jk->ik" %a, %b : tensor<2x?xi8>, tensor<?x2xi8> -> tensor<2x2xi32>
  return %c : tensor<2x2xi32>
}

func.func @halves(%a: tensor<2x4xf16>, %b: tensor<4xbf16>) -> (tensor<2xf16>, tensor<bf16>) {
  %c = ten.reduce add %a along [1] : tensor<2x4xf16>
  %d = ten.einsum "i,i->" %b, %b : tensor<4xbf16>, tensor<4xbf16> -> tensor<bf16>
  return %c, %d : tensor<2xf16>, tensor<bf16>
}

func.func @maps(%a: tensor<2x?xf64>, %b: tensor<2x1xf64>, %s: f64) -> (tensor<2x?xf64>, tensor<2xf64>, tensor<?xf64>, tensor<2x?xf64>) {
  %c = ten.map (%x = %a : tensor<2x?xf64>, %y = %b : tensor<2x1xf64>) -> tensor<2x?xf64> {
    %0 = arith.subf %x, %y : f64
    %1 = arith.mulf %0, %s : f64
    ten.yield %1 : f64
  }
  %d = arith.addf %c, %a : tensor<2x?xf64>
  %m = ten.reduce max %d along [1] : tensor<2x?xf64>
  %p = ten.reduce mul %d along [0] : tensor<2x?xf64>
  %n = ten.reduce min %d along [] : tensor<2x?xf64>
  return %d, %m, %p, %n : tensor<2x?xf64>, tensor<2xf64>, tensor<?xf64>, tensor<2x?xf64>
}

func.func @moved(%a: tensor<2x3xi64>, %n: index) -> (tensor<3x2xi64>, tensor<?x2xi64>, tensor<6xi64>, tensor<2x3xi64>, i64, index) {
  %t = ten.transpose %a [1, 0] : tensor<2x3xi64>
  %r = ten.reshape %t [%n] : tensor<3x2xi64> -> tensor<?x2xi64>
  %f = ten.reshape %a : tensor<2x3xi64> -> tensor<6xi64>
  %i = ten.iota 1 : tensor<2x3xi64>
  %s = arith.addi %a, %i : tensor<2x3xi64>
  %c1 = arith.constant 1 : index
  %e = ten.extract %r[%c1, %c1] : tensor<?x2xi64>
  %d = ten.dim %r, 0 : tensor<?x2xi64>
  return %t, %r, %f, %s, %e, %d : tensor<3x2xi64>, tensor<?x2xi64>, tensor<6xi64>, tensor<2x3xi64>, i64, index
}

func.func @turned(%a: tensor<1x2x3xi32>) -> tensor<3x1x2xi32> {
  %0 = ten.transpose %a [1, 2, 0] : tensor<1x2x3xi32>
  %1 = ten.transpose %0 [1, 2, 0] : tensor<2x3x1xi32>
  return %1 : tensor<3x1x2xi32>
}

func.func @made(%x: f32, %n: index) -> (tensor<2x?xf32>, tensor<?xi32>, tensor<2x3xf64>) {
  %f = ten.fill %x[%n] : tensor<2x?xf32>
  %i = ten.iota 0[%n] : tensor<?xi32>
  %c = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]]> : tensor<2x3xf64>
  return %f, %i, %c : tensor<2x?xf32>, tensor<?xi32>, tensor<2x3xf64>
}

func.func @memory(%m: memref<2x2xf64>) -> memref<2x2xf64> {
  %t = ten.pack %m : memref<2x2xf64>
  %s = ten.einsum "ij,jk->ik" %t, %t : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>
  %r = ten.unpack %s : tensor<2x2xf64>
  return %r : memref<2x2xf64>
}

func.func @written(%a: memref<2x3xf64>, %b: memref<3x2xf64>, %c: memref<2x2xf64>, %d: memref<?x?xf64>) {
  %x = ten.pack %a : memref<2x3xf64>
  %y = ten.pack %b : memref<3x2xf64>
  %z = ten.einsum "ij,jk->ik" %x, %y : tensor<2x3xf64>, tensor<3x2xf64> -> tensor<2x2xf64>
  ten.write %z to %c : tensor<2x2xf64>, memref<2x2xf64>
  %t = ten.transpose %y [1, 0] : tensor<3x2xf64>
  %s = arith.addf %x, %t : tensor<2x3xf64>
  ten.write %s to %d : tensor<2x3xf64>, memref<?x?xf64>
  return
}

func.func @rows(%x: tensor<2x?xf64>, %s: tensor<?xf64>) -> (tensor<2x?xf64>, tensor<2xf64>, tensor<2xi64>, tensor<2x?xf64>) {
  %a = ten.softmax %x along 1 : tensor<2x?xf64>
  %b = ten.logsumexp %x along 1 : tensor<2x?xf64>
  %c = ten.argmax %x along 1 : tensor<2x?xf64>
  %d = ten.layer_norm %x scale %s bias %s epsilon 0.0 : f64 : tensor<2x?xf64>, tensor<?xf64>, tensor<?xf64>
  return %a, %b, %c, %d : tensor<2x?xf64>, tensor<2xf64>, tensor<2xi64>, tensor<2x?xf64>
}

func.func @sliced(%x: tensor<?x4xi32>, %i: index, %n: index) -> (tensor<?x2xi32>, tensor<?x6xi32>, tensor<?x4xi32>) {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %a = ten.slice %x[%i, %c0] by [1, 2] extents[%n] : tensor<?x4xi32> -> tensor<?x2xi32>
  %p = ten.pad %a with %seven low [1, 0] high [0, 1] : tensor<?x2xi32>
  %b = ten.concat %p, %p along 1 : tensor<?x3xi32>, tensor<?x3xi32>
  return %a, %b, %x : tensor<?x2xi32>, tensor<?x6xi32>, tensor<?x4xi32>
}

func.func @conv(%x: tensor<?x4x?x3xf32>, %w: tensor<2x4x2x2xf32>, %y: tensor<1x2x5xi8>, %v: tensor<4x1x3xi8>) -> (tensor<?x2x?x3xf32>, tensor<1x4x2xi32>) {
  %a = ten.conv %x by %w low [1, 0] high [0, 1] strides [2, 1] dilations [1, 1] groups 1 : tensor<?x4x?x3xf32>, tensor<2x4x2x2xf32> -> tensor<?x2x?x3xf32>
  %b = ten.conv %y by %v low [1] high [1] strides [2] dilations [2] groups 2 : tensor<1x2x5xi8>, tensor<4x1x3xi8> -> tensor<1x4x2xi32>
  return %a, %b : tensor<?x2x?x3xf32>, tensor<1x4x2xi32>
}

// A tensor that a loop carries.
func.func @power(%a: tensor<2x2xf64>, %n: index) -> tensor<2x2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (tensor<2x2xf64>) {
    %q = ten.einsum "ij,jk->ik" %p, %a : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>
    scf.yield %q : tensor<2x2xf64>
  }
  return %r : tensor<2x2xf64>
}

func.func @pools(%x: tensor<?x1x4xi32>, %y: tensor<1x1x?x3xf64>) -> (tensor<?x1x2xi32>, tensor<?x1x2xi64>, tensor<1x1x?x2xf64>, tensor<1x1x?x2xf64>, tensor<1x1x?x3xf64>) {
  %a = ten.pool max %x window [3] low [1] high [0] strides [2] dilations [1] : tensor<?x1x4xi32> -> tensor<?x1x2xi32>
  %b = ten.pool add %x window [2] low [0] high [0] strides [1] dilations [2] : tensor<?x1x4xi32> -> tensor<?x1x2xi64>
  %c = ten.pool average %y window [2, 2] low [1, 0] high [0, 0] strides [1, 1] dilations [1, 1] : tensor<1x1x?x3xf64> -> tensor<1x1x?x2xf64>
  %d = ten.pool padded_average %y window [2, 2] low [1, 0] high [0, 0] strides [1, 1] dilations [1, 1] : tensor<1x1x?x3xf64> -> tensor<1x1x?x2xf64>
  %e = ten.pool min %y window [2, 1] low [0, 0] high [1, 0] strides [1, 1] dilations [1, 1] : tensor<1x1x?x3xf64> -> tensor<1x1x?x3xf64>
  return %a, %b, %c, %d, %e : tensor<?x1x2xi32>, tensor<?x1x2xi64>, tensor<1x1x?x2xf64>, tensor<1x1x?x2xf64>, tensor<1x1x?x3xf64>
}

func.func @extended(%x: tensor<?x3xi8>) -> (tensor<?x6xi8>, tensor<?x6xi8>, tensor<?x7xi8>) {
  %a = ten.extend edge %x low [1, 2] high [0, 1] : tensor<?x3xi8>
  %b = ten.extend reflect %x low [1, 2] high [1, 1] : tensor<?x3xi8>
  %c = ten.extend wrap %x low [0, 1] high [2, 3] : tensor<?x3xi8>
  return %a, %b, %c : tensor<?x6xi8>, tensor<?x6xi8>, tensor<?x7xi8>
}

// Rows by number, and the reverse; an element of each row.
func.func @places(%x: tensor<3x2xf32>, %i: tensor<?xi64>, %j: tensor<3x1xi8>) -> (tensor<?x2xf32>, tensor<3x2xf32>, tensor<3x1xf32>, tensor<3x2xf32>) {
  %a = ten.gather %x by %i along 0 : tensor<3x2xf32>, tensor<?xi64>
  %b = ten.scatter add %a to %x by %i along 0 : tensor<?x2xf32>, tensor<3x2xf32>, tensor<?xi64>
  %c = ten.gather_elements %x by %j along 1 : tensor<3x2xf32>, tensor<3x1xi8>
  %d = ten.scatter_elements set %c to %b by %j along 0 : tensor<3x1xf32>, tensor<3x2xf32>, tensor<3x1xi8>
  return %a, %b, %c, %d : tensor<?x2xf32>, tensor<3x2xf32>, tensor<3x1xf32>, tensor<3x2xf32>
}

func.func @activations(%x: tensor<?xf16>, %y: tensor<3xf64>) -> (tensor<?xf16>, tensor<?xf16>, tensor<3xf64>) {
  %a = ten.relu %x above 1.0 : f64 : tensor<?xf16>
  %b = ten.gelu exact %x : tensor<?xf16>
  %c = ten.gelu tanh %y : tensor<3xf64>
  return %a, %b, %c : tensor<?xf16>, tensor<?xf16>, tensor<3xf64>
}

// A tensor is what the memory held that it is packed from, though that is written to before the tensor is used.
func.func @kept(%m: memref<2x2xf64>) -> (tensor<2x2xf64>, f64) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9.0 : f64
  %t = ten.pack %m : memref<2x2xf64>
  memref.store %nine, %m[%c0, %c0] : memref<2x2xf64>
  %v = memref.load %m[%c0, %c0] : memref<2x2xf64>
  %r = ten.map (%x = %t : tensor<2x2xf64>) -> tensor<2x2xf64> {
    %s = arith.addf %x, %v : f64
    ten.yield %s : f64
  }
  return %r, %v : tensor<2x2xf64>, f64
}

// A product in the place of its factor, and a transpose in its own.
func.func @in_place(%m: memref<2x2xf64>) -> tensor<2x2xf64> {
  %t = ten.pack %m : memref<2x2xf64>
  %p = ten.einsum "ij,jk->ik" %t, %t : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>
  ten.write %p to %m : tensor<2x2xf64>, memref<2x2xf64>
  %u = ten.pack %m : memref<2x2xf64>
  %q = ten.transpose %u [1, 0] : tensor<2x2xf64>
  ten.write %q to %m : tensor<2x2xf64>, memref<2x2xf64>
  %r = ten.pack %m : memref<2x2xf64>
  return %r : tensor<2x2xf64>
}

// Rounds of a loop that hand a tensor on and write to what it was packed from.
func.func @handed(%m: memref<2xf64>, %n: index) -> tensor<2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = ten.pack %m : memref<2xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<2xf64>) {
    %v = memref.load %m[%c0] : memref<2xf64>
    %e = ten.extract %t[%c1] : tensor<2xf64>
    %w = arith.addf %v, %e : f64
    memref.store %w, %m[%c0] : memref<2xf64>
    memref.store %v, %m[%c1] : memref<2xf64>
    %u = ten.pack %m : memref<2xf64>
    scf.yield %u : tensor<2xf64>
  }
  return %r : tensor<2xf64>
}

// What memory held two rounds ago, under other extents.
func.func @delayed(%m: memref<2xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = ten.pack %m : memref<2xf64>
  %y = ten.reshape %x : tensor<2xf64> -> tensor<1x2xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y, %t = %y) -> (tensor<1x2xf64>, tensor<1x2xf64>) {
    %v = memref.load %m[%c1] : memref<2xf64>
    %w = arith.addf %v, %v : f64
    memref.store %w, %m[%c1] : memref<2xf64>
    %u = ten.pack %m : memref<2xf64>
    %z = ten.reshape %u : tensor<2xf64> -> tensor<1x2xf64>
    scf.yield %t, %z : tensor<1x2xf64>, tensor<1x2xf64>
  }
  %e = ten.extract %r#0[%c0, %c1] : tensor<1x2xf64>
  return %e : f64
}

// Of updates of one element the last stays.
func.func @last(%x: tensor<3xf64>, %i: tensor<?xi64>, %u: tensor<?xf64>) -> tensor<3xf64> {
  %r = ten.scatter set %u to %x by %i along 0 : tensor<?xf64>, tensor<3xf64>, tensor<?xi64>
  return %r : tensor<3xf64>
}
