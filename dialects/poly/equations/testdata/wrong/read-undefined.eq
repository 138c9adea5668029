program p(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  local A[N] : f64;
  A[i] = w[i] : { [i] : 1 <= i < N };
  B[i] = A[i] : { [i] : 0 <= i < N };
}
