# The number of pairs that are out of order: data decides about each.
program inversions(N) : N >= 1 {
  input  A[N] : f64;
  output count : i64;
  count += i64(A[i] > A[j]) : { [i,j] : 0 <= i < j < N };
}
