// Values go to elements at computed indices, as far as a relation has these: an even one that is not
// behind the coordinate, and any of memory whose extent is not told.
func.func @f(%n: index, %keys: memref<?xi64>, %a: memref<?xi64>, %b: memref<?xi64>) {
  poly.system (%n = "N") context "[N] -> {  : N > 0 }" {
    %K = poly.bind %keys as input "K" in "[N] -> { K[i] : 0 <= i < N }" : memref<?xi64>
    %A = poly.bind %a as output "A" in "[N] -> { A[i] : 0 <= i < N }" : memref<?xi64>
    %B = poly.bind %b as inout "B" : memref<?xi64>
    poly.statement "S" over "[N] -> { S[i] : 0 <= i < N }" add %A at "[N] -> { S[i] -> A[k] : k <= i and k mod 2 = 0 and 0 <= k < N }"
      reading %K at "[N] -> { S[i] -> K[i] }" do (%i: index, %k: i64) {
      %one = arith.constant 1 : i64
      %at = arith.index_cast %k : i64 to index
      poly.yield %one at %at : i64
    }
    poly.statement "T" over "[N] -> { T[i] : 0 <= i < N }" max %B at "[N] -> { T[i] -> B[k] : 2k + 1 <= N and k >= 0 }"
      reading %K at "[N] -> { T[i] -> K[i] }" do (%i: index, %k: i64) {
      %at = arith.index_cast %k : i64 to index
      %x = arith.index_cast %i : index to i64
      poly.yield %x at %at : i64
    }
  }
  return
}
