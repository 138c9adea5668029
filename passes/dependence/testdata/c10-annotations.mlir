// C10: arguments with annotations; r is an argument of its own update in @itself.
func.func private @h(f64 {dep.skip_if_uniform}, f64 {dep.trigger}, f64 {dep.fresh}, f64, f64 {dep.ignore}) -> f64
func.func private @k(f64 {dep.trigger}, f64 {dep.trigger, dep.fresh}) -> f64
func.func private @a() -> f64
func.func @c10() {
  %a = memref.alloc() : memref<f64>
  %b = memref.alloc() : memref<f64>
  %c = memref.alloc() : memref<f64>
  %d = memref.alloc() : memref<f64>
  %e = memref.alloc() : memref<f64>
  %r = memref.alloc() : memref<f64>
  %1 = func.call @a() : () -> f64
  memref.store %1, %a[] {dep.operator} : memref<f64>
  %2 = func.call @a() : () -> f64
  memref.store %2, %b[] {dep.operator} : memref<f64>
  %3 = func.call @a() : () -> f64
  memref.store %3, %c[] {dep.operator} : memref<f64>
  %4 = func.call @a() : () -> f64
  memref.store %4, %d[] {dep.operator} : memref<f64>
  %5 = func.call @a() : () -> f64
  memref.store %5, %e[] {dep.operator} : memref<f64>
  %av = memref.load %a[] : memref<f64>
  %bv = memref.load %b[] : memref<f64>
  %cv = memref.load %c[] : memref<f64>
  %dv = memref.load %d[] : memref<f64>
  %ev = memref.load %e[] : memref<f64>
  %rv = func.call @h(%av, %bv, %cv, %dv, %ev) : (f64, f64, f64, f64, f64) -> f64
  memref.store %rv, %r[] {dep.operator} : memref<f64>
  return
}
func.func @itself() {
  %b = memref.alloc() : memref<f64>
  %r = memref.alloc() : memref<f64>
  %1 = func.call @a() : () -> f64
  memref.store %1, %b[] {dep.operator} : memref<f64>
  %bv = memref.load %b[] : memref<f64>
  %rv = memref.load %r[] : memref<f64>
  %v = func.call @k(%bv, %rv) : (f64, f64) -> f64
  memref.store %v, %r[] {dep.operator} : memref<f64>
  return
}
