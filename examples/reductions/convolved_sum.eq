# The sum of all elements of a convolution.
program convolved_sum(N, K) : K >= 1 and 2*K < N {
  input  x[N + K], w[K] : f64;
  output c2 : f64;
  c2 += x[i+k] * w[k] : { [i,k] : 0 <= i < N and 0 <= k < K };
}
