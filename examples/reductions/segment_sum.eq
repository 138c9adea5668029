# Sums over the last W + 1 elements.
program segment_sum(N, W) : 0 < W < N {
  input  A[N] : f64;
  output C[N] : f64;
  C[i] += A[j] : { [i,j] : 0 <= i < N and i - W <= j <= i and 0 <= j };
}
