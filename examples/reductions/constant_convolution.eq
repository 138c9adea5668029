# A convolution by a kernel of equal weights.
program constant_convolution(N, K) : 1 <= K <= N {
  input  x[N + K], c : f64;
  output y[N] : f64;
  y[i] += c * x[i+k] : { [i,k] : 0 <= i < N and 0 <= k < K };
}
