// C2: S2 depends on the previous initializer, not on the update S4; S5 writes no x and
// so has no initializer dependence.
func.func private @f(f64) -> f64
func.func private @g(f64, f64) -> f64
func.func private @a() -> f64
func.func private @infer(f64) attributes {dep.output}
func.func @c2() {
  %x = memref.alloc() : memref<f64>
  %a = func.call @a() : () -> f64
  memref.store %a, %x[] {dep.initializer} : memref<f64>
  %x1 = memref.load %x[] : memref<f64>
  %b = func.call @f(%x1) : (f64) -> f64
  memref.store %b, %x[] {dep.initializer} : memref<f64>
  %y = memref.alloc() : memref<f64>
  %x2 = memref.load %x[] : memref<f64>
  %y2 = memref.load %y[] : memref<f64>
  %c = func.call @g(%x2, %y2) : (f64, f64) -> f64
  memref.store %c, %x[] {dep.operator} : memref<f64>
  %x3 = memref.load %x[] : memref<f64>
  %d = func.call @f(%x3) : (f64) -> f64
  memref.store %d, %y[] {dep.operator} : memref<f64>
  return
}
