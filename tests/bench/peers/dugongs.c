/* Growth of 27 sea cows. */
#include "model.h"

static double gamma_front;

static void setup(void) { gamma_front = 1e-3 * log(1e-3) - lgamma(1e-3); }

static double density(const struct point *p) {
  double lp = 0, g = log(p->gamma);
  for (int i = 0; i < N; i++) lp += normal(Y[i] - (p->alpha - p->beta * exp(x[i] * g)), p->tau);
  lp += N * front(p->tau) - 2 * log(100) - log(0.5);
  return lp + gamma_front + (1e-3 - 1) * log(p->tau) - 1e-3 * p->tau;
}
