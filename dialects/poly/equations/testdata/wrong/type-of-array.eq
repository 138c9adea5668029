program p(N) {
  output B[N] : i32;
  input w[N] : f64;
  B[i] = w[i] : { [i] : 0 <= i < N };
}
