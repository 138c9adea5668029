// C4, from the document: the dummies are x[0] over S1 and S2 and x[1] over S1 and S3.
func.func private @f(f64) -> f64
func.func private @g(f64, f64) -> f64
func.func private @a() -> f64
func.func private @infer(f64) attributes {dep.output}
func.func private @u(memref<2xf64> {llvm.readonly}) -> f64
func.func private @make(memref<2xf64> {llvm.writeonly})
func.func private @any(memref<2xf64> {llvm.readonly, dep.skip_if_uniform, dep.any_item}) -> f64
func.func @c4(%a: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<2xf64>
  scf.if %a {
    func.call @make(%x) {dep.operator} : (memref<2xf64>) -> ()
  }
  %true = arith.constant true
  %nota = arith.xori %a, %true : i1
  scf.if %nota {
    %p = func.call @a() : () -> f64
    memref.store %p, %x[%c0] {dep.operator} : memref<2xf64>
  }
  scf.if %nota {
    %q = func.call @a() : () -> f64
    memref.store %q, %x[%c1] {dep.operator} : memref<2xf64>
  }
  %u1 = memref.alloc() : memref<f64>
  %x0 = memref.load %x[%c0] : memref<2xf64>
  memref.store %x0, %u1[] {dep.operator} : memref<f64>
  %u2 = memref.alloc() : memref<f64>
  %all = func.call @u(%x) : (memref<2xf64>) -> f64
  memref.store %all, %u2[] {dep.operator} : memref<f64>
  %u3 = memref.alloc() : memref<f64>
  %any = func.call @any(%x) : (memref<2xf64>) -> f64
  memref.store %any, %u3[] {dep.operator} : memref<f64>
  %u4 = memref.alloc() : memref<f64>
  scf.if %a {
    %under = func.call @u(%x) : (memref<2xf64>) -> f64
    memref.store %under, %u4[] {dep.operator} : memref<f64>
  }
  return
}
