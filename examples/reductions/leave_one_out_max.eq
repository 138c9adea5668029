# The maximum of all other elements.
program leave_one_out_max(N) : N >= 2 {
  input  A[N] : f64;
  output M[N] : f64;
  M[i] max= A[j] : { [i,j] : 0 <= i < N and 0 <= j < N and i != j };
}
