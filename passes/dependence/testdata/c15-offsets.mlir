// C15: offsets. A loop counts up, so -1 is there and +1 is not; where a loop has both it
// can run neither way.
func.func private @f(f64) -> f64
func.func private @g(f64, f64) -> f64
func.func private @a() -> f64
func.func private @infer(f64) attributes {dep.output}
func.func @before(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc(%n) : memref<?xf64>
  %a = func.call @a() : () -> f64
  memref.store %a, %x[%c0] {dep.initializer} : memref<?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %j = arith.subi %i, %c1 : index
    %v = memref.load %x[%j] : memref<?xf64>
    %w = func.call @f(%v) : (f64) -> f64
    memref.store %w, %x[%i] {dep.operator} : memref<?xf64>
  }
  return
}
func.func @after(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  %x = memref.alloc(%m) : memref<?xf64>
  %a = func.call @a() : () -> f64
  memref.store %a, %x[%n] {dep.initializer} : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %v = memref.load %x[%j] : memref<?xf64>
    %w = func.call @f(%v) : (f64) -> f64
    memref.store %w, %x[%i] {dep.operator} : memref<?xf64>
  }
  return
}
func.func @middle_out() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c11 = arith.constant 11 : index
  %x = memref.alloc() : memref<11xf64>
  scf.for %i = %c0 to %c11 step %c1 {
    %base = arith.cmpi eq, %i, %c5 : index
    scf.if %base {
      %a = func.call @a() : () -> f64
      memref.store %a, %x[%i] {dep.operator} : memref<11xf64>
    }
    %below = arith.cmpi slt, %i, %c5 : index
    scf.if %below {
      %j = arith.addi %i, %c1 : index
      %v = memref.load %x[%j] : memref<11xf64>
      %w = func.call @f(%v) : (f64) -> f64
      memref.store %w, %x[%i] {dep.operator} : memref<11xf64>
    }
    %above = arith.cmpi sgt, %i, %c5 : index
    scf.if %above {
      %j = arith.subi %i, %c1 : index
      %v = memref.load %x[%j] : memref<11xf64>
      %w = func.call @f(%v) : (f64) -> f64
      memref.store %w, %x[%i] {dep.operator} : memref<11xf64>
    }
    %o = memref.load %x[%i] : memref<11xf64>
    func.call @infer(%o) : (f64) -> ()
  }
  return
}
