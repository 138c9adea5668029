program p(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  local A[N] : f64;
  input Z[N] : i32;
  A[i] = w[i] : { [i] : 1 <= i < N };
  B[i] = A[Z[i]] : { [i] : 0 <= i < N };
}
