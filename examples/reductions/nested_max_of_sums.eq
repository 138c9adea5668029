# The greatest prefix sum up to each element: a reduction within the body of another.
program nested_max_of_sums(N) : N >= 1 {
  input  A[N] : f64;
  output T[N] : f64;
  T[i] max= sum{k : 0 <= k <= j} A[k] : { [i,j] : 0 <= j <= i < N };
}
