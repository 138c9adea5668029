// C6: different elements, so no dummy.
func.func private @f(f64) -> f64
func.func private @g(f64, f64) -> f64
func.func private @a() -> f64
func.func private @infer(f64) attributes {dep.output}
func.func private @u(memref<2xf64> {llvm.readonly}) -> f64
func.func private @make(memref<2xf64> {llvm.writeonly})
func.func private @any(memref<2xf64> {llvm.readonly, dep.skip_if_uniform, dep.any_item}) -> f64
func.func @c6(%a: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<2xf64>
  scf.if %a {
    %p = func.call @a() : () -> f64
    memref.store %p, %x[%c0] {dep.operator} : memref<2xf64>
  } else {
    %q = func.call @a() : () -> f64
    memref.store %q, %x[%c1] {dep.operator} : memref<2xf64>
  }
  %u = func.call @u(%x) : (memref<2xf64>) -> f64
  func.call @infer(%u) : (f64) -> ()
  return
}
