/* A Rasch model of 5 items for 1000 students. */
#include "model.h"

static void setup(void) {}

static double density(const struct point *p) {
  double lp = 0, theta = 0;
  for (int j = 0; j < N; j++) {
    for (int k = 0; k < T; k++) {
      double eta = p->beta * p->theta[j] - p->alpha[k];
      lp -= log(1 + exp(r[j][k] != 0 ? -eta : eta));
    }
    theta += p->theta[j] * p->theta[j];
  }
  lp += -0.5 * theta - 0.5 * N * LOG2PI;
  for (int k = 0; k < T; k++) lp += normal(p->alpha[k], 1e-4) + front(1e-4);
  return lp - log(1000.0);
}
