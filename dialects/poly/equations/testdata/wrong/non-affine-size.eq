program p(N, M) {
  output B[N*M] : f64;
}
