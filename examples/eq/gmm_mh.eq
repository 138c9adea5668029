# Metropolis and Hastings for a mixture of K normal distributions: each label is proposed
# anew, and taken if the joint likelihood of all, computed afresh, rises enough.
program gmm_mh(N, K) : 1 <= K <= N {
  input  obs[N], lu[N] : f64;       # lu: logarithms of uniform draws
  input  mu[K], lpi[K], pi[K] : f64;
  input  Z0[N], Zp[N] : i32;        # the labels before, and those proposed
  output Z1[N] : i32;
  output LJ[N] : f64;
  local  A[N], JL[N], JR[N], cur[N], prop[N] : f64;
  def lp(p: f64, m: f64, x: f64) = p - 0.5 * (x - m) * (x - m);
  A[i]   += pi[k]                                             : { [i,k] : 0 <= i < N and 0 <= k < K };
  JL[i]  += lp(lpi[Z1[j]], mu[Z1[j]], obs[j])                 : { [i,j] : 0 <= j < i < N };
  JR[i]  += lp(lpi[Z0[j]], mu[Z0[j]], obs[j])                 : { [i,j] : 0 <= i < j < N };
  cur[i]  = JL[i] + lp(lpi[Z0[i]], mu[Z0[i]], obs[i]) + JR[i] : { [i] : 0 <= i < N };
  prop[i] = JL[i] + lp(lpi[Zp[i]], mu[Zp[i]], obs[i]) + JR[i] : { [i] : 0 <= i < N };
  Z1[i]   = select(lu[i] < prop[i] - cur[i], Zp[i], Z0[i])
                                                              : { [i] : 0 <= i < N };
  LJ[i]   = JL[i] + lp(lpi[Z1[i]], mu[Z1[i]], obs[i]) + JR[i] - f64(N) * log(A[i])
                                                              : { [i] : 0 <= i < N };
}
