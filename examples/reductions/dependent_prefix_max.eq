# Running maxima of what depends on the maximum before.
program dependent_prefix_max(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  local  A[N] : f64;
  A[0]     = w[0];
  B[i] max= A[j]               : { [i,j] : 0 <= j <= i < N };
  A[i+1]   = w[i+1] - 0.5 * B[i] : { [i] : 0 <= i < N - 1 };
}
