// Partial sums: Y[i] has what the instances before it put into n[K[i]], which depends on Y in turn.
func.func @main(%n: index, %keys: memref<?xi64>, %y: memref<?xi64>) {
  poly.system (%n = "N") context "[N] -> {  : N > 0 }" {
    %K = poly.bind %keys as input "K" in "[N] -> { K[i] : 0 <= i < N }" : memref<?xi64>
    %Y = poly.bind %y as output "Y" in "[N] -> { Y[i] : 0 <= i < N }" : memref<?xi64>
    %c = poly.local "c" in "{ c[k] : 0 <= k < 4 }" : i64
    poly.statement "S" over "[N] -> { S[i] : 0 <= i < N }" set %Y at "[N] -> { S[i] -> Y[i] }"
      reading %K at "[N] -> { S[i] -> K[i] }" after "[N] -> { S[i] -> T[j] : j < i }" do (%i: index, %k: i64) {
      %at = arith.index_cast %k : i64 to index
      %x = poly.at %c[%at] : !poly.array<1 x i64>
      poly.yield %x : i64
    }
    poly.statement "T" over "[N] -> { T[j] : 0 <= j < N }" add %c at "{ T[j] -> c[k] : 0 <= k < 4 }"
      reading %K at "[N] -> { T[j] -> K[j] }", %Y at "[N] -> { T[j] -> Y[j] }" do (%j: index, %k: i64, %x: i64) {
      %at = arith.index_cast %k : i64 to index
      %one = arith.constant 1 : i64
      %z = arith.addi %x, %one : i64
      poly.yield %z at %at : i64
    }
  }
  return
}
