// Bubble sort in place; returns how many exchanges it took.
//
// run: echo '[[5, 2, 9, -1, 0, 7]]' | irc run examples/mlir/bubble_sort.mlir -entry=sort -args=-
//  -> {"results": [8], "args": [[-1, 0, 2, 5, 7, 9]]}
func.func @sort(%x: memref<6xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %swaps = scf.for %pass = %c0 to %c5 step %c1 iter_args(%n = %zero) -> (i32) {
    %end = arith.subi %c5, %pass : index
    %m = scf.for %i = %c0 to %end step %c1 iter_args(%k = %n) -> (i32) {
      %j = arith.addi %i, %c1 : index
      %a = memref.load %x[%i] : memref<6xi32>
      %b = memref.load %x[%j] : memref<6xi32>
      %wrong = arith.cmpi sgt, %a, %b : i32
      %k1 = scf.if %wrong -> (i32) {
        memref.store %b, %x[%i] : memref<6xi32>
        memref.store %a, %x[%j] : memref<6xi32>
        %more = arith.addi %k, %one : i32
        scf.yield %more : i32
      } else {
        scf.yield %k : i32
      }
      scf.yield %k1 : i32
    }
    scf.yield %m : i32
  }
  return %swaps : i32
}
