# A maximum over what grows up to the middle, and shrinks behind it (Narmour, Yuki and
# Rajopadhye, 2025).
program tent_max(N) : N >= 1 {
  input  X[N + 1] : f64;
  output Y[N + 1] : f64;
  Y[i] max= X[j] : { [i,j] : 0 <= i <= N and 0 <= j <= i and j <= N - i };
}
