// C1: a chain. S1 reads the parameter, S3 what S1 computed, and S4 is an output.
func.func private @f(f64) -> f64
func.func private @g(f64, f64) -> f64
func.func private @a() -> f64
func.func private @infer(f64) attributes {dep.output}
func.func @c1(%data: f64) {
  %x = memref.alloc() : memref<f64>
  %v = func.call @f(%data) : (f64) -> f64
  memref.store %v, %x[] {dep.operator} : memref<f64>
  %y = memref.alloc() : memref<f64>
  %xv = memref.load %x[] : memref<f64>
  %w = func.call @f(%xv) : (f64) -> f64
  memref.store %w, %y[] {dep.operator} : memref<f64>
  %yv = memref.load %y[] : memref<f64>
  func.call @infer(%yv) : (f64) -> ()
  return
}
