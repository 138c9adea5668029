# The sum of the squared distances from the mean of the elements up to each.
program running_variance(N) : N >= 1 {
  input  x[N] : f64;
  output V[N] : f64;
  local  s[N], m[N] : f64;
  s[i] += x[j]                            : { [i,j] : 0 <= j <= i < N };
  m[i]  = s[i] / f64(i + 1)               : { [i] : 0 <= i < N };
  V[i] += (x[j] - m[i]) * (x[j] - m[i])   : { [i,j] : 0 <= j <= i < N };
}
