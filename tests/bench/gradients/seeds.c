/* Of each plate one exponential and one logarithm. */
#include "gradient.h"

static double choose, x12[N];

static void setup(void) {
  for (int i = 0; i < N; i++) choose += lgamma(n[i] + 1) - lgamma(r[i] + 1) - lgamma(n[i] - r[i] + 1), x12[i] = x1[i] * x2[i];
  choose += 1e-3 * log(1e-3) - lgamma(1e-3) + 4 * front(1e-6) - 0.5 * N * LOG2PI;
}

static double gradient(const struct point *restrict p, struct point *restrict d) {
  double lp = choose, squares = 0, tau = p->tau, s0 = 0, s1 = 0, s2 = 0, s12 = 0;
  double a0 = p->alpha0, a1 = p->alpha1, a2 = p->alpha2, a12 = p->alpha12;
  for (int i = 0; i < N; i++) {
    double b = p->b[i], eta = a0 + a1 * x1[i] + a2 * x2[i] + a12 * x12[i] + b, e = 1 + exp(eta);
    lp += r[i] * eta - n[i] * log(e);
    double slope = r[i] - n[i] + n[i] / e;
    s0 += slope, s1 += slope * x1[i], s2 += slope * x2[i], s12 += slope * x12[i];
    squares += b * b;
    d->b[i] = slope - tau * b;
  }
  d->alpha0 = s0 - 1e-6 * a0, d->alpha1 = s1 - 1e-6 * a1, d->alpha2 = s2 - 1e-6 * a2, d->alpha12 = s12 - 1e-6 * a12;
  d->tau = (0.5 * N + 1e-3 - 1) / tau - 0.5 * squares - 1e-3;
  lp -= 0.5 * (tau * squares + 1e-6 * (a0 * a0 + a1 * a1 + a2 * a2 + a12 * a12));
  return lp + (0.5 * N + 1e-3 - 1) * log(tau) - 1e-3 * tau;
}
