program p(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  B[i] = exp(w[i], 2.0) : { [i] : 0 <= i < N };
}
