// passes: free-buffers
func.func private @unknown(memref<?xf64>)
func.func @carried(%x: memref<?xf64>, %n: index, %rounds: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.copy %x, %first : memref<?xf64> to memref<?xf64>
  %last = scf.for %k = %c0 to %rounds step %c1 iter_args(%a = %first) -> (memref<?xf64>) {
    %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %a[%i] : memref<?xf64>
      %w = arith.addf %v, %v : f64
      memref.store %w, %b[%i] : memref<?xf64>
    }
    scf.yield %b : memref<?xf64>
  }
  %r = memref.load %last[%c0] : memref<?xf64>
  return %r : f64
}
func.func @carried_from_argument(%x: memref<?xf64>, %n: index, %rounds: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %k = %c0 to %rounds step %c1 iter_args(%a = %x) -> (memref<?xf64>) {
    %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %a[%i] : memref<?xf64>
      %w = arith.addf %v, %v : f64
      memref.store %w, %b[%i] : memref<?xf64>
    }
    scf.yield %b : memref<?xf64>
  }
  %r = memref.load %last[%c0] : memref<?xf64>
  return %r : f64
}
func.func @moves_into_branch(%c: i1, %n: index, %v: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.store %v, %a[%c0] : memref<?xf64>
  %r = scf.if %c -> (memref<?xf64>) {
    %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
    %q = memref.load %a[%c0] : memref<?xf64>
    %q2 = arith.addf %q, %q : f64
    memref.store %q2, %b[%c0] : memref<?xf64>
    scf.yield %b : memref<?xf64>
  } else {
    scf.yield %a : memref<?xf64>
  }
  %z = memref.load %r[%c0] : memref<?xf64>
  return %z : f64
}
func.func @select(%c: i1, %n: index, %v: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.store %v, %a[%c0] : memref<?xf64>
  %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
  %w = arith.addf %v, %v : f64
  memref.store %w, %b[%c0] : memref<?xf64>
  %r = arith.select %c, %a, %b : memref<?xf64>
  %z = memref.load %r[%c0] : memref<?xf64>
  return %z : f64
}
func.func @chosen(%c: i1, %n: index, %v: f64) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.store %v, %a[%c0] : memref<?xf64>
  %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
  %w = arith.addf %v, %v : f64
  memref.store %w, %b[%c0] : memref<?xf64>
  %r = arith.select %c, %a, %b : memref<?xf64>
  return %r : memref<?xf64>
}
func.func @caller(%c: i1, %n: index, %v: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %r = call @chosen(%c, %n, %v) : (i1, index, f64) -> memref<?xf64>
  %z = memref.load %r[%c0] : memref<?xf64>
  return %z : f64
}
func.func @while(%x: memref<?xf64>, %n: index, %lim: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %last = scf.while (%a = %x) : (memref<?xf64>) -> memref<?xf64> {
    %v = memref.load %a[%c0] : memref<?xf64>
    %t = arith.cmpf olt, %v, %lim : f64
    scf.condition(%t) %a : memref<?xf64>
  } do {
  ^bb0(%q: memref<?xf64>):
    %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
    %v = memref.load %q[%c0] : memref<?xf64>
    %w = arith.addf %v, %v : f64
    memref.store %w, %b[%c0] : memref<?xf64>
    scf.yield %b : memref<?xf64>
  }
  %r = memref.load %last[%c0] : memref<?xf64>
  return %r : f64
}

