# Whether the elements up to each ascend.
program ascending(N) : N >= 1 {
  input  A[N] : f64;
  output up[N] : i1;
  up[i] and= A[j] <= A[j+1] : { [i,j] : 0 <= j < i < N };
}
