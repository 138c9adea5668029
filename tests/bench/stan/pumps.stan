data {
  int N;
  int x[N];
  vector[N] t;
}
parameters {
  vector[N] theta;
  real alpha;
  real beta;
}
model {
  alpha ~ exponential(1);
  beta ~ gamma(0.1, 1);
  theta ~ gamma(alpha, beta);
  x ~ poisson(theta .* t);
}
