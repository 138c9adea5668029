/* Intercepts and slopes of 30 rats weighed at 5 ages. */
#include "model.h"

static double gamma_front;

static void setup(void) { gamma_front = 1e-3 * log(1e-3) - lgamma(1e-3); }

static double precision(double v) { return gamma_front + (1e-3 - 1) * log(v) - 1e-3 * v; }

static double density(const struct point *p) {
  double lp = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < T; j++)
      lp += normal(Y[i][j] - (p->alpha[i] + p->beta[i] * (x[j] - xbar)), p->tau_c);
  for (int i = 0; i < N; i++)
    lp += normal(p->alpha[i] - p->alpha_c, p->alpha_tau) + normal(p->beta[i] - p->beta_c, p->beta_tau);
  lp += N * T * front(p->tau_c) + N * (front(p->alpha_tau) + front(p->beta_tau));
  lp += normal(p->alpha_c, 1e-6) + normal(p->beta_c, 1e-6) + 2 * front(1e-6);
  return lp + precision(p->tau_c) + precision(p->alpha_tau) + precision(p->beta_tau);
}
