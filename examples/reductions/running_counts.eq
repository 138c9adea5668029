# How often each of K values was there so far.
program running_counts(N, K) : 1 <= K <= N {
  input  Z[N] : i32;
  output C[N, K] : i32;
  C[i,z] += i32(Z[j] == z) : { [i,z,j] : 0 <= z < K and 0 <= j <= i < N };
}
