func.func @f(%n: index, %a: memref<?xf64>) {
  poly.system (%n = "N") context "[N] -> { : N >= 0 }" schedule ["domain: '[N] -> { S[i, j] : 0 <= i < N and 1 <= j < N }'", "child:", "  schedule: '[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]'"] {
    %A = poly.bind %a as inout "A" in "[N] -> { A[i] : 0 <= i < N }" : memref<?xf64>
    poly.statement "S" over "[N] -> { S[i, j] : 0 <= i < N and 1 <= j < N }" set %A at "{ S[i, j] -> A[j] }" reading %A at "{ S[i, j] -> A[j - 1] }", %A at "{ S[i, j] -> A[j] }" do (%i: index, %j: index, %x: f64, %z: f64) {
      %y = arith.addf %x, %z : f64
      poly.yield %y : f64
    }
  }
  return
}
