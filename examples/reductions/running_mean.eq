# The mean of the elements up to each.
program running_mean(N) : N >= 1 {
  input  x[N] : f64;
  output m[N] : f64;
  local  s[N] : f64;
  s[i] += x[j]              : { [i,j] : 0 <= j <= i < N };
  m[i]  = s[i] / f64(i + 1) : { [i] : 0 <= i < N };
}
