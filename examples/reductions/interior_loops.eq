# RNA folding: interior loops whose energy is a function of the number of unpaired bases (Lyngso,
# Zuker and Pedersen, "Fast evaluation of internal loops in RNA secondary structure prediction", 1999).
program interior_loops(N) : N >= 4 {
  input  V[N, N], e[N] : f64;
  output W[N, N] : f64;
  W[i,j] min= V[p,q] + e[p - i + j - q] : { [i,j,p,q] : 0 <= i < p < q < j < N };
}
