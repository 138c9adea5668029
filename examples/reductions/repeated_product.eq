# The product of one factor, as often as there are elements up to each.
program repeated_product(N) : N >= 1 {
  input  x[N] : i64;
  output B[N] : i64;
  B[i] *= x[i] : { [i,j] : 0 <= j <= i < N };
}
