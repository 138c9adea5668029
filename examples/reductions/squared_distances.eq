# The sum of the squared distances of the integers up to each from a centre of its own.
program squared_distances(N) : N >= 1 {
  input  x[N], c[N] : i64;
  output V[N] : i64;
  V[i] += (x[j] - c[i]) * (x[j] - c[i]) : { [i,j] : 0 <= j <= i < N };
}
