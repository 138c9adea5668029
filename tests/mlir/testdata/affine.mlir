// Affine loops, conditionals and accesses: what MLIR's lower-affine makes of them.

// in: -100..100, -100..100, 1..20
func.func @affine_apply(%i: index, %j: index, %s: index) -> (index, index, index, index) {
  %a = affine.apply affine_map<(d0, d1)[s0] -> (d0 * 3 - d1 + s0)>(%i, %j)[%s]
  %b = affine.apply affine_map<(d0) -> (d0 floordiv 7)>(%i)
  %c = affine.apply affine_map<(d0) -> (d0 mod 5 + d0 ceildiv 4)>(%j)
  %d = affine.apply affine_map<(d0, d1) -> ((d0 floordiv 4) * 4 + (d1 - d0) mod 3)>(%i, %j)
  return %a, %b, %c, %d : index, index, index, index
}

// in: -50..50, -50..50
func.func @affine_extremes(%i: index, %j: index) -> (index, index, index) {
  %a = affine.min affine_map<(d0, d1) -> (d0, d1 + 3, 17)>(%i, %j)
  %b = affine.max affine_map<(d0)[s0] -> (d0 - s0, s0 floordiv 2)>(%i)[%j]
  %c = affine.min affine_map<(d0) -> (d0 mod 8)>(%i)
  return %a, %b, %c : index, index, index
}

// in: any, 0..20
func.func @affine_triangle(%seed: i64, %n: index) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %m = memref.alloc(%n, %n) : memref<?x?xi64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %k = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%i, %j)
      %v = arith.index_cast %k : index to i64
      %w = arith.xori %v, %seed : i64
      affine.store %w, %m[%i, %j] : memref<?x?xi64>
    }
  }
  %below = affine.for %i = 0 to %n iter_args(%s = %zero) -> (i64) {
    %r = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%t = %s) -> (i64) {
      %v = affine.load %m[%i, %j] : memref<?x?xi64>
      %u = arith.addi %t, %v : i64
      affine.yield %u : i64
    }
    affine.yield %r : i64
  }
  %above = affine.for %i = 0 to %n iter_args(%s = %zero) -> (i64) {
    %r = affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to %n iter_args(%t = %s) -> (i64) {
      %v = affine.load %m[%j, %i] : memref<?x?xi64>
      %u = arith.muli %t, %v : i64
      %w = arith.addi %u, %v : i64
      affine.yield %w : i64
    }
    affine.yield %r : i64
  }
  memref.dealloc %m : memref<?x?xi64>
  return %below, %above : i64, i64
}

// in: 0..40, 0..30, 0..30
func.func @affine_bounds(%n: index, %p: index, %q: index) -> (i64, index) {
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %count = affine.for %i = max affine_map<()[s0] -> (3, s0 - 5)>()[%p] to min affine_map<()[s0, s1] -> (s0, s1 + 7)>()[%n, %q] step 3 iter_args(%s = %zero) -> (i64) {
    %t = arith.addi %s, %one : i64
    affine.yield %t : i64
  }
  %last = affine.for %i = 0 to %n step 4 iter_args(%s = %c0) -> (index) {
    affine.yield %i : index
  }
  return %count, %last : i64, index
}

// in: 0..25, -5..30
func.func @affine_guards(%n: index, %k: index) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %a = affine.for %i = 0 to %n iter_args(%s = %zero) -> (i64) {
    %r = affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 mod 2 == 0)>(%i)[%k] -> i64 {
      %t = arith.addi %s, %one : i64
      affine.yield %t : i64
    } else {
      %t = arith.shli %s, %one : i64
      affine.yield %t : i64
    }
    affine.yield %r : i64
  }
  %m = memref.alloc() : memref<1xi64>
  affine.store %zero, %m[0] : memref<1xi64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 10 {
      affine.if affine_set<(d0, d1) : (d0 - d1 * 2 == 0)>(%i, %j) {
        %v = affine.load %m[0] : memref<1xi64>
        %w = arith.muli %v, %two : i64
        %u = arith.addi %w, %one : i64
        affine.store %u, %m[0] : memref<1xi64>
      }
    }
  }
  %b = affine.load %m[0] : memref<1xi64>
  memref.dealloc %m : memref<1xi64>
  return %a, %b : i64, i64
}

