# A convolution by the product of two kernels, of rows and of columns.
program separable_convolution(N, M, K) : 1 <= K <= N and K <= M {
  input  X[N + K, M + K], u[K], v[K] : f64;
  output Y[N, M] : f64;
  Y[i,j] += u[k] * v[l] * X[i+k,j+l] : { [i,j,k,l] : 0 <= i < N and 0 <= j < M and 0 <= k < K and 0 <= l < K };
}
