# The maximum over a trapezoid that moves: rows join it, columns leave it.
program trapezoid_max(N) : N >= 2 {
  input  A[N, N] : f64;
  output X[N - 1] : f64;
  X[i] max= A[j,k] : { [i,j,k] : 0 <= i < N - 1 and 0 <= j <= i and 0 <= k <= N - i - 1 and j + k < N };
}
