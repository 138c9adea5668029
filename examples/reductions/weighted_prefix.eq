# Prefix sums of weighted terms, scaled by what belongs to the answer.
program weighted_prefix(N) : N >= 1 {
  input  c[N], w[N], x[N] : f64;
  output P[N] : f64;
  P[i] += c[i] * w[j] * x[j] : { [i,j] : 0 <= j <= i < N };
}
