data {
  int N;
  int T;
  real eps;
  vector[N] obs_t;
  vector[T + 1] t;
  vector[N] Z;
  int fail[N];
}
transformed data {
  int n = 0;
  int at[N * T];
  int who[N * T];
  int dN[N * T];
  vector[T] mu;
  for (j in 1:T) {
    mu[j] = 0.1 * (t[j + 1] - t[j]) * 0.001;
    for (i in 1:N) if (obs_t[i] - t[j] + eps >= 0) {
      n += 1;
      at[n] = j;
      who[n] = i;
      dN[n] = (t[j + 1] - obs_t[i] - eps >= 0) * fail[i];
    }
  }
}
parameters {
  vector[T] dL0;
  real beta;
}
model {
  beta ~ normal(0, 1000);
  dL0 ~ gamma(mu, 0.001);
  dN[1:n] ~ poisson_log(log(dL0)[at[1:n]] + beta * Z[who[1:n]]);
}
