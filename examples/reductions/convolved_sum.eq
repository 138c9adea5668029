# The sum of all elements of a convolution.
program convolved_sum(N, K) : K >= 1 and 2*K < N {
  input  x[N + K], w[K] : f64;
  output c2 : f64;
  local  c[N] : f64;
  c[i] += x[i+k] * w[k] : { [i,k] : 0 <= i < N and 0 <= k < K };
  c2   += c[i]          : { [i] : 0 <= i < N };
}
