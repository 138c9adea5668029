# The sum of all products of two prefixes, which is the product of their sums.
program product_of_sums(N) : N >= 1 {
  input  a[N], b[N] : f64;
  output S[N] : f64;
  S[i] += a[j] * b[k] : { [i,j,k] : 0 <= i < N and 0 <= j <= i and 0 <= k <= i };
}
