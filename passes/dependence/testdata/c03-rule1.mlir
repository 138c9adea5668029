// C3: without dep.operator the first store is an allocation and the last one an update;
// with it both are updates.
func.func private @f(f64) -> f64
func.func private @g(f64, f64) -> f64
func.func private @a() -> f64
func.func private @infer(f64) attributes {dep.output}
func.func private @u(memref<2xf64> {llvm.readonly}) -> f64
func.func private @make(memref<2xf64> {llvm.writeonly})
func.func private @any(memref<2xf64> {llvm.readonly, dep.skip_if_uniform, dep.any_item}) -> f64
func.func @without() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<2xf64>
  %a = func.call @a() : () -> f64
  memref.store %a, %x[%c0] : memref<2xf64>
  %b = func.call @a() : () -> f64
  memref.store %b, %x[%c1] : memref<2xf64>
  %y = memref.alloc() : memref<f64>
  %u = func.call @u(%x) : (memref<2xf64>) -> f64
  memref.store %u, %y[] {dep.operator} : memref<f64>
  return
}
func.func @with() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = memref.alloc() : memref<2xf64>
  %a = func.call @a() : () -> f64
  memref.store %a, %x[%c0] {dep.operator} : memref<2xf64>
  %b = func.call @a() : () -> f64
  memref.store %b, %x[%c1] {dep.operator} : memref<2xf64>
  %y = memref.alloc() : memref<f64>
  %u = func.call @u(%x) : (memref<2xf64>) -> f64
  memref.store %u, %y[] {dep.operator} : memref<f64>
  %z = memref.alloc() : memref<f64>
  %x0 = memref.load %x[%c0] : memref<2xf64>
  memref.store %x0, %z[] {dep.operator} : memref<f64>
  %w = memref.alloc() : memref<2xf64>
  scf.for %i = %c0 to %c2 step %c1 {
    %xi = memref.load %x[%i] : memref<2xf64>
    %v = func.call @f(%xi) : (f64) -> f64
    memref.store %v, %w[%i] {dep.operator} : memref<2xf64>
  }
  return
}
