program p(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  extern p(f64) -> f64;
  B[i] = p(w[i]) : { [i] : 0 <= i < N };
}
