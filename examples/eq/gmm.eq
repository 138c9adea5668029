# A sweep of Gibbs sampling for a mixture of K normal distributions: each label is drawn
# given all others, the new ones before it and the old ones behind it.
program gmm(N, K) : 1 <= K <= N {
  input  obs[N], u[N] : f64;
  input  Z0[N] : i32;
  output Z1[N] : i32;
  output P[N, K] : f64;
  local  CL[N, K], CR[N, K], TL[N, K], TR[N, K] : i32;
  local  SL[N, K], SR[N, K], Q[N, K] : f64;
  def normal(x: f64, m: f64, v: f64) = exp(-0.5 * (x - m) * (x - m) / v) / sqrt(6.283185307179586 * v);
  def post(C: f64, S: f64, T: f64, x: f64, k: f64) = (C + 1.0) / (T + k) * normal(x, S / (C + 1.0), 1.0 / (1.0 + C) + 1.0);
  CL[i,z] += i32(Z1[j] == z)                    : { [i,z,j] : 0 <= z < K and 0 <= j < i < N };
  CR[i,z] += i32(Z0[j] == z)                    : { [i,z,j] : 0 <= z < K and 0 <= i < j < N };
  SL[i,z] += select(Z1[j] == z, obs[j], 0.0)    : { [i,z,j] : 0 <= z < K and 0 <= j < i < N };
  SR[i,z] += select(Z0[j] == z, obs[j], 0.0)    : { [i,z,j] : 0 <= z < K and 0 <= i < j < N };
  TL[i,z] += i32(Z1[j] == k)                    : { [i,z,k,j] : 0 <= z < K and 0 <= k < K and 0 <= j < i < N };
  TR[i,z] += i32(Z0[j] == k)                    : { [i,z,k,j] : 0 <= z < K and 0 <= k < K and 0 <= i < j < N };
  P[i,z]   = post(f64(CL[i,z] + CR[i,z]), SL[i,z] + SR[i,z], f64(TL[i,z] + TR[i,z]), obs[i], f64(K))
                                                : { [i,z] : 0 <= i < N and 0 <= z < K };
  Q[i,z]  += P[i,k]                             : { [i,z,k] : 0 <= i < N and 0 <= k <= z < K };
  Z1[i]   += i32(Q[i,z] <= u[i] * Q[i,K-1])     : { [i,z] : 0 <= i < N and 0 <= z < K - 1 };
}
