data {
  int N;
  vector[N] x;
  vector[N] Y;
}
parameters {
  real alpha;
  real beta;
  real gamma;
  real tau;
}
model {
  vector[N] m;
  for (i in 1:N) m[i] = alpha - beta * pow(gamma, x[i]);
  tau ~ gamma(0.001, 0.001);
  Y ~ normal(m, 1 / sqrt(tau));
}
