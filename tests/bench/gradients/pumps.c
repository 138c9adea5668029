/* Rates have one logarithm each; their law's constant is one of gamma's logarithm and its derivative. */
#include "gradient.h"

static double data_part;

static void setup(void) {
  for (int i = 0; i < N; i++) data_part += x[i] * log(t[i]) - lgamma(x[i] + 1);
  data_part -= lgamma(0.1);
}

static double gradient(const struct point *restrict p, struct point *restrict d) {
  double a = p->alpha, b = p->beta, lp = data_part - a, logs = 0, sum = 0;
  for (int i = 0; i < N; i++) {
    double theta = p->theta[i], l = log(theta), shape = x[i] + a - 1;
    lp += shape * l - theta * (t[i] + b);
    logs += l, sum += theta;
    d->theta[i] = shape / theta - (t[i] + b);
  }
  double lb = log(b);
  d->alpha = N * (lb - digamma(a)) + logs - 1;
  d->beta = (N * a + 0.1 - 1) / b - sum - 1;
  return lp + N * (a * lb - lgamma(a)) + (0.1 - 1) * lb - b;
}
