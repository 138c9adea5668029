# Each answer is the sum of all.
program identical_answers(N) : N >= 1 {
  input  X[N + 1] : f64;
  output Y[N + 1] : f64;
  Y[i] += X[j] : { [i,j] : 0 <= i <= N and 0 <= j <= N };
}
