program p(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  B[i] = f64(i / 2) : { [i] : 0 <= i < N };
}
