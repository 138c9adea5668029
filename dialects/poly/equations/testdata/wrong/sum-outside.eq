program p(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  B[i] = sum{j : 0 <= j <= N} w[j] : { [i] : 0 <= i < N };
}
