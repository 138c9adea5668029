/* A power for each cow, which its derivatives share. */
#include "gradient.h"

static double constant;

static void setup(void) { constant = 1e-3 * log(1e-3) - lgamma(1e-3) - 2 * log(100) - log(0.5) - 0.5 * N * LOG2PI; }

static double gradient(const struct point *restrict p, struct point *restrict d) {
  double g = log(p->gamma), beta = p->beta, tau = p->tau, squares = 0, sum = 0, powers = 0, ages = 0;
  for (int i = 0; i < N; i++) {
    double e = exp(x[i] * g), r = Y[i] - p->alpha + beta * e, re = r * e;
    squares += r * r, sum += r, powers += re, ages += re * x[i];
  }
  d->alpha = tau * sum, d->beta = -tau * powers, d->gamma = -tau * beta * ages / p->gamma;
  d->tau = (0.5 * N + 1e-3 - 1) / tau - 0.5 * squares - 1e-3;
  return constant + (0.5 * N + 1e-3 - 1) * log(tau) - 0.5 * tau * squares - 1e-3 * tau;
}
