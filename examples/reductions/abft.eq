# Checksums of a matrix product, of its rows and of its columns, from its factors (Huang and Abraham,
# "Algorithm-based fault tolerance for matrix operations", 1984).
program abft(N, M, K) : N >= 1 and M >= 1 and K >= 1 {
  input  A[N, K], B[K, M] : f64;
  output rows[N], columns[M] : f64;
  rows[i]    += A[i,k] * B[k,j] : { [i,j,k] : 0 <= i < N and 0 <= j < M and 0 <= k < K };
  columns[j] += A[i,k] * B[k,j] : { [i,j,k] : 0 <= i < N and 0 <= j < M and 0 <= k < K };
}
