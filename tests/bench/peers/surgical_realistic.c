/* Deaths in 12 hospitals whose rates are similar. */
#include "model.h"

static double choose, gamma_front;

static void setup(void) {
  for (int i = 0; i < N; i++) choose += lgamma(n[i] + 1) - lgamma(r[i] + 1) - lgamma(n[i] - r[i] + 1);
  gamma_front = 1e-3 * log(1e-3) - lgamma(1e-3);
}

static double density(const struct point *p) {
  double lp = choose, squares = 0;
  for (int i = 0; i < N; i++) {
    double d = p->b[i] - p->mu;
    lp += r[i] * p->b[i] - n[i] * log(1 + exp(p->b[i]));
    squares += d * d;
  }
  lp += -0.5 * p->tau * squares + N * front(p->tau) + normal(p->mu, 1e-6) + front(1e-6);
  return lp + gamma_front + (1e-3 - 1) * log(p->tau) - 1e-3 * p->tau;
}
