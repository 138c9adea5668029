// C5: one dummy of three statements, not three of two. Where k is none of the three
// x has no value, which is said.
func.func private @f(f64) -> f64
func.func private @g(f64, f64) -> f64
func.func private @a() -> f64
func.func private @infer(f64) attributes {dep.output}
func.func @c5(%k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = memref.alloc() : memref<f64>
  %is0 = arith.cmpi eq, %k, %c0 : index
  scf.if %is0 {
    %v = func.call @a() : () -> f64
    memref.store %v, %x[] {dep.operator} : memref<f64>
  }
  %is1 = arith.cmpi eq, %k, %c1 : index
  scf.if %is1 {
    %v = func.call @a() : () -> f64
    memref.store %v, %x[] {dep.operator} : memref<f64>
  }
  %is2 = arith.cmpi eq, %k, %c2 : index
  scf.if %is2 {
    %v = func.call @a() : () -> f64
    memref.store %v, %x[] {dep.operator} : memref<f64>
  }
  %xv = memref.load %x[] : memref<f64>
  func.call @infer(%xv) : (f64) -> ()
  return
}
