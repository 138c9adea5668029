/* Log variances of 12 times as an autoregression. */
#include "model.h"

static double constant;

static void setup(void) {
  constant = lgamma(21.5) - lgamma(20) - lgamma(1.5) + 2.5 * log(0.025) - lgamma(2.5);
}

static double density(const struct point *p) {
  double lp = constant, phi = 2 * p->phistar - 1, before = p->theta0 - p->mu, squares = before * before;
  for (int t = 0; t < n; t++) {
    double d = p->theta[t] - p->mu, step = d - phi * before;
    lp -= 0.5 * (p->theta[t] + y[t] * y[t] * exp(-p->theta[t]));
    squares += step * step;
    before = d;
  }
  lp += -0.5 * n * LOG2PI - 0.5 * p->itau2 * squares + (n + 1) * front(p->itau2);
  lp += normal(p->mu, 0.1) + front(0.1) + 19 * log(p->phistar) + 0.5 * log(1 - p->phistar);
  return lp + 1.5 * log(p->itau2) - 0.025 * p->itau2;
}
