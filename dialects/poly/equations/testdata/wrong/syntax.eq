program p(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  B[i] = w[i : { [i] : 0 <= i < N };
}
