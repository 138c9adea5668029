program p(N) : N >= 1 {
  input  w[N] : f64;
  output B[N] : f64;
  def f(x: f64) = f(x);
  B[i] = f(w[i]) : { [i] : 0 <= i < N };
}
