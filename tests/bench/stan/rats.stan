data {
  int N;
  int T;
  real x[T];
  real xbar;
  matrix[N, T] Y;
}
parameters {
  vector[N] alpha;
  vector[N] beta;
  real tau_c;
  real alpha_c;
  real alpha_tau;
  real beta_c;
  real beta_tau;
}
model {
  real s = 1 / sqrt(tau_c);
  alpha_c ~ normal(0, 1000);
  beta_c ~ normal(0, 1000);
  tau_c ~ gamma(0.001, 0.001);
  alpha_tau ~ gamma(0.001, 0.001);
  beta_tau ~ gamma(0.001, 0.001);
  alpha ~ normal(alpha_c, 1 / sqrt(alpha_tau));
  beta ~ normal(beta_c, 1 / sqrt(beta_tau));
  for (t in 1:T) col(Y, t) ~ normal(alpha + beta * (x[t] - xbar), s);
}
