# The sum of the products of a row and all columns, of a matrix that grows (Gautam and Rajopadhye,
# "Simplifying reductions", 2006, example 1).
program row_products(s) : s >= 1 {
  input  A[s + 1, s + 1], B[s + 1, s + 1] : f64;
  output Y[s + 1] : f64;
  Y[i] += A[i,k] * B[k,j] : { [i,j,k] : 1 <= i <= s and 1 <= j <= i and 1 <= k <= i };
}
