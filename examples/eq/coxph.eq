# T steps of Newton's method for Cox's proportional hazards: N subjects in the order of their
# times, K covariates. The Hessian is positive definite: each step is a factorisation of
# Cholesky and two triangular systems.
program coxph(N, K, T) : N >= 1 and K >= 1 and T >= 1 {
  input  x[N, K], del[N] : f64;     # del: 1 where the event was seen, 0 where it was not
  output b[T + 1, K] : f64;
  local  e[T, N], S0[T, N], S1[T, N, K], S2[T, N, K, K], g[T, K], Hs[T, K, K] : f64;
  local  L[T, K, K], y[T, K], step[T, K] : f64;
  b[0,a]        = 0.0                              : { [a] : 0 <= a < K };
  e[t,j]        = exp(sum{a : 0 <= a < K} b[t,a] * x[j,a])
                                                   : { [t,j] : 0 <= t < T and 0 <= j < N };
  S0[t,i]      += e[t,j]                           : { [t,i,j] : 0 <= t < T and 0 <= i <= j < N };
  S1[t,i,a]    += e[t,j] * x[j,a]                  : { [t,i,a,j] : 0 <= t < T and 0 <= a < K and 0 <= i <= j < N };
  S2[t,i,a,c]  += e[t,j] * x[j,a] * x[j,c]         : { [t,i,a,c,j] : 0 <= t < T and 0 <= a < K and 0 <= c < K and 0 <= i <= j < N };
  g[t,a]       += del[i] * (x[i,a] - S1[t,i,a] / S0[t,i])
                                                   : { [t,a,i] : 0 <= t < T and 0 <= a < K and 0 <= i < N };
  Hs[t,a,c]    += del[i] * (S2[t,i,a,c] / S0[t,i] - S1[t,i,a] * S1[t,i,c] / (S0[t,i] * S0[t,i]))
                                                   : { [t,a,c,i] : 0 <= t < T and 0 <= a < K and 0 <= c < K and 0 <= i < N };
  # Hs = L L', L y = g, L' step = y.
  L[t,a,a]      = sqrt(Hs[t,a,a] - sum{k : 0 <= k < a} L[t,a,k] * L[t,a,k])
                                                   : { [t,a] : 0 <= t < T and 0 <= a < K };
  L[t,a,c]      = (Hs[t,a,c] - sum{k : 0 <= k < c} L[t,a,k] * L[t,c,k]) / L[t,c,c]
                                                   : { [t,a,c] : 0 <= t < T and 0 <= c < a < K };
  y[t,a]        = (g[t,a] - sum{k : 0 <= k < a} L[t,a,k] * y[t,k]) / L[t,a,a]
                                                   : { [t,a] : 0 <= t < T and 0 <= a < K };
  step[t,a]     = (y[t,a] - sum{k : a < k < K} L[t,k,a] * step[t,k]) / L[t,a,a]
                                                   : { [t,a] : 0 <= t < T and 0 <= a < K };
  b[t+1,a]      = b[t,a] + step[t,a]               : { [t,a] : 0 <= t < T and 0 <= a < K };
}
