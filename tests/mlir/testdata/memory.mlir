// Memory inside: what is stored is what is loaded, in the order it was written.

// in: any, 0..7, 0..7
func.func @aliases(%v: i32, %i: index, %j: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %m = memref.alloc() : memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    memref.store %zero, %m[%k] : memref<8xi32>
  }
  memref.store %v, %m[%i] : memref<8xi32>
  memref.store %seven, %m[%j] : memref<8xi32>
  %a = memref.load %m[%i] : memref<8xi32>
  memref.store %a, %m[%c0] : memref<8xi32>
  %b = memref.load %m[%j] : memref<8xi32>
  %c = memref.load %m[%c0] : memref<8xi32>
  memref.dealloc %m : memref<8xi32>
  return %a, %b, %c : i32, i32, i32
}

// in: any, 1..40
func.func @sieve(%salt: i32, %n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = memref.alloc(%n) : memref<?xi1>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %true, %m[%i] : memref<?xi1>
  }
  %count = scf.for %i = %c2 to %n step %c1 iter_args(%k = %zero) -> (i32) {
    %p = memref.load %m[%i] : memref<?xi1>
    %k1 = scf.if %p -> (i32) {
      %first = arith.muli %i, %i : index
      scf.for %j = %first to %n step %i {
        memref.store %false, %m[%j] : memref<?xi1>
      }
      %s = arith.addi %k, %one : i32
      scf.yield %s : i32
    } else {
      scf.yield %k : i32
    }
    scf.yield %k1 : i32
  }
  memref.dealloc %m : memref<?xi1>
  %x = arith.addi %count, %salt : i32
  return %count, %x : i32, i32
}

// in: any, any, any, any
func.func @sort4(%a: i16, %b: i16, %c: i16, %d: i16) -> (i16, i16, i16, i16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloca() : memref<4xi16>
  memref.store %a, %m[%c0] : memref<4xi16>
  memref.store %b, %m[%c1] : memref<4xi16>
  memref.store %c, %m[%c2] : memref<4xi16>
  memref.store %d, %m[%c3] : memref<4xi16>
  scf.for %p = %c0 to %c3 step %c1 {
    scf.for %i = %c0 to %c3 step %c1 {
      %j = arith.addi %i, %c1 : index
      %x = memref.load %m[%i] : memref<4xi16>
      %y = memref.load %m[%j] : memref<4xi16>
      %wrong = arith.cmpi sgt, %x, %y : i16
      scf.if %wrong {
        memref.store %y, %m[%i] : memref<4xi16>
        memref.store %x, %m[%j] : memref<4xi16>
      }
    }
  }
  %r0 = memref.load %m[%c0] : memref<4xi16>
  %r1 = memref.load %m[%c1] : memref<4xi16>
  %r2 = memref.load %m[%c2] : memref<4xi16>
  %r3 = memref.load %m[%c3] : memref<4xi16>
  return %r0, %r1, %r2, %r3 : i16, i16, i16, i16
}

// in: any, any, 1..6
func.func @matmul(%x: f64, %y: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %a = memref.alloc(%n, %n) : memref<?x?xf64>
  %b = memref.alloc(%n, %n) : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %ij = arith.muli %i, %j : index
      %w = arith.index_cast %ij : index to i64
      %f = arith.sitofp %w : i64 to f64
      %p = arith.mulf %x, %f : f64
      %q = arith.addf %p, %y : f64
      memref.store %q, %a[%i, %j] : memref<?x?xf64>
      memref.store %zero, %b[%i, %j] : memref<?x?xf64>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        %u = memref.load %a[%i, %k] : memref<?x?xf64>
        %v = memref.load %a[%k, %j] : memref<?x?xf64>
        %w = memref.load %b[%i, %j] : memref<?x?xf64>
        %p = arith.mulf %u, %v : f64
        %s = arith.addf %w, %p : f64
        memref.store %s, %b[%i, %j] : memref<?x?xf64>
      }
    }
  }
  %last = arith.subi %n, %c1 : index
  %r = memref.load %b[%last, %last] : memref<?x?xf64>
  memref.dealloc %a : memref<?x?xf64>
  memref.dealloc %b : memref<?x?xf64>
  return %r : f64
}

