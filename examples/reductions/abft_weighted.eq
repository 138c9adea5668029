# The weighted checksum of a matrix product that is computed too, to find an error and to
# correct it.
program abft_weighted(N, M, K) : N >= 1 and M >= 1 and K >= 1 {
  input  A[N, K], B[K, M], w[M] : f64;
  output C[N, M], check[N] : f64;
  C[i,j]   += A[i,k] * B[k,j]        : { [i,j,k] : 0 <= i < N and 0 <= j < M and 0 <= k < K };
  check[i] += A[i,k] * B[k,j] * w[j] : { [i,j,k] : 0 <= i < N and 0 <= j < M and 0 <= k < K };
}
