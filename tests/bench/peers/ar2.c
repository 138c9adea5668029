/* An autoregression of order two over 16 times, of which four are missing. */
#include "model.h"

static double gamma_front;

static void setup(void) { gamma_front = 0.01 * log(0.01) - lgamma(0.01); }

static double density(const struct point *p) {
  double squares = 0;
  for (int t = 2; t < N; t++) {
    double r = p->y[t] - p->mu - p->phi[0] * (p->y[t - 1] - p->mu) - p->phi[1] * (p->y[t - 2] - p->mu);
    squares += r * r;
  }
  double lp = -0.5 * p->tau * squares + (N - 2) * front(p->tau) + normal(p->mu, 0.01) + front(0.01);
  lp -= 2 * log(2); /* of phi, uniform over (-1, 1) */
  return lp + gamma_front + (0.01 - 1) * log(p->tau) - 0.01 * p->tau;
}
