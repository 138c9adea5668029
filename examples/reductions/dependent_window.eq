# Each element depends on the sum of the W before it.
program dependent_window(N, W) : 1 <= W < N {
  input  w[N] : f64;
  output A[N] : f64;
  local  S[N] : f64;
  S[i] += A[j]               : { [i,j] : 0 <= i < N and i - W <= j < i and 0 <= j };
  A[i]  = w[i] - 0.5 * S[i]  : { [i] : 0 <= i < N };
}
