# Prefix sums of what depends on the sum before: from the first to the last.
program dependent_prefix(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  local  A[N] : f64;
  A[0]   = w[0];
  B[i]  += A[j]                : { [i,j] : 0 <= j <= i < N };
  A[i+1] = w[i+1] - 0.5 * B[i] : { [i] : 0 <= i < N - 1 };
}
