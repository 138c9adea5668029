program p(N) : N >= 1 {
  output B[N] : i32;
  B[i] = 3000000000 : { [i] : 0 <= i < N };
}
