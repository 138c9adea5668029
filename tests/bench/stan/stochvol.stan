data {
  int n;
  vector[n] y;
}
parameters {
  real theta0;
  vector[n] theta;
  real mu;
  real phistar;
  real itau2;
}
model {
  real phi = 2 * phistar - 1;
  real s = 1 / sqrt(itau2);
  mu ~ normal(0, sqrt(10));
  phistar ~ beta(20, 1.5);
  itau2 ~ gamma(2.5, 0.025);
  theta0 ~ normal(mu, s);
  theta[1] ~ normal(mu + phi * (theta0 - mu), s);
  theta[2:n] ~ normal(mu + phi * (theta[1:(n - 1)] - mu), s);
  y ~ normal(0, exp(theta / 2));
}
