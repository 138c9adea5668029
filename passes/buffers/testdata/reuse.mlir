// passes: reuse-buffers,free-buffers
func.func @map(%x: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.copy %x, %a : memref<?xf64> to memref<?xf64>
  %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xf64>
    %w = arith.mulf %v, %v : f64
    memref.store %w, %b[%i] : memref<?xf64>
  }
  %c = memref.alloc(%n) {memref.owned} : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %b[%i] : memref<?xf64>
    %w = arith.addf %v, %v : f64
    memref.store %w, %c[%i] : memref<?xf64>
  }
  %r = memref.load %c[%c0] : memref<?xf64>
  return %r : f64
}
func.func @filter(%x: memref<?xf64>, %n: index, %t: f64) -> (memref<?xf64>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
  %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.copy %x, %a : memref<?xf64> to memref<?xf64>
  %m = scf.for %i = %c0 to %n step %c1 iter_args(%j = %c0) -> (index) {
    %v = memref.load %a[%i] : memref<?xf64>
    %k = arith.cmpf olt, %v, %t : f64
    %next = scf.if %k -> (index) {
      memref.store %v, %b[%j] : memref<?xf64>
      %p = arith.addi %j, %c1 : index
      scf.yield %p : index
    } else {
      scf.yield %j : index
    }
    scf.yield %next : index
  }
  return %b, %m : memref<?xf64>, index
}
func.func @neighbours(%x: memref<?xf64>, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.copy %x, %a : memref<?xf64> to memref<?xf64>
  %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
  scf.for %i = %c1 to %m step %c1 {
    %h = arith.subi %i, %c1 : index
    %v = memref.load %a[%h] : memref<?xf64>
    %w = memref.load %a[%i] : memref<?xf64>
    %s = arith.addf %v, %w : f64
    memref.store %s, %b[%i] : memref<?xf64>
  }
  %r = memref.load %b[%c1] : memref<?xf64>
  return %r : f64
}
func.func @next(%x: memref<?xf64>, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.copy %x, %a : memref<?xf64> to memref<?xf64>
  %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
  scf.for %i = %c1 to %m step %c1 {
    %h = arith.addi %i, %c1 : index
    %v = memref.load %a[%h] : memref<?xf64>
    %w = memref.load %a[%i] : memref<?xf64>
    %s = arith.addf %v, %w : f64
    memref.store %s, %b[%i] : memref<?xf64>
  }
  %r = memref.load %b[%c1] : memref<?xf64>
  return %r : f64
}
func.func @stored_before_it_is_read(%x: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.copy %x, %a : memref<?xf64> to memref<?xf64>
  %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f64) {
    memref.store %sum, %b[%i] : memref<?xf64>
    %v = memref.load %a[%i] : memref<?xf64>
    %w = arith.addf %sum, %v : f64
    scf.yield %w : f64
  }
  %r = memref.load %b[%c0] : memref<?xf64>
  %z = arith.addf %r, %s : f64
  return %z : f64
}
func.func @rounds(%x: memref<?xf64>, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %size = memref.dim %x, %c0 : memref<?xf64>
  %s = scf.for %k = %c0 to %m step %c1 iter_args(%sum = %zero) -> (f64) {
    %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
    memref.store %sum, %a[%k] : memref<?xf64>
    %v = memref.load %a[%c0] : memref<?xf64>
    %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
    memref.store %v, %b[%k] : memref<?xf64>
    %w = memref.load %b[%c0] : memref<?xf64>
    %t = scf.for %l = %c0 to %m step %c1 iter_args(%in = %w) -> (f64) {
      %c = memref.alloc(%size) {memref.owned} : memref<?xf64>
      memref.store %in, %c[%l] : memref<?xf64>
      %d = memref.load %c[%c0] : memref<?xf64>
      scf.yield %d : f64
    }
    scf.yield %t : f64
  }
  return %s : f64
}

// Loops in one another read and write the same place: the second is written over the first. Not where a loop around them
// goes over all places again, and not where another place is read.
func.func @nested(%x: memref<4x8xf64>) -> memref<4x8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() {memref.owned} : memref<4x8xf64>
  memref.copy %x, %a : memref<4x8xf64> to memref<4x8xf64>
  %b = memref.alloc() {memref.owned} : memref<4x8xf64>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %v = memref.load %a[%i, %j] : memref<4x8xf64>
      %w = arith.addf %v, %v : f64
      memref.store %w, %b[%i, %j] : memref<4x8xf64>
    }
  }
  %c = memref.alloc() {memref.owned} : memref<4x8xf64>
  scf.for %k = %c0 to %c4 step %c1 {
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        %v = memref.load %b[%i, %j] : memref<4x8xf64>
        %w = arith.mulf %v, %v : f64
        memref.store %w, %c[%i, %j] : memref<4x8xf64>
      }
    }
  }
  %d = memref.alloc() {memref.owned} : memref<4x8xf64>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %v = memref.load %c[%i, %c0] : memref<4x8xf64>
      %w = arith.mulf %v, %v : f64
      memref.store %w, %d[%i, %j] : memref<4x8xf64>
    }
  }
  return %d : memref<4x8xf64>
}
