# A sweep of collapsed Gibbs sampling for latent Dirichlet allocation (Griffiths and Steyvers,
# "Finding scientific topics", PNAS 2004): the topic of each of W words in D documents, of a
# vocabulary of V, is drawn given those of all other words, with the new topics of the words before
# it and the old ones of those behind it. Its weight is how often its document has the topic, and how
# much of the topic is the same word; u has the uniform draws.
program collapsed_lda(W, K, D, V) : W >= 1 and K >= 1 and D >= 1 and V >= 1 {
  input  alpha, beta : f64;
  input  u[W] : f64;
  input  Z0[W], doc[W], word[W] : i32;
  output Z1[W] : i32;
  output ND[D, K], NW[V, K], NK[K] : i32;      # the counts after the sweep
  local  CD[W, K], CW[W, K], CK[W, K] : i32;   # those without the word
  local  P[W, K], Q[W, K] : f64;
  CD[i,k] += i32(doc[j] == doc[i] and Z1[j] == k)   : { [i,k,j] : 0 <= k < K and 0 <= j < i < W };
  CD[i,k] += i32(doc[j] == doc[i] and Z0[j] == k)   : { [i,k,j] : 0 <= k < K and 0 <= i < j < W };
  CW[i,k] += i32(word[j] == word[i] and Z1[j] == k) : { [i,k,j] : 0 <= k < K and 0 <= j < i < W };
  CW[i,k] += i32(word[j] == word[i] and Z0[j] == k) : { [i,k,j] : 0 <= k < K and 0 <= i < j < W };
  CK[i,k] += i32(Z1[j] == k)                        : { [i,k,j] : 0 <= k < K and 0 <= j < i < W };
  CK[i,k] += i32(Z0[j] == k)                        : { [i,k,j] : 0 <= k < K and 0 <= i < j < W };
  P[i,k]   = (f64(CD[i,k]) + alpha) * (f64(CW[i,k]) + beta) / (f64(CK[i,k]) + f64(V) * beta)
                                                    : { [i,k] : 0 <= i < W and 0 <= k < K };
  Q[i,k]  += P[i,l]                                 : { [i,k,l] : 0 <= i < W and 0 <= l <= k < K };
  Z1[i]   += i32(Q[i,k] <= u[i] * Q[i,K-1])         : { [i,k] : 0 <= i < W and 0 <= k < K - 1 };
  ND[d,k] += i32(doc[i] == d and Z1[i] == k)        : { [d,k,i] : 0 <= d < D and 0 <= k < K and 0 <= i < W };
  NW[v,k] += i32(word[i] == v and Z1[i] == k)       : { [v,k,i] : 0 <= v < V and 0 <= k < K and 0 <= i < W };
  NK[k]   += i32(Z1[i] == k)                        : { [k,i] : 0 <= k < K and 0 <= i < W };
}