// in: any, 1..30
func.func @affine_stencil(%seed: i32, %n: index) -> i32 {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %a = memref.alloc(%n) : memref<?xi32>
  %b = memref.alloc(%n) : memref<?xi32>
  affine.for %i = 0 to %n {
    %k = arith.index_cast %i : index to i32
    %v = arith.muli %k, %seed : i32
    affine.store %v, %a[%i] : memref<?xi32>
    affine.store %zero, %b[%i] : memref<?xi32>
  }
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
      %x = affine.load %a[%i - 1] : memref<?xi32>
      %y = affine.load %a[%i] : memref<?xi32>
      %z = affine.load %a[%i + 1] : memref<?xi32>
      %s = arith.addi %x, %z : i32
      %w = arith.muli %y, %three : i32
      %v = arith.subi %w, %s : i32
      affine.store %v, %b[%i] : memref<?xi32>
    }
    affine.for %i = 0 to %n {
      %v = affine.load %b[symbol(%n) - %i - 1] : memref<?xi32>
      affine.store %v, %a[%i] : memref<?xi32>
    }
  }
  %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (i32) {
    %v = affine.load %a[%i] : memref<?xi32>
    %m = arith.muli %s, %three : i32
    %u = arith.addi %m, %v : i32
    affine.yield %u : i32
  }
  memref.dealloc %a : memref<?xi32>
  memref.dealloc %b : memref<?xi32>
  return %sum : i32
}

// in: 0..12, 0..12
func.func @affine_boxes(%n: index, %k: index) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %m = memref.alloc() : memref<12x12xi64>
  affine.parallel (%i, %j) = (0, 0) to (12, 12) {
    affine.store %zero, %m[%i, %j] : memref<12x12xi64>
  }
  affine.parallel (%i, %j) = (0, 1) to (%n, min(%k, 11)) step (2, 3) {
    %x = affine.apply affine_map<(d0, d1) -> (d0 * 12 + d1)>(%i, %j)
    %v = arith.index_cast %x : index to i64
    affine.store %v, %m[%i, %j] : memref<12x12xi64>
  }
  %sum = affine.parallel (%i, %j) = (0, 0) to (12, 12) reduce ("addi") -> i64 {
    %v = affine.load %m[%i, %j] : memref<12x12xi64>
    affine.yield %v : i64
  }
  %most = affine.parallel (%i) = (0) to (12) reduce ("ori") -> i64 {
    %v = affine.load %m[%i, (%i * 7) mod 12] : memref<12x12xi64>
    affine.yield %v : i64
  }
  memref.dealloc %m : memref<12x12xi64>
  return %sum, %most : i64, i64
}

// in: 0..15
func.func @affine_gaps(%n: index) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %m = memref.alloc() : memref<64xi64>
  affine.for %i = 0 to 64 {
    affine.store %zero, %m[%i] : memref<64xi64>
  }
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0 floordiv 2)>(%i) to affine_map<(d0) -> (d0 ceildiv 2 + 3)>(%i) step 2 {
      %v = affine.load %m[%i * 2 + %j mod 3] : memref<64xi64>
      %w = arith.addi %v, %one : i64
      affine.store %w, %m[%i * 2 + %j mod 3] : memref<64xi64>
    }
  }
  %a = affine.for %i = 0 to 32 iter_args(%s = %zero) -> (i64) {
    %v = affine.load %m[2 * %i] : memref<64xi64>
    %t = arith.shli %s, %one : i64
    %u = arith.addi %t, %v : i64
    affine.yield %u : i64
  }
  %b = affine.for %i = 0 to 32 iter_args(%s = %zero) -> (i64) {
    %v = affine.load %m[2 * %i + 1] : memref<64xi64>
    %t = arith.addi %s, %v : i64
    affine.yield %t : i64
  }
  memref.dealloc %m : memref<64xi64>
  return %a, %b : i64, i64
}
