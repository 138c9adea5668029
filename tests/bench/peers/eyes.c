/* A mixture of two normals with the component of each of 14 eyes. */
#include "model.h"

static double constant;

static void setup(void) { constant = 1e-3 * log(1e-3) - lgamma(1e-3) + 2 * front(1e-6); } /* I(0, ) leaves the density of theta as it is */

static double density(const struct point *p) {
  double lambda[2] = {p->lambda[0], p->lambda[0] + p->theta}, share[2] = {log(p->P[0]), log(p->P[1])};
  double lp = constant, squares = 0;
  for (int i = 0; i < N; i++) {
    int k = (int)p->T[i] - 1;
    double r = y[i] - lambda[k];
    squares += r * r;
    lp += share[k];
  }
  lp += -0.5 * p->tau * squares + N * front(p->tau) + normal(p->theta, 1e-6) + normal(p->lambda[0], 1e-6);
  return lp + (1e-3 - 1) * log(p->tau) - 1e-3 * p->tau;
}
