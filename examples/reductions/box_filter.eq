# The sum over a box of K times K.
program box_filter(N, M, K) : 1 <= K <= N and K <= M {
  input  A[N + K, M + K] : f64;
  output S[N, M] : f64;
  S[i,j] += A[i+k,j+l] : { [i,j,k,l] : 0 <= i < N and 0 <= j < M and 0 <= k < K and 0 <= l < K };
}
