program p(N) : N >= 1 and N < 0 {
  output B[N] : f64;
  B[i] = 0.0 : { [i] : 0 <= i < N };
}
