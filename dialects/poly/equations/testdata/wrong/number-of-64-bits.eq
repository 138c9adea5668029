program p(N) : N >= 1 {
  output B[N] : i64;
  B[i] = 99999999999999999999 : { [i] : 0 <= i < N };
}
