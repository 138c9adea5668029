# A convolution by a kernel of any weights: nothing is shared.
program convolution(N, K) : 1 <= K <= N {
  input  x[N + K], w[K] : f64;
  output y[N] : f64;
  y[i] += w[k] * x[i+k] : { [i,k] : 0 <= i < N and 0 <= k < K };
}
