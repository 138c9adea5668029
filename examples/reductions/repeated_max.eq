# A maximum of the same number, many times.
program repeated_max(N) : N >= 1 {
  input  X[N + 1] : f64;
  output Y[N + 1] : f64;
  Y[i] max= X[i] : { [i,j] : 0 <= i <= N and i <= j <= 2*i };
}
