data {
  int N;
  int R;
  int T;
  int culm[R];
  int response[R, T];
}
transformed data {
  int r[T, N];
  {
    int from = 1;
    for (i in 1:R) {
      for (j in from:culm[i]) for (k in 1:T) r[k, j] = response[i, k];
      from = culm[i] + 1;
    }
  }
}
parameters {
  vector[N] theta;
  vector[T] alpha;
  real beta;
}
model {
  theta ~ normal(0, 1);
  alpha ~ normal(0, 100);
  for (k in 1:T) r[k] ~ bernoulli_logit(beta * theta - alpha[k]);
}
