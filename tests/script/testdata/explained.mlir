func.func private @twice(%x: i64) -> i64 {
  %y = arith.addi %x, %x : i64
  %z = arith.addi %x, %x : i64
  %s = arith.muli %y, %z : i64
  return %s : i64
}

func.func @main(%m: memref<?xi64>, %n: index, %x: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = func.call @twice(%x) : (i64) -> i64
    %u = func.call @twice(%x) : (i64) -> i64
    %d = arith.addi %t, %u : i64
    memref.store %x, %m[%i] : memref<?xi64>
    memref.store %d, %m[%i] : memref<?xi64>
  }
  return
}
