# A sweep of Gibbs sampling for latent Dirichlet allocation: the topic of each of W words is
# drawn given all others. The topics of D documents (th) and the words of K topics (ph), of
# a vocabulary of V, are given.
program lda_gs(W, K, D, V) : 1 <= K <= W and D >= 1 and V >= 1 {
  input  th[D, K], ph[V, K], u[W] : f64;
  input  Z0[W], doc[W], v[W] : i32;
  output Z1[W] : i32;
  output S[W] : f64;                # the weight of all topics
  local  CL[W, K], CR[W, K], TL[W, K], TR[W, K] : i32;
  local  P[W, K], Q[W, K] : f64;
  CL[w,z] += i32(Z1[j] == z)        : { [w,z,j] : 0 <= z < K and 0 <= j < w < W };
  CR[w,z] += i32(Z0[j] == z)        : { [w,z,j] : 0 <= z < K and 0 <= w < j < W };
  TL[w,z] += i32(Z1[j] == k)        : { [w,z,k,j] : 0 <= z < K and 0 <= k < K and 0 <= j < w < W };
  TR[w,z] += i32(Z0[j] == k)        : { [w,z,k,j] : 0 <= z < K and 0 <= k < K and 0 <= w < j < W };
  P[w,z]   = (f64(CL[w,z] + CR[w,z]) + 0.5) / (f64(TL[w,z] + TR[w,z]) + f64(K) * 0.5) * (th[doc[w],z] * ph[v[w],z])
                                    : { [w,z] : 0 <= w < W and 0 <= z < K };
  Q[w,z]  += P[w,k]                 : { [w,z,k] : 0 <= w < W and 0 <= k <= z < K };
  Z1[w]   += i32(Q[w,z] <= u[w] * Q[w,K-1])
                                    : { [w,z] : 0 <= w < W and 0 <= z < K - 1 };
  S[w]     = Q[w,K-1]               : { [w] : 0 <= w < W };
}
