# RNA folding by pairs of bases alone (Nussinov and others, 1978): where to split depends on both
# halves, and nothing is shared.
program nussinov(N) : N >= 2 {
  input  pair[N, N] : f64;
  output F[N, N] : f64;
  F[i,j] max= F[i,k] + F[k+1,j]                  : { [i,j,k] : 0 <= i <= k < j < N };
  F[i,j] max= F[i+1,j-1] + pair[i,j]             : { [i,j] : 0 <= i and i + 2 <= j < N };
  F[i,j] max= 0.0                                : { [i,j] : 0 <= i < N and 0 <= j < N };
}
