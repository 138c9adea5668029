# Optimal binary search trees: the cost of a tree is that of its halves, and the weight of all
# below its root.
program search_tree(N) : N >= 1 {
  input  w[N] : f64;
  output F[N + 1, N + 1] : f64;
  F[i,i]    = 0.0                                : { [i] : 0 <= i <= N };
  F[i,j]    = 0.0                                : { [i,j] : 0 <= j < i <= N };
  F[i,j] min= F[i,k] + F[k+1,j] + sum{l : i <= l < j} w[l]
                                                 : { [i,j,k] : 0 <= i <= k < j <= N };
}
