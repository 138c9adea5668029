# Metropolis and Hastings for a Dirichlet mixture of K topics: the topic of each of D
# documents is proposed from the counts of all others, and taken as the likelihood of the
# document's words says.
program dmm_mh(W, K, D, A) : W >= 1 and K >= 1 and D >= 1 and A >= 1 {
  input  X[K, A], s[D], u[D], u2[D] : f64;
  input  Z0[D], doc[W], v[W] : i32;
  output Z1[D] : i32;
  output Lc[D], Lp[D] : f64;        # the likelihoods of the topic before and of the proposed one
  local  CL[D, K], CR[D, K], TL[D, K], TR[D, K] : i32;
  local  P[D, K], Q[D, K], Mc[D], Mp[D] : f64;
  local  Zp[D] : i32;
  CL[d,z] += i32(Z1[j] == z)        : { [d,z,j] : 0 <= z < K and 0 <= j < d < D };
  CR[d,z] += i32(Z0[j] == z)        : { [d,z,j] : 0 <= z < K and 0 <= d < j < D };
  TL[d,z] += i32(Z1[j] == k)        : { [d,z,k,j] : 0 <= z < K and 0 <= k < K and 0 <= j < d < D };
  TR[d,z] += i32(Z0[j] == k)        : { [d,z,k,j] : 0 <= z < K and 0 <= k < K and 0 <= d < j < D };
  P[d,z]   = (f64(CL[d,z] + CR[d,z]) + 1.0) / (f64(TL[d,z] + TR[d,z]) + f64(K))
                                    : { [d,z] : 0 <= d < D and 0 <= z < K };
  Q[d,z]  += P[d,k]                 : { [d,z,k] : 0 <= d < D and 0 <= k <= z < K };
  Zp[d]   += i32(Q[d,z] <= u[d] * Q[d,K-1])
                                    : { [d,z] : 0 <= d < D and 0 <= z < K - 1 };
  Mc[d]   += X[Z0[d],a] + s[d]      : { [d,a] : 0 <= d < D and 0 <= a < A };
  Mp[d]   += X[Zp[d],a] + s[d]      : { [d,a] : 0 <= d < D and 0 <= a < A };
  Lc[d]   += select(doc[w] == d, log((X[Z0[d],v[w]] + s[d]) / Mc[d]), 0.0)
                                    : { [d,w] : 0 <= d < D and 0 <= w < W };
  Lp[d]   += select(doc[w] == d, log((X[Zp[d],v[w]] + s[d]) / Mp[d]), 0.0)
                                    : { [d,w] : 0 <= d < D and 0 <= w < W };
  Z1[d]    = select(log(u2[d]) < Lp[d] - Lc[d], Zp[d], Z0[d])
                                    : { [d] : 0 <= d < D };
}
