# Prefix sums of prefix sums, which are not kept.
program nested_sums(N) : N >= 1 {
  input  A[N] : f64;
  output T[N] : f64;
  T[i] += A[k] : { [i,j,k] : 0 <= k <= j <= i < N };
}
