# The minimum over the rows behind and the columns before.
program staircase_min(N) : N >= 1 {
  input  A[N, N] : f64;
  output X[N] : f64;
  X[i] min= A[j,k] : { [i,j,k] : 0 <= k <= i <= j < N };
}
