# Likelihood weighting for a Dirichlet mixture of K topics: the topic of each of D documents
# is drawn from the prior, and its weight is the likelihood of the document's words.
program dmm_lw(W, K, D, A) : W >= 1 and K >= 1 and D >= 1 and A >= 1 {
  input  X[K, A], s[D], u[D], pi[K] : f64;
  input  doc[W], v[W] : i32;
  output Z[D] : i32;
  output Lw[D] : f64;
  local  Q[D, K], M[D, W] : f64;
  Q[d,z] += pi[k]                   : { [d,z,k] : 0 <= d < D and 0 <= k <= z < K };
  Z[d]   += i32(Q[d,z] <= u[d] * Q[d,K-1])
                                    : { [d,z] : 0 <= d < D and 0 <= z < K - 1 };
  M[d,w] += X[Z[d],a] + s[d]        : { [d,w,a] : 0 <= d < D and 0 <= w < W and 0 <= a < A };
  Lw[d]  += select(doc[w] == d, log(X[Z[d],v[w]] + s[d]) - log(M[d,w]), 0.0)
                                    : { [d,w] : 0 <= d < D and 0 <= w < W };
}
