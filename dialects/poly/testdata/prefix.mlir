func.func @prefix(%N: index, %w: memref<?xf64> {llvm.noalias}, %B: memref<?xf64> {llvm.noalias}) {
  poly.system (%N = "N") context "[N] -> { : N >= 1 }" {
    %wa = poly.bind %w as input "w" : memref<?xf64>
    %Ba = poly.bind %B as output "B" in "[N] -> { B[i] : 0 <= i < N }" : memref<?xf64>
    %A = poly.local "A" in "[N] -> { A[i] : 0 <= i < N }" : f64
    poly.statement "S0" over "{ S0[] }" set %A at "{ S0[] -> A[0] }" reading %wa at "{ S0[] -> w[0] }" do (%x: f64) {
      poly.yield %x : f64
    }
    poly.statement "S1" over "[N] -> { S1[i, j] : i < N and 0 <= j <= i }" add %Ba at "{ S1[i, j] -> B[i] }" reading %A at "{ S1[i, j] -> A[j] }" do (%i: index, %j: index, %x: f64) {
      poly.yield %x : f64
    }
    poly.statement "S2" over "[N] -> { S2[i] : 0 <= i < N - 1 }" set %A at "{ S2[i] -> A[i + 1] }" reading %Ba at "{ S2[i] -> B[i] }", %wa at "{ S2[i] -> w[i + 1] }" do (%i: index, %b: f64, %x: f64) {
      %z = arith.constant 0.0 : f64
      %n = arith.subf %z, %b : f64
      %e = math.exp %n : f64
      %r = arith.mulf %e, %x : f64
      poly.yield %r : f64
    }
  }
  return
}

func.func @main() -> (f64, f64) {
  %two = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = memref.alloca(%two) : memref<?xf64>
  %B = memref.alloca(%two) : memref<?xf64>
  %a = arith.constant 0.5 : f64
  %b = arith.constant 1.0 : f64
  memref.store %a, %w[%c0] : memref<?xf64>
  memref.store %b, %w[%c1] : memref<?xf64>
  func.call @prefix(%two, %w, %B) : (index, memref<?xf64>, memref<?xf64>) -> ()
  %x = memref.load %B[%c0] : memref<?xf64>
  %y = memref.load %B[%c1] : memref<?xf64>
  return %x, %y : f64, f64
}
