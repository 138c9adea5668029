// Uniform: b skips what is uniform, so nothing updates it; it passes that on to d, and
// not to e, which does not skip it. Of f only one argument need not be uniform.
func.func private @u() -> f64 attributes {dep.uniform}
func.func private @data() -> f64
func.func private @g(f64 {dep.skip_if_uniform}, f64 {dep.skip_if_uniform}) -> f64
func.func private @h(f64 {dep.skip_if_uniform}) -> f64
func.func private @k(f64) -> f64
func.func private @either(f64, f64) -> f64 attributes {dep.requires = "any(0, 1)"}
func.func private @infer(f64) attributes {dep.output}
func.func @chain() {
  %a = memref.alloc() : memref<f64>
  %c = memref.alloc() : memref<f64>
  %b = memref.alloc() : memref<f64>
  %d = memref.alloc() : memref<f64>
  %e = memref.alloc() : memref<f64>
  %f = memref.alloc() : memref<f64>
  %1 = func.call @u() : () -> f64
  memref.store %1, %a[] {dep.operator} : memref<f64>
  %2 = func.call @data() : () -> f64
  memref.store %2, %c[] {dep.operator} : memref<f64>
  %av = memref.load %a[] : memref<f64>
  %cv = memref.load %c[] : memref<f64>
  %3 = func.call @g(%av, %cv) : (f64, f64) -> f64
  memref.store %3, %b[] {dep.operator} : memref<f64>
  %bv = memref.load %b[] : memref<f64>
  %4 = func.call @h(%bv) : (f64) -> f64
  memref.store %4, %d[] {dep.operator} : memref<f64>
  %5 = func.call @k(%bv) : (f64) -> f64
  memref.store %5, %e[] {dep.operator} : memref<f64>
  %dv = memref.load %d[] : memref<f64>
  %ev = memref.load %e[] : memref<f64>
  %6 = func.call @either(%dv, %ev) : (f64, f64) -> f64
  memref.store %6, %f[] {dep.operator} : memref<f64>
  %fv = memref.load %f[] : memref<f64>
  func.call @infer(%fv) : (f64) -> ()
  return
}