// A window into a matrix, written through one name and read through the other.
// in: any, 0..2, 0..3
func.func @window(%v: i32, %i: index, %j: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %m = memref.alloc() : memref<4x6xi32>
  scf.for %p = %c0 to %c4 step %c1 {
    scf.for %q = %c0 to %c6 step %c1 {
      %pq = arith.muli %p, %c6 : index
      %n = arith.addi %pq, %q : index
      %w = arith.index_cast %n : index to i32
      memref.store %w, %m[%p, %q] : memref<4x6xi32>
    }
  }
  %s = memref.subview %m[1, 2] [3, 4] [1, 1] : memref<4x6xi32> to memref<3x4xi32, strided<[6, 1], offset: 8>>
  memref.store %v, %s[%i, %j] : memref<3x4xi32, strided<[6, 1], offset: 8>>
  %x = arith.addi %i, %c1 : index
  %two = arith.constant 2 : index
  %y = arith.addi %j, %two : index
  %a = memref.load %m[%x, %y] : memref<4x6xi32>
  %b = memref.load %s[%c0, %c0] : memref<3x4xi32, strided<[6, 1], offset: 8>>
  memref.dealloc %m : memref<4x6xi32>
  return %a, %b : i32, i32
}

memref.global "private" constant @table : memref<5xi64> = dense<[2, -3, 5, -7, 11]>
memref.global "private" @counter : memref<i64> = dense<0>

// in: 0..4
func.func @lookup(%i: index) -> i64 {
  %t = memref.get_global @table : memref<5xi64>
  %v = memref.load %t[%i] : memref<5xi64>
  return %v : i64
}

// Reset, then three calls that count.
// in: any
func.func @counting(%start: i64) -> (i64, i64) {
  %c = memref.get_global @counter : memref<i64>
  memref.store %start, %c[] : memref<i64>
  %a = func.call @tick() : () -> i64
  %b = func.call @tick() : () -> i64
  %s = arith.addi %a, %b : i64
  %d = func.call @tick() : () -> i64
  return %s, %d : i64, i64
}

func.func private @tick() -> i64 {
  %c = memref.get_global @counter : memref<i64>
  %one = arith.constant 1 : i64
  %v = memref.load %c[] : memref<i64>
  %n = arith.addi %v, %one : i64
  memref.store %n, %c[] : memref<i64>
  return %n : i64
}

// A callee writes what the caller reads: the second load is not the first.
// in: any, any
func.func @callee_writes(%v: i32, %w: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<2xi32>
  memref.store %v, %m[%c0] : memref<2xi32>
  %a = memref.load %m[%c0] : memref<2xi32>
  func.call @write(%m, %w) : (memref<2xi32>, i32) -> ()
  %b = memref.load %m[%c0] : memref<2xi32>
  return %a, %b : i32, i32
}

func.func private @write(%m: memref<2xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<2xi32>
  return
}

// in: any, any, any
func.func @copied(%x: f32, %y: f32, %c: i1) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  memref.store %x, %a[%c0] : memref<2xf32>
  memref.store %y, %a[%c1] : memref<2xf32>
  memref.copy %a, %b : memref<2xf32> to memref<2xf32>
  scf.if %c {
    memref.store %y, %b[%c0] : memref<2xf32>
  } else {
    memref.store %x, %a[%c1] : memref<2xf32>
  }
  %p = memref.load %b[%c0] : memref<2xf32>
  %q = memref.load %a[%c1] : memref<2xf32>
  memref.dealloc %a : memref<2xf32>
  memref.dealloc %b : memref<2xf32>
  return %p, %q : f32, f32
}

// A swap of two buffers carried by a loop.
// in: any, any, 0..5
func.func @swapped(%x: i64, %y: i64, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %a = memref.alloca() : memref<1xi64>
  %b = memref.alloca() : memref<1xi64>
  memref.store %x, %a[%c0] : memref<1xi64>
  memref.store %y, %b[%c0] : memref<1xi64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<1xi64>, memref<1xi64>) {
    %u = memref.load %p[%c0] : memref<1xi64>
    %v = arith.addi %u, %one : i64
    memref.store %v, %q[%c0] : memref<1xi64>
    scf.yield %q, %p : memref<1xi64>, memref<1xi64>
  }
  %s = memref.load %r#1[%c0] : memref<1xi64>
  %t = memref.load %r#0[%c0] : memref<1xi64>
  %w = arith.subi %s, %t : i64
  return %w : i64
}

// Several loops over one buffer, as a pass would like to merge them.
// in: any, 0..9
func.func @phases(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %zero = arith.constant 0.0 : f64
  %m = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<?xf64>
  }
  scf.for %i = %c1 to %n step %c1 {
    %h = arith.subi %i, %c1 : index
    %a = memref.load %m[%h] : memref<?xf64>
    %b = arith.mulf %a, %half : f64
    memref.store %b, %m[%i] : memref<?xf64>
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f64) {
    %a = memref.load %m[%i] : memref<?xf64>
    %b = arith.addf %acc, %a : f64
    scf.yield %b : f64
  }
  memref.dealloc %m : memref<?xf64>
  return %s : f64
}
