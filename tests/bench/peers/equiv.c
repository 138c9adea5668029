/* A cross-over trial of two formulations with 10 persons. */
#include "model.h"

static double gamma_front, treatment[N][P], period[P];

static void setup(void) {
  for (int k = 0; k < P; k++) period[k] = sign[k] / 2;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < P; k++) treatment[i][k] = sign[(int)(group[i] * (k - 0.5) + 1.5) - 1] / 2;
  gamma_front = 1e-3 * log(1e-3) - lgamma(1e-3);
}

static double precision(double v) { return gamma_front + (1e-3 - 1) * log(v) - 1e-3 * v; }

static double density(const struct point *p) {
  double squares = 0, effects = 0;
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < P; k++) {
      double r = Y[i][k] - (p->mu + treatment[i][k] * p->phi + period[k] * p->pi + p->delta[i]);
      squares += r * r;
    }
    effects += p->delta[i] * p->delta[i];
  }
  double lp = -0.5 * (p->tau1 * squares + p->tau2 * effects) + N * P * front(p->tau1) + N * front(p->tau2);
  lp += normal(p->mu, 1e-6) + normal(p->phi, 1e-6) + normal(p->pi, 1e-6) + 3 * front(1e-6);
  return lp + precision(p->tau1) + precision(p->tau2);
}
