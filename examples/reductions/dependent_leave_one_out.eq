# A sweep in which each element is computed from the maximum of the others: the new ones before it
# and the old ones behind it.
program dependent_leave_one_out(N) : N >= 2 {
  input  Z0[N] : f64;
  output Z1[N] : f64;
  local  L[N], R[N] : f64;
  R[i] max= Z0[j]                 : { [i,j] : 0 <= i < j < N };
  L[i] max= Z1[j]                 : { [i,j] : 0 <= j < i < N };
  Z1[i]   = max(R[i], L[i] - 1.0) : { [i] : 0 <= i < N };
}
