data {
  int N;
  int P;
  vector[N] group;
  vector[P] sign;
  matrix[N, P] Y;
}
transformed data {
  matrix[N, P] s;
  for (i in 1:N) for (k in 1:P) s[i, k] = group[i] * (k - 1.5) + 1.5 < 1.5 ? sign[1] : sign[2];
}
parameters {
  real mu;
  real phi;
  real pi_;
  real tau1;
  real tau2;
  vector[N] delta;
}
model {
  real sd1 = 1 / sqrt(tau1);
  mu ~ normal(0, 1000);
  phi ~ normal(0, 1000);
  pi_ ~ normal(0, 1000);
  tau1 ~ gamma(0.001, 0.001);
  tau2 ~ gamma(0.001, 0.001);
  delta ~ normal(0, 1 / sqrt(tau2));
  for (k in 1:P) col(Y, k) ~ normal(mu + sign[k] * pi_ / 2 + col(s, k) * (phi / 2) + delta, sd1);
}
