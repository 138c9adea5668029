# Summed areas: the sum of all above and to the left (Crow, 1984).
program summed_area(N, M) : N >= 1 and M >= 1 {
  input  A[N, M] : f64;
  output S[N, M] : f64;
  S[i,j] += A[k,l] : { [i,j,k,l] : 0 <= k <= i < N and 0 <= l <= j < M };
}
