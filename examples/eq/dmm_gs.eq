# A sweep of Gibbs sampling for a Dirichlet mixture of K topics: the topic of each of D
# documents, W words of an alphabet of A in all, is drawn given those of all others.
# M is of D * K * W elements, all those of one document alike.
program dmm_gs(W, K, D, A) : W >= 1 and K >= 1 and D >= 1 and A >= 1 {
  input  X[K, A], s[D], u[D] : f64;
  input  Z0[D], doc[W], v[W] : i32;
  output Z1[D] : i32;
  output lp[D, K] : f64;
  local  CL[D, K], CR[D, K], TL[D, K], TR[D, K] : i32;
  local  M[D, K, W], ll[D, K], mx[D], P[D, K], Q[D, K] : f64;
  CL[d,z]  += i32(Z1[j] == z)       : { [d,z,j] : 0 <= z < K and 0 <= j < d < D };
  CR[d,z]  += i32(Z0[j] == z)       : { [d,z,j] : 0 <= z < K and 0 <= d < j < D };
  TL[d,z]  += i32(Z1[j] == k)       : { [d,z,k,j] : 0 <= z < K and 0 <= k < K and 0 <= j < d < D };
  TR[d,z]  += i32(Z0[j] == k)       : { [d,z,k,j] : 0 <= z < K and 0 <= k < K and 0 <= d < j < D };
  M[d,z,w] += X[k,a] + s[d]         : { [d,z,w,k,a] : 0 <= d < D and 0 <= z < K and 0 <= w < W and 0 <= k < K and 0 <= a < A };
  ll[d,z]  += select(doc[w] == d, log(X[z,v[w]] + s[d]) - log(M[d,z,w]), 0.0)
                                    : { [d,z,w] : 0 <= d < D and 0 <= z < K and 0 <= w < W };
  lp[d,z]   = log((f64(CL[d,z] + CR[d,z]) + 1.0) / (f64(TL[d,z] + TR[d,z]) + f64(K))) + ll[d,z]
                                    : { [d,z] : 0 <= d < D and 0 <= z < K };
  mx[d]  max= lp[d,z]               : { [d,z] : 0 <= d < D and 0 <= z < K };
  P[d,z]    = exp(lp[d,z] - mx[d])  : { [d,z] : 0 <= d < D and 0 <= z < K };
  Q[d,z]   += P[d,k]                : { [d,z,k] : 0 <= d < D and 0 <= k <= z < K };
  Z1[d]    += i32(Q[d,z] <= u[d] * Q[d,K-1])
                                    : { [d,z] : 0 <= d < D and 0 <= z < K - 1 };
}
