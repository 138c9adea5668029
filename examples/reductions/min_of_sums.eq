# The least sum of an element of each of two prefixes.
program min_of_sums(N) : N >= 1 {
  input  a[N], b[N] : f64;
  output S[N] : f64;
  S[i] min= a[j] + b[k] : { [i,j,k] : 0 <= i < N and 0 <= j <= i and 0 <= k <= i };
}
