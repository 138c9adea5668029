# A prefix sum whose next term depends on it (Yang, Atkinson and Carbin 2021, equation 4).
program prefix(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  local  A[N] : f64;
  def decay(x: f64) = exp(0.0 - x);
  S0: A[0]    = w[0];
  S1: B[i]   += A[j]                 : { [i,j] : 0 <= i < N and 0 <= j <= i };
  S2: A[i+1]  = decay(B[i]) * w[i+1] : { [i] : 0 <= i < N - 1 };
}
