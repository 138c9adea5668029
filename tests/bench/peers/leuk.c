/* Survival of 42 patients as a counting process over 17 intervals. */
#include "model.h"

static double logfact, prior, shape[T];

static void setup(void) {
  for (int j = 0; j < T; j++) {
    for (int i = 0; i < N; i++) logfact += lgamma(dN[i][j] + 1);
    shape[j] = mu[j] - 1;
    prior += mu[j] * log(c) - lgamma(mu[j]);
  }
}

static double density(const struct point *p) {
  double lp = prior - logfact, hazard[T], w[N];
  for (int j = 0; j < T; j++) {
    hazard[j] = log(p->dL0[j]);
    lp += shape[j] * hazard[j] - c * p->dL0[j];
  }
  for (int i = 0; i < N; i++) w[i] = exp(p->beta * Z[i]);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < T; j++) /* an event happens only to those at risk */
      lp += dN[i][j] * (p->beta * Z[i] + hazard[j]) - Y[i][j] * w[i] * p->dL0[j];
  return lp + normal(p->beta, 1e-6) + front(1e-6);
}
