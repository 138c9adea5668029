/* Speeds of 12 galaxies: a mixture of 4 normals with the weights of a stick. */
#include "model.h"

static void setup(void) {}

static double density(const struct point *p) {
  double share[K], f[K], rest = 0, lp = 0;
  for (int k = 0; k < K; k++) {
    double l = log(p->tau[k]);
    f[k] = 0.5 * (l - LOG2PI);
    lp += l - p->tau[k] + normal(p->mu[k] - 20, 0.01) + front(0.01); /* lgamma(2) = 0 */
    share[k] = rest;
    if (k < K - 1) {
      share[k] += log(p->V[k]);
      rest += log(1 - p->V[k]);
    }
  }
  lp += (p->a - 1) * rest + (K - 1) * log(p->a); /* B(1, a) = 1 / a */
  for (int i = 0; i < N; i++) {
    int k = (int)p->g[i] - 1;
    lp += share[k] + f[k] + normal(v[i] - p->mu[k], p->tau[k]);
  }
  return lp + 2 * log(2) + log(p->a) - 2 * p->a;
}
