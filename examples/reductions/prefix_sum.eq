# Prefix sums.
program prefix_sum(N) : N >= 1 {
  input  A[N] : f64;
  output C[N] : f64;
  C[i] += A[j] : { [i,j] : 0 <= j <= i < N };
}
