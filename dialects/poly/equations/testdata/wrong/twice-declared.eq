program p(N) {
  output B[N] : f64;
  local B[N] : f64;
  B[i] = 1.0 : { [i] : 0 <= i < N };
}
