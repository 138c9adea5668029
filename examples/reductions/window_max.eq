# The maximum of the last W elements.
program window_max(N, W) : 1 <= W <= N {
  input  A[N] : f64;
  output M[N] : f64;
  M[i] max= A[j] : { [i,j] : 0 <= i < N and i - W < j <= i and 0 <= j };
}
