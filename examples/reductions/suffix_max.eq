# The maximum of all elements from the present one.
program suffix_max(N) : N >= 1 {
  input  A[N] : f64;
  output R[N] : f64;
  R[i] max= A[j] : { [i,j] : 0 <= i <= j < N };
}
