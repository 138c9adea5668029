/* Failures of 10 pumps. */
#include "model.h"

static double data_part;

static void setup(void) {
  for (int i = 0; i < N; i++) data_part += x[i] * log(t[i]) - lgamma(x[i] + 1);
  data_part += 0.1 * log(1) - lgamma(0.1);
}

static double density(const struct point *p) {
  double lp = data_part - p->alpha, a = p->alpha - 1;
  for (int i = 0; i < N; i++) lp += (x[i] + a) * log(p->theta[i]) - p->theta[i] * (t[i] + p->beta);
  return lp + N * (p->alpha * log(p->beta) - lgamma(p->alpha)) + (0.1 - 1) * log(p->beta) - p->beta;
}
