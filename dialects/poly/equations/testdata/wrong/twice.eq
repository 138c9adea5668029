program p(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  B[i] = w[j] : { [i,j] : 0 <= i < N and 0 <= j < N };
}
