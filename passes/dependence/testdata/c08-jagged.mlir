// C8: x[0,1] is in no dummy's part as a whole: S1 writes x[0,0] alone. The use of it
// depends on S2 itself.
func.func private @row(memref<3xf64, strided<[1], offset: ?>> {llvm.writeonly})
func.func private @infer(f64) attributes {dep.output}
func.func private @a() -> f64
func.func @c8(%a: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = memref.alloc() : memref<2x3xf64>
  %r0 = memref.subview %x[0, 0] [1, 3] [1, 1] : memref<2x3xf64> to memref<3xf64, strided<[1]>>
  %s0 = memref.cast %r0 : memref<3xf64, strided<[1]>> to memref<3xf64, strided<[1], offset: ?>>
  %r1 = memref.subview %x[1, 0] [1, 3] [1, 1] : memref<2x3xf64> to memref<3xf64, strided<[1], offset: 3>>
  %s1 = memref.cast %r1 : memref<3xf64, strided<[1], offset: 3>> to memref<3xf64, strided<[1], offset: ?>>
  scf.if %a {
    scf.for %i = %c0 to %c2 step %c1 {
      %v = func.call @a() : () -> f64
      memref.store %v, %x[%i, %c0] {dep.operator} : memref<2x3xf64>
    }
  } else {
    func.call @row(%s0) {dep.operator} : (memref<3xf64, strided<[1], offset: ?>>) -> ()
    func.call @row(%s1) {dep.operator} : (memref<3xf64, strided<[1], offset: ?>>) -> ()
    %u = memref.load %x[%c0, %c1] : memref<2x3xf64>
    func.call @infer(%u) : (f64) -> ()
  }
  %w = memref.load %x[%c0, %c0] : memref<2x3xf64>
  func.call @infer(%w) : (f64) -> ()
  return
}
