data {
  int N;
  int r[N];
  int n[N];
  vector[N] x1;
  vector[N] x2;
}
transformed data {
  vector[N] x12 = x1 .* x2;
}
parameters {
  real alpha0;
  real alpha1;
  real alpha2;
  real alpha12;
  real tau;
  vector[N] b;
}
model {
  alpha0 ~ normal(0, 1000);
  alpha1 ~ normal(0, 1000);
  alpha2 ~ normal(0, 1000);
  alpha12 ~ normal(0, 1000);
  tau ~ gamma(0.001, 0.001);
  b ~ normal(0, 1 / sqrt(tau));
  r ~ binomial_logit(n, alpha0 + alpha1 * x1 + alpha2 * x2 + alpha12 * x12 + b);
}
