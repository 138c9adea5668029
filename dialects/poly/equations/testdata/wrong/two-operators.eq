program p(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  S: B[i] += w[i] : { [i] : 0 <= i < N };
  T: B[i] max= w[i] : { [i] : 0 <= i < N };
}