func.func @temporary(%n: index, %v: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %v) -> (f64) {
    %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
    memref.store %sum, %a[%i] : memref<?xf64>
    %part = memref.subview %a[%i] [1] [1] : memref<?xf64> to memref<1xf64, strided<[1], offset: ?>>
    %x = memref.load %part[%c0] : memref<1xf64, strided<[1], offset: ?>>
    %y = arith.addf %x, %v : f64
    scf.yield %y : f64
  }
  return %s : f64
}
func.func @escapes(%n: index, %v: f64, %c: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.store %v, %a[%c0] : memref<?xf64>
  func.call @unknown(%a) : (memref<?xf64>) -> ()
  %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.store %v, %b[%c0] : memref<?xf64>
  %z = memref.load %b[%c0] : memref<?xf64>
  scf.if %c {
    memref.dealloc %b : memref<?xf64>
  }
  return %z : f64
}
func.func @unmarked(%n: index, %v: f64, %c: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf64>
  memref.store %v, %a[%c0] : memref<?xf64>
  %z = memref.load %a[%c0] : memref<?xf64>
  return %z : f64
}
func.func @swapped(%n: index, %v: f64, %x: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.store %v, %a[%c0] : memref<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %x) -> (memref<?xf64>, memref<?xf64>) {
    %y = memref.load %p[%c0] : memref<?xf64>
    memref.store %y, %q[%c1] : memref<?xf64>
    scf.yield %q, %p : memref<?xf64>, memref<?xf64>
  }
  %z = memref.load %r#1[%c0] : memref<?xf64>
  return %z : f64
}
func.func private @one_or_other(%c: i1, %x: memref<?xf64>, %n: index, %v: f64) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (memref<?xf64>) {
    %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
    memref.store %v, %b[%c0] : memref<?xf64>
    scf.yield %b : memref<?xf64>
  } else {
    scf.yield %x : memref<?xf64>
  }
  return %r : memref<?xf64>
}
func.func @told(%c: i1, %x: memref<?xf64>, %n: index, %v: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %r = call @one_or_other(%c, %x, %n, %v) : (i1, memref<?xf64>, index, f64) -> memref<?xf64>
  %z = memref.load %r[%c0] : memref<?xf64>
  return %z : f64
}
func.func @copied_from_outside(%c: i1, %x: memref<?xf64>, %n: index, %v: f64) -> memref<?xf64> {
  %r = call @one_or_other(%c, %x, %n, %v) : (i1, memref<?xf64>, index, f64) -> memref<?xf64>
  return %r : memref<?xf64>
}
func.func @used_after_it_is_chosen(%c: i1, %n: index, %v: f64) -> (f64, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
  memref.store %v, %a[%c0] : memref<?xf64>
  %r = scf.if %c -> (memref<?xf64>) {
    %b = memref.alloc(%n) {memref.owned} : memref<?xf64>
    memref.store %v, %b[%c0] : memref<?xf64>
    scf.yield %b : memref<?xf64>
  } else {
    scf.yield %a : memref<?xf64>
  }
  memref.store %v, %r[%c0] : memref<?xf64>
  %z = memref.load %a[%c0] : memref<?xf64>
  return %z, %r : f64, memref<?xf64>
}
func.func private @twice(%n: index) -> (memref<?xf64>, memref<?xf64>) {
  %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
  return %a, %a : memref<?xf64>, memref<?xf64>
}
func.func private @itself(%n: index, %x: memref<?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %c -> (memref<?xf64>) {
    %a = memref.alloc(%n) {memref.owned} : memref<?xf64>
    memref.copy %x, %a : memref<?xf64> to memref<?xf64>
    %m = arith.subi %n, %c1 : index
    %q = func.call @itself(%m, %a) : (index, memref<?xf64>) -> memref<?xf64>
    scf.yield %q : memref<?xf64>
  } else {
    scf.yield %x : memref<?xf64>
  }
  return %r : memref<?xf64>
}
func.func @calls(%n: index, %x: memref<?xf64>, %v: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %p:2 = call @twice(%n) : (index) -> (memref<?xf64>, memref<?xf64>)
  memref.store %v, %p#0[%c0] : memref<?xf64>
  %y = memref.load %p#1[%c0] : memref<?xf64>
  %q = call @itself(%n, %x) : (index, memref<?xf64>) -> memref<?xf64>
  %z = memref.load %q[%c0] : memref<?xf64>
  %s = arith.addf %y, %z : f64
  return %s : f64
}
