/* Each time has one exponential; a step has a part in the derivatives by both of its ends. */
#include "gradient.h"

static double constant, half[n];

static void setup(void) {
  for (int t = 0; t < n; t++) half[t] = 0.5 * y[t] * y[t];
  constant = lgamma(21.5) - lgamma(20) - lgamma(1.5) + 2.5 * log(0.025) - lgamma(2.5) - 0.5 * (2 * n + 1) * LOG2PI + front(0.1);
}

static double gradient(const struct point *restrict p, struct point *restrict d) {
  double phi = 2 * p->phistar - 1, mu = p->mu, w = p->itau2, e[n + 1], step[n + 2];
  double lp = constant, squares, steps = 0, products = 0;
  e[0] = p->theta0 - mu;
  for (int t = 0; t < n; t++) e[t + 1] = p->theta[t] - mu;
  for (int t = 0; t < n; t++) step[t + 1] = e[t + 1] - phi * e[t];
  squares = e[0] * e[0], step[n + 1] = 0;
  for (int t = 0; t < n; t++) {
    double s = step[t + 1], by = half[t] * exp(-p->theta[t]);
    lp -= 0.5 * p->theta[t] + by;
    squares += s * s, steps += s, products += s * e[t];
    d->theta[t] = by - 0.5 - w * (s - phi * step[t + 2]);
  }
  d->theta0 = w * (phi * step[1] - e[0]);
  d->mu = w * (e[0] + (1 - phi) * steps) - 0.1 * mu;
  d->phistar = 2 * w * products + 19 / p->phistar - 0.5 / (1 - p->phistar);
  d->itau2 = (0.5 * (n + 1) + 1.5) / w - 0.5 * squares - 0.025;
  lp += (0.5 * (n + 1) + 1.5) * log(w) - 0.5 * w * squares - 0.05 * mu * mu;
  return lp + 19 * log(p->phistar) + 0.5 * log(1 - p->phistar) - 0.025 * w;
}
