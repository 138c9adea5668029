# Sums over a window of several parameters.
program two_sided_window(N, L, R) : L >= 1 and R >= 1 and L + R < N {
  input  A[N] : f64;
  output S[N] : f64;
  S[i] += A[j] : { [i,j] : 0 <= i < N and i - L <= j <= i + R and 0 <= j < N };
}
