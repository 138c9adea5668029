/* Colonies on 18 plates at 6 doses, with an effect for each plate. */
#include "model.h"

static double logfact, gamma_front, dose[doses];

static void setup(void) {
  for (int i = 0; i < doses; i++) {
    dose[i] = log(x[i] + 10);
    for (int j = 0; j < plates; j++) logfact += lgamma(y[i][j] + 1);
  }
  gamma_front = 1e-3 * log(1e-3) - lgamma(1e-3);
}

static double density(const struct point *p) {
  double lp = -logfact, squares = 0;
  for (int i = 0; i < doses; i++) {
    double row = p->alpha + p->beta * dose[i] + p->gamma * x[i];
    for (int j = 0; j < plates; j++) {
      double eta = row + p->lambda[i][j];
      lp += y[i][j] * eta - exp(eta);
      squares += p->lambda[i][j] * p->lambda[i][j];
    }
  }
  lp += -0.5 * p->tau * squares + doses * plates * front(p->tau);
  lp += normal(p->alpha, 1e-6) + normal(p->beta, 1e-6) + normal(p->gamma, 1e-6) + 3 * front(1e-6);
  return lp + gamma_front + (1e-3 - 1) * log(p->tau) - 1e-3 * p->tau;
}
