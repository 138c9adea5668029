// A recurrent network's loss for ADOL-C.
#include "adolc.h"

int main(int argc, char **argv) {
  const int L = atoi(argv[1]), T = atoi(argv[2]), B = 14, count = B * (8 * L + 3);
  double *all = numbers(argv[3]), *state = all + count, *sequence = state + 2 * L * B;
  gradient_of([=](adouble *m) {
    adouble *extra = m + 8 * L * B, total = 0;
    std::vector<adouble> h(L * B), c(L * B), x(B), y(B);
    for (int l = 0; l < L; l++)
      for (int i = 0; i < B; i++) h[l * B + i] = state[2 * l * B + i], c[l * B + i] = state[(2 * l + 1) * B + i];
    auto sigmoid = [](const adouble &x) { adouble y = 1 / (1 + exp(-x)); return y; };
    for (int t = 0; t < T - 1; t++) {
      for (int i = 0; i < B; i++) x[i] = sequence[t * B + i] * extra[i];
      for (int l = 0; l < L; l++)
        for (int i = 0; i < B; i++) {
          adouble *w = m + 8 * l * B + i, &hh = h[l * B + i], &cc = c[l * B + i];
          adouble f = sigmoid(x[i] * w[0] + w[4 * B]), g = sigmoid(hh * w[B] + w[5 * B]), o = sigmoid(x[i] * w[2 * B] + w[6 * B]), a = tanh(hh * w[3 * B] + w[7 * B]);
          cc = cc * f + g * a;
          hh = o * tanh(cc);
          x[i] = hh;
        }
      adouble sum = 2;
      double bits = 0;
      for (int i = 0; i < B; i++) {
        y[i] = x[i] * extra[B + i] + extra[2 * B + i];
        sum += exp(y[i]);
        total += sequence[(t + 1) * B + i] * y[i];
        bits += sequence[(t + 1) * B + i];
      }
      total -= bits * log(sum);
    }
    adouble value = -total / ((T - 1) * B);
    return value;
  }, all, count, argv[4], atof(argv[5]));
}
