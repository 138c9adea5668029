/* Each student has one exponential, exp(beta theta), which the items divide, and one logarithm, of the product of all items. */
#include "gradient.h"

static double right[N], column[T];

static void setup(void) {
  for (int j = 0; j < N; j++)
    for (int k = 0; k < T; k++) right[j] += r[j][k], column[k] += r[j][k];
}

static double gradient(const struct point *restrict p, struct point *restrict d) {
  double beta = p->beta, lp = 0, squares = 0, slope = 0, c[T], sum[T] = {0};
  for (int k = 0; k < T; k++) c[k] = exp(-p->alpha[k]);
  for (int j = 0; j < N; j++) {
    double theta = p->theta[j], e = exp(beta * theta), product = 1, odds = 0, q[T];
    for (int k = 0; k < T; k++) q[k] = 1 + e * c[k], product *= q[k];
    lp += right[j] * beta * theta - log(product);
    for (int k = 0; k < T; k++) {
      double chance = e * c[k] / q[k];
      sum[k] += chance, odds += chance;
    }
    double s = right[j] - odds;
    slope += theta * s;
    squares += theta * theta;
    d->theta[j] = beta * s - theta;
  }
  for (int k = 0; k < T; k++) {
    lp -= p->alpha[k] * column[k] + 0.5e-4 * p->alpha[k] * p->alpha[k];
    d->alpha[k] = sum[k] - column[k] - 1e-4 * p->alpha[k];
  }
  d->beta = slope;
  return lp - 0.5 * squares - 0.5 * N * LOG2PI + T * front(1e-4) - log(1000.0);
}
