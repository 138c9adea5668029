// Logistic regression by gradient descent: weights w, such that 1 / (1 + exp(-x w)) is near y. The gradient is
// x^T (p - y) / n; the transpose is a spec, and nothing is moved for it. Given are the classes of the rows by these weights.
//
// run: echo '[[[1, 0.5], [1, 1.5], [1, 2.5], [1, 3.5]], [0, 0, 1, 1], 2000]' | irc run examples/tensor/logistic.mlir -args=-
//  -> {"results": [[false, false, true, true]], "args": []}
// see: irc -passes=lower{to=affine} examples/tensor/logistic.mlir
func.func @main(%x: tensor<?x?xf64>, %y: tensor<?xf64>, %steps: index) -> tensor<?xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = ten.dim %x, 0 : tensor<?x?xf64>
  %k = ten.dim %x, 1 : tensor<?x?xf64>
  %i = arith.index_cast %n : index to i64
  %count = arith.sitofp %i : i64 to f64
  %start = ten.fill %zero[%k] : tensor<?xf64>
  %w = scf.for %t = %c0 to %steps step %c1 iter_args(%w = %start) -> (tensor<?xf64>) {
    %z = ten.einsum "ij,j->i" %x, %w : tensor<?x?xf64>, tensor<?xf64> -> tensor<?xf64>
    %error = ten.map (%a = %z : tensor<?xf64>, %b = %y : tensor<?xf64>) -> tensor<?xf64> {
      %0 = arith.negf %a : f64
      %1 = math.exp %0 : f64
      %2 = arith.addf %1, %one : f64
      %3 = arith.divf %one, %2 : f64
      %4 = arith.subf %3, %b : f64
      ten.yield %4 : f64
    }
    %slope = ten.einsum "ij,i->j" %x, %error : tensor<?x?xf64>, tensor<?xf64> -> tensor<?xf64>
    %next = ten.map (%a = %w : tensor<?xf64>, %b = %slope : tensor<?xf64>) -> tensor<?xf64> {
      %0 = arith.divf %b, %count : f64
      %1 = arith.subf %a, %0 : f64
      ten.yield %1 : f64
    }
    scf.yield %next : tensor<?xf64>
  }
  %z = ten.einsum "ij,j->i" %x, %w : tensor<?x?xf64>, tensor<?xf64> -> tensor<?xf64>
  %class = ten.map (%a = %z : tensor<?xf64>) -> tensor<?xi1> {
    %0 = arith.cmpf ogt, %a, %zero : f64
    ten.yield %0 : i1
  }
  return %class : tensor<?xi1>
}
