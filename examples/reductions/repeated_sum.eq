# A sum of the same number, as often as the size of a triangle says.
program repeated_sum(N) : N >= 1 {
  input  X[N + 1] : f64;
  output Y[N + 1] : f64;
  Y[i] += X[i] : { [i,j] : 0 <= i <= N and i <= j <= 2*i };
}
