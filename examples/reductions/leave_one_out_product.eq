# The product of all other elements; none is divided by, as it may be 0.
program leave_one_out_product(N) : N >= 2 {
  input  A[N] : f64;
  output P[N] : f64;
  P[i] *= A[j] : { [i,j] : 0 <= i < N and 0 <= j < N and i != j };
}
