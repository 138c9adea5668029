func.func @for(%lb: index, %ub: index, %step: index, %init: f32) -> f32 {
  %r = scf.for %i = %lb to %ub step %step iter_args(%acc = %init) -> (f32) {
    %s = arith.addf %acc, %acc : f32
    scf.yield %s : f32
  }
  return %r : f32
}
func.func @for_plain(%n: i32, %m: memref<?xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c1 : i32 {
    memref.store %i, %m[%z] : memref<?xi32>
  } {tag = "kept"}
  return
}
func.func @if(%c: i1, %x: i32, %y: i32, %m: memref<2xi32>) -> (i32, i32) {
  %z = arith.constant 0 : index
  %r:2 = scf.if %c -> (i32, i32) {
    %a = arith.addi %x, %y : i32
    scf.yield %a, %x : i32, i32
  } else {
    %a = arith.muli %x, %y : i32
    scf.yield %a, %y : i32, i32
  }
  scf.if %c {
    memref.store %x, %m[%z] : memref<2xi32>
  }
  scf.if %c {
    memref.store %x, %m[%z] : memref<2xi32>
  } else {
    memref.store %y, %m[%z] : memref<2xi32>
  }
  return %r#0, %r#1 : i32, i32
}
func.func @while(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c1) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.addi %i, %i : i32
    scf.yield %j : i32
  } attributes {tag}
  return %r : i32
}
func.func @while_none(%m: memref<i1>) {
  scf.while : () -> () {
    %c = memref.load %m[] : memref<i1>
    scf.condition(%c)
  } do {
    %f = arith.constant false
    memref.store %f, %m[] : memref<i1>
    scf.yield
  }
  return
}
func.func @parallel(%lb: index, %ub: index, %st: index, %x: f32, %m: memref<?x?xf32>) -> f32 {
  %r = scf.parallel (%i, %j) = (%lb, %lb) to (%ub, %ub) step (%st, %st) init (%x) -> f32 {
    %e = memref.load %m[%i, %j] : memref<?x?xf32>
    scf.reduce(%e : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  scf.parallel (%i) = (%lb) to (%ub) step (%st) {
    memref.store %x, %m[%i, %i] : memref<?x?xf32>
  }
  return %r : f32
}
func.func @forall(%n: index, %m: memref<?x8xf32>, %x: f32) {
  scf.forall (%i, %j) in (%n, 8) {
    memref.store %x, %m[%i, %j] : memref<?x8xf32>
  }
  scf.forall (%i) = (1) to (%n) step (2) {
    memref.store %x, %m[%i, %i] : memref<?x8xf32>
  } {tag}
  return
}
func.func @shared(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<?xf32>
}
func.func @execute(%x: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    %a = arith.addi %x, %x : i32
    scf.yield %a : i32
  }
  scf.execute_region {
    scf.yield
  }
  return %r : i32
}
func.func @switch(%i: index, %x: i32, %m: memref<i32>) -> i32 {
  %r = scf.index_switch %i -> i32
  case 2 {
    %a = arith.addi %x, %x : i32
    scf.yield %a : i32
  }
  case -5 {
    scf.yield %x : i32
  }
  default {
    %a = arith.muli %x, %x : i32
    scf.yield %a : i32
  }
  scf.index_switch %i
  case 1 {
    memref.store %x, %m[] : memref<i32>
    scf.yield
  }
  default {
  }
  return %r : i32
}
