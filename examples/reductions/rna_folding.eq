# RNA folding by interior loops: the energy of a pair of bases depends on those of the pairs
# within it.
program rna_folding(N) : N >= 4 {
  input  hairpin[N, N], e[N] : f64;
  output V[N, N] : f64;
  local  W[N, N] : f64;
  W[i,j] min= V[p,q] + e[p - i + j - q]  : { [i,j,p,q] : 0 <= i < p < q < j < N };
  V[i,j]    = min(hairpin[i,j], W[i,j])  : { [i,j] : 0 <= i < j < N };
  V[i,j]    = 0.0                        : { [i,j] : 0 <= j <= i < N };
}
