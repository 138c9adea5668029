data {
  int N;
  int r[N];
  int n[N];
}
parameters {
  real mu;
  real tau;
  vector[N] b;
}
model {
  mu ~ normal(0, 1000);
  tau ~ gamma(0.001, 0.001);
  b ~ normal(mu, 1 / sqrt(tau));
  r ~ binomial_logit(n, b);
}
