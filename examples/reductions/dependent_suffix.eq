# Suffix sums of what depends on the sum behind: from the last to the first.
program dependent_suffix(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  local  A[N] : f64;
  A[N-1] = w[N-1];
  B[i]  += A[j]                : { [i,j] : 0 <= i <= j < N };
  A[i-1] = w[i-1] - 0.5 * B[i] : { [i] : 1 <= i < N };
}
