# Likelihood weighting for latent Dirichlet allocation: the topics of W words of a vocabulary
# of V are drawn uniformly; the weight of the first w is their likelihood over its normaliser.
program lda_lw(W, K, V) : 1 <= K <= W and V >= 1 {
  input  u[W], lw[V, K], lg[K] : f64;
  input  v[W] : i32;
  output Z[W] : i32;
  output Wt[W] : f64;
  local  L[W], G[W] : f64;
  Z[w]  = i32(u[w] * f64(K))        : { [w] : 0 <= w < W };
  L[w] += lw[v[j], Z[j]]            : { [w,j] : 0 <= j <= w < W };
  G[w] += lg[k]                     : { [w,j,k] : 0 <= j <= w < W and 0 <= k < K };
  Wt[w] = L[w] - G[w]               : { [w] : 0 <= w < W };
}
