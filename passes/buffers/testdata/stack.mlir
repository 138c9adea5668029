// passes: promote-buffers-to-stack{limit=256},free-buffers
func.func private @other()

func.func @some(%x: memref<4xf64>, %k: i1, %n: index) -> memref<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %small = memref.alloc() {memref.owned} : memref<4xf64>
  memref.copy %x, %small : memref<4xf64> to memref<4xf64>
  %large = memref.alloc() {memref.owned} : memref<40xf64>
  %open = memref.alloc(%n) {memref.owned} : memref<?xf64>
  %returned = memref.alloc() {memref.owned} : memref<4xf64>
  memref.copy %small, %returned : memref<4xf64> to memref<4xf64>
  %v = memref.load %small[%c1] : memref<4xf64>
  memref.store %v, %large[%n] : memref<40xf64>
  memref.store %v, %open[%c0] : memref<?xf64>
  scf.if %k {
    %branch = memref.alloc() {memref.owned} : memref<2x2xf64>
    memref.copy %small, %x : memref<4xf64> to memref<4xf64>
    memref.store %v, %branch[%n, %c1] : memref<2x2xf64>
    %w = memref.load %branch[%c1, %n] : memref<2x2xf64>
    memref.store %w, %returned[%c0] : memref<4xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %round = memref.alloc() {memref.owned} : memref<4xf64>
    memref.copy %x, %round : memref<4xf64> to memref<4xf64>
    %w = memref.load %round[%i] : memref<4xf64>
    memref.store %w, %open[%i] : memref<?xf64>
  }
  %y = memref.load %large[%n] : memref<40xf64>
  %z = memref.load %open[%c1] : memref<?xf64>
  memref.store %y, %returned[%c1] : memref<4xf64>
  memref.store %z, %returned[%c0] : memref<4xf64>
  return %returned : memref<4xf64>
}

func.func @calls(%x: memref<4xf64>) {
  %a = memref.alloc() {memref.owned} : memref<4xf64>
  memref.copy %x, %a : memref<4xf64> to memref<4xf64>
  func.call @other() : () -> ()
  memref.copy %a, %x : memref<4xf64> to memref<4xf64>
  return
}

func.func private @leaf(%x: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<4xf64>
  %w = arith.addf %v, %v : f64
  memref.store %w, %x[%c0] : memref<4xf64>
  return
}

func.func private @calls_leaf(%x: memref<4xf64>) {
  %a = memref.alloc() {memref.owned} : memref<4xf64>
  memref.copy %x, %a : memref<4xf64> to memref<4xf64>
  func.call @leaf(%a) : (memref<4xf64>) -> ()
  memref.copy %a, %x : memref<4xf64> to memref<4xf64>
  return
}

func.func @calls_caller(%x: memref<4xf64>) {
  %a = memref.alloc() {memref.owned} : memref<4xf64>
  memref.copy %x, %a : memref<4xf64> to memref<4xf64>
  func.call @calls_leaf(%a) : (memref<4xf64>) -> ()
  memref.copy %a, %x : memref<4xf64> to memref<4xf64>
  return
}
