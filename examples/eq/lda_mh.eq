# Metropolis and Hastings for latent Dirichlet allocation: the topic of each of W words is
# proposed from the counts of all others, and taken as the likelihood of the word says.
program lda_mh(W, K, D, V) : 1 <= K <= W and D >= 1 and V >= 1 {
  input  th[D, K], ph[V, K], u[W], u2[W] : f64;
  input  Z0[W], doc[W], v[W] : i32;
  output Z1[W] : i32;
  output S[W] : f64;                # the weight of all topics
  local  CL[W, K], CR[W, K] : i32;
  local  P[W, K], Q[W, K] : f64;
  local  Zp[W] : i32;
  CL[w,z] += i32(Z1[j] == z)        : { [w,z,j] : 0 <= z < K and 0 <= j < w < W };
  CR[w,z] += i32(Z0[j] == z)        : { [w,z,j] : 0 <= z < K and 0 <= w < j < W };
  P[w,z]   = f64(CL[w,z] + CR[w,z]) + 0.5
                                    : { [w,z] : 0 <= w < W and 0 <= z < K };
  Q[w,z]  += P[w,k]                 : { [w,z,k] : 0 <= w < W and 0 <= k <= z < K };
  Zp[w]   += i32(Q[w,z] <= u[w] * Q[w,K-1])
                                    : { [w,z] : 0 <= w < W and 0 <= z < K - 1 };
  Z1[w]    = select(u2[w] * (th[doc[w],Z0[w]] * ph[v[w],Z0[w]]) < th[doc[w],Zp[w]] * ph[v[w],Zp[w]], Zp[w], Z0[w])
                                    : { [w] : 0 <= w < W };
  S[w]     = Q[w,K-1]               : { [w] : 0 <= w < W };
}
