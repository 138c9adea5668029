// What the cases do not have: groups, carried values, calls that write, copies, atomic
// updates, globals, switches, values that are not known.
func.func private @pair(f64, f64, f64) -> f64 attributes {dep.requires = "any(0, all(1, 2))"}
func.func private @but(memref<2xf64> {llvm.readonly, dep.all_except = 1 : i64}, index) -> f64
func.func private @both(memref<2xf64>) -> f64
func.func private @skip() -> f64 attributes {dep.uniform}
func.func private @twice(%m: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<2xf64>
  memref.store %v, %m[%c0] : memref<2xf64>
  return
}
memref.global "private" @table : memref<2xf64>
func.func @groups() {
  %a = memref.alloc() : memref<f64>
  %b = memref.alloc() : memref<f64>
  %c = memref.alloc() : memref<f64>
  %d = memref.alloc() : memref<f64>
  %u = func.call @skip() : () -> f64
  memref.store %u, %a[] {dep.operator} : memref<f64>
  %one = arith.constant 1.0 : f64
  memref.store %one, %b[] {dep.operator} : memref<f64>
  memref.store %one, %c[] {dep.operator} : memref<f64>
  %av = memref.load %a[] : memref<f64>
  %bv = memref.load %b[] : memref<f64>
  %cv = memref.load %c[] : memref<f64>
  %v = func.call @pair(%av, %bv, %cv) : (f64, f64, f64) -> f64
  memref.store %v, %d[] {dep.operator} : memref<f64>
  return
}
func.func @forms(%p: memref<2xf64>, %n: index, %at: memref<?xindex>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %x = memref.alloc() : memref<2xf64>
  memref.copy %p, %x : memref<2xf64> to memref<2xf64>
  %r = func.call @both(%x) {dep.operator} : (memref<2xf64>) -> f64
  func.call @twice(%x) {dep.operator} : (memref<2xf64>) -> ()
  %t = memref.get_global @table : memref<2xf64>
  memref.store %r, %t[%c0] {dep.operator} : memref<2xf64>
  %e = func.call @but(%x, %c0) : (memref<2xf64>, index) -> f64
  %q = memref.atomic_rmw addf %e, %t[%c1] {dep.operator, dep.increment} : (f64, memref<2xf64>) -> f64
  %k = memref.load %at[%c0] : memref<?xindex>
  memref.store %r, %x[%k] {dep.operator} : memref<2xf64>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> f64 {
    %v = memref.load %x[%i] : memref<2xf64>
    %s = arith.addf %acc, %v : f64
    scf.yield %s : f64
  }
  scf.index_switch %n
  case 2 {
    memref.store %sum, %p[%c0] : memref<2xf64>
    scf.yield
  }
  default {
    memref.store %r, %p[%c1] {dep.operator} : memref<2xf64>
  }
  return %sum : f64
}
func.func private @step(f64) -> f64
// A call in a loop, of what the round before gave.
func.func @carried(%x: memref<f64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = memref.load %x[] : memref<f64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x0) -> f64 {
    %b = func.call @step(%a) : (f64) -> f64
    scf.yield %b : f64
  }
  memref.store %r, %x[] {dep.operator} : memref<f64>
  return
}
