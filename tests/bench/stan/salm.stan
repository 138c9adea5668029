data {
  int doses;
  int plates;
  int y[doses, plates];
  vector[doses] x;
}
transformed data {
  vector[doses] z = log(x + 10);
}
parameters {
  real alpha;
  real beta;
  real gamma;
  real tau;
  matrix[doses, plates] lambda;
}
model {
  vector[doses] m = alpha + beta * z + gamma * x;
  alpha ~ normal(0, 1000);
  beta ~ normal(0, 1000);
  gamma ~ normal(0, 1000);
  tau ~ gamma(0.001, 0.001);
  to_vector(lambda) ~ normal(0, 1 / sqrt(tau));
  for (j in 1:plates) y[, j] ~ poisson_log(m + col(lambda, j));
}
