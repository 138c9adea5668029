// The first principal component of points, by power iteration: v <- C v / max |C v|, C the covariances of the columns.
//
// run: echo '[[[1, 1], [2, 2], [3, 3], [4, 4]], 20]' | irc run examples/tensor/pca.mlir -args=-
//  -> {"results": [[1, 1]], "args": []}
// see: irc -passes=lower{to=affine} examples/tensor/pca.mlir
func.func @main(%x: tensor<?x?xf64>, %steps: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = ten.dim %x, 0 : tensor<?x?xf64>
  %k = ten.dim %x, 1 : tensor<?x?xf64>
  %i = arith.index_cast %n : index to i64
  %count = arith.sitofp %i : i64 to f64
  %sums = ten.reduce add %x along [0] : tensor<?x?xf64>
  %c = ten.map (%e = %x : tensor<?x?xf64>, %s = %sums : tensor<?xf64>) -> tensor<?x?xf64> {
    %mean = arith.divf %s, %count : f64
    %d = arith.subf %e, %mean : f64
    ten.yield %d : f64
  }
  %cov = ten.einsum "ki,kj->ij" %c, %c : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  %start = ten.fill %one[%k] : tensor<?xf64>
  %v = scf.for %t = %c0 to %steps step %c1 iter_args(%v = %start) -> (tensor<?xf64>) {
    %w = ten.einsum "ij,j->i" %cov, %v : tensor<?x?xf64>, tensor<?xf64> -> tensor<?xf64>
    %size = math.absf %w : tensor<?xf64>
    %most = ten.reduce max %size along [0] : tensor<?xf64>
    %next = ten.map (%a = %w : tensor<?xf64>, %m = %most : tensor<f64>) -> tensor<?xf64> {
      %0 = arith.divf %a, %m : f64
      ten.yield %0 : f64
    }
    scf.yield %next : tensor<?xf64>
  }
  return %v : tensor<?xf64>
}
