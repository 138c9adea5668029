program p(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  input Z[N] : i32;
  B[Z[i]] = w[i] : { [i] : 0 <= i < N };
}
