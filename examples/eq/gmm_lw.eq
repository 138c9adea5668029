# Likelihood weighting for a mixture of K normal distributions: the labels are drawn from a
# uniform distribution, and the weight of the first i of them is their likelihood.
program gmm_lw(N, K) : 1 <= K <= N {
  input  obs[N], u[N] : f64;
  input  mu[K], lpi[K], pi[K] : f64;
  output Z[N] : i32;
  output Wt[N] : f64;
  local  A[N], L[N] : f64;
  def lp(p: f64, m: f64, x: f64) = p - 0.5 * (x - m) * (x - m);
  A[i] += pi[k]                                    : { [i,k] : 0 <= i < N and 0 <= k < K };
  Z[i]  = i32(u[i] * f64(K))                       : { [i] : 0 <= i < N };
  L[i] += lp(lpi[Z[j]], mu[Z[j]], obs[j])          : { [i,j] : 0 <= j <= i < N };
  Wt[i] = L[i] - f64(i + 1) * log(A[i])            : { [i] : 0 <= i < N };
}
