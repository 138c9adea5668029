# The minimum over a window that grows at both ends.
program growing_window_min(N) : N >= 1 {
  input  A[2*N] : f64;
  output M[N] : f64;
  M[i] min= A[j] : { [i,j] : 0 <= i < N and N - i - 1 <= j <= N + i };
}
