// The log likelihood of points under a mixture of normal laws, with a Wishart prior: Srajer, Kukelova and Fitzgibbon 2018. Of each
// component there are the logarithm of its weight, its mean, and of its inverse's factor the logarithms of the diagonal, q, and what is below it,
// row by row, l.
func.func @gmm(%alpha: memref<?xf64> {llvm.noalias}, %mean: memref<?x?xf64> {llvm.noalias}, %q: memref<?x?xf64> {llvm.noalias}, %l: memref<?x?xf64> {llvm.noalias},
    %x: memref<?x?xf64> {llvm.noalias}, %gamma: f64, %m: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %lowest = arith.constant -1.0e+308 : f64
  %K = memref.dim %mean, %c0 : memref<?x?xf64>
  %d = memref.dim %mean, %c1 : memref<?x?xf64>
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %below = memref.dim %l, %c1 : memref<?x?xf64>
  %terms = memref.alloc(%n, %K) {memref.owned} : memref<?x?xf64>
  %expq = memref.alloc(%K, %d) {memref.owned} : memref<?x?xf64>
  scf.for %k = %c0 to %K step %c1 {
    scf.for %j = %c0 to %d step %c1 {
      %0 = memref.load %q[%k, %j] : memref<?x?xf64>
      %1 = math.exp %0 fastmath<fast> : f64
      memref.store %1, %expq[%k, %j] : memref<?x?xf64>
    }
  }
  // terms[i, k] = alpha[k] + sum(q[k]) - |Q[k] (x[i] - mean[k])|^2 / 2
  scf.for %k = %c0 to %K step %c1 {
    %a = memref.load %alpha[%k] : memref<?xf64>
    %weight = scf.for %j = %c0 to %d step %c1 iter_args(%s = %a) -> f64 {
      %0 = memref.load %q[%k, %j] : memref<?x?xf64>
      %1 = arith.addf %s, %0 fastmath<fast> : f64
      scf.yield %1 : f64
    }
    scf.for %i = %c0 to %n step %c1 {
      %square = scf.for %j = %c0 to %d step %c1 iter_args(%s = %zero) -> f64 {
        %0 = arith.subi %j, %c1 : index
        %1 = arith.muli %j, %0 : index
        %row = arith.divui %1, %c2 : index
        %e = memref.load %expq[%k, %j] : memref<?x?xf64>
        %2 = memref.load %x[%i, %j] : memref<?x?xf64>
        %3 = memref.load %mean[%k, %j] : memref<?x?xf64>
        %4 = arith.subf %2, %3 fastmath<fast> : f64
        %5 = arith.mulf %e, %4 fastmath<fast> : f64
        %qx = scf.for %h = %c0 to %j step %c1 iter_args(%t = %5) -> f64 {
          %6 = arith.addi %row, %h : index
          %7 = memref.load %l[%k, %6] : memref<?x?xf64>
          %8 = memref.load %x[%i, %h] : memref<?x?xf64>
          %9 = memref.load %mean[%k, %h] : memref<?x?xf64>
          %10 = arith.subf %8, %9 fastmath<fast> : f64
          %11 = arith.mulf %7, %10 fastmath<fast> : f64
          %12 = arith.addf %t, %11 fastmath<fast> : f64
          scf.yield %12 : f64
        }
        %13 = arith.mulf %qx, %qx fastmath<fast> : f64
        %14 = arith.addf %s, %13 fastmath<fast> : f64
        scf.yield %14 : f64
      }
      %15 = arith.mulf %square, %half fastmath<fast> : f64
      %16 = arith.subf %weight, %15 fastmath<fast> : f64
      memref.store %16, %terms[%i, %k] : memref<?x?xf64>
    }
  }
  // the sum over points of log(sum(exp(terms[i])))
  %points = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %most = scf.for %k = %c0 to %K step %c1 iter_args(%t = %lowest) -> f64 {
      %0 = memref.load %terms[%i, %k] : memref<?x?xf64>
      %1 = arith.maximumf %t, %0 fastmath<fast> : f64
      scf.yield %1 : f64
    }
    %sum = scf.for %k = %c0 to %K step %c1 iter_args(%t = %zero) -> f64 {
      %0 = memref.load %terms[%i, %k] : memref<?x?xf64>
      %1 = arith.subf %0, %most fastmath<fast> : f64
      %2 = math.exp %1 fastmath<fast> : f64
      %3 = arith.addf %t, %2 fastmath<fast> : f64
      scf.yield %3 : f64
    }
    %4 = math.log %sum fastmath<fast> : f64
    %5 = arith.addf %4, %most fastmath<fast> : f64
    %6 = arith.addf %s, %5 fastmath<fast> : f64
    scf.yield %6 : f64
  }
  // n log(sum(exp(alpha)))
  %all = scf.for %k = %c0 to %K step %c1 iter_args(%t = %zero) -> f64 {
    %0 = memref.load %alpha[%k] : memref<?xf64>
    %1 = math.exp %0 fastmath<fast> : f64
    %2 = arith.addf %t, %1 fastmath<fast> : f64
    scf.yield %2 : f64
  }
  %log = math.log %all fastmath<fast> : f64
  %17 = arith.index_cast %n : index to i64
  %18 = arith.sitofp %17 : i64 to f64
  %19 = arith.mulf %log, %18 fastmath<fast> : f64
  %20 = arith.subf %points, %19 fastmath<fast> : f64
  // gamma^2 (|exp(q)|^2 + |l|^2) / 2 - m sum(q)
  %21 = arith.mulf %gamma, %gamma fastmath<fast> : f64
  %factor = arith.mulf %21, %half fastmath<fast> : f64
  %prior = scf.for %k = %c0 to %K step %c1 iter_args(%s = %20) -> f64 {
    %diagonal = scf.for %j = %c0 to %d step %c1 iter_args(%t = %s) -> f64 {
      %0 = memref.load %q[%k, %j] : memref<?x?xf64>
      %1 = math.exp %0 fastmath<fast> : f64
      %2 = arith.mulf %1, %1 fastmath<fast> : f64
      %3 = arith.mulf %2, %factor fastmath<fast> : f64
      %4 = arith.mulf %0, %m fastmath<fast> : f64
      %5 = arith.subf %3, %4 fastmath<fast> : f64
      %6 = arith.addf %t, %5 fastmath<fast> : f64
      scf.yield %6 : f64
    }
    %rest = scf.for %j = %c0 to %below step %c1 iter_args(%t = %diagonal) -> f64 {
      %0 = memref.load %l[%k, %j] : memref<?x?xf64>
      %1 = arith.mulf %0, %0 fastmath<fast> : f64
      %2 = arith.mulf %1, %factor fastmath<fast> : f64
      %3 = arith.addf %t, %2 fastmath<fast> : f64
      scf.yield %3 : f64
    }
    scf.yield %rest : f64
  }
  return %prior : f64
}
