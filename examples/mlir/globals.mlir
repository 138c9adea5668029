// A module with global memory: a constant table and a counter that outlives calls.
//
// run: echo '[5]' | irc run examples/mlir/globals.mlir -entry=main -args=-
//  -> {"results": [2310, 5], "args": []}
module {
  memref.global "private" constant @primes : memref<6xi64> = dense<[2, 3, 5, 7, 11, 13]>
  memref.global "private" @calls : memref<1xi64> = dense<0>

  func.func private @prime(%i: index) -> i64 {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i64
    %calls = memref.get_global @calls : memref<1xi64>
    %n = memref.load %calls[%c0] : memref<1xi64>
    %n1 = arith.addi %n, %one : i64
    memref.store %n1, %calls[%c0] : memref<1xi64>
    %table = memref.get_global @primes : memref<6xi64>
    %p = memref.load %table[%i] : memref<6xi64>
    return %p : i64
  }

  // The product of the first n primes, n at most 6, and the number of calls.
  func.func @main(%n: index) -> (i64, i64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i64
    %product = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one) -> (i64) {
      %p = func.call @prime(%i) : (index) -> i64
      %next = arith.muli %acc, %p : i64
      scf.yield %next : i64
    }
    %calls = memref.get_global @calls : memref<1xi64>
    %n1 = memref.load %calls[%c0] : memref<1xi64>
    return %product, %n1 : i64, i64
  }
}
