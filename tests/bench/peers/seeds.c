/* Seeds that germinate on 21 plates. */
#include "model.h"

static double choose, gamma_front;

static void setup(void) {
  for (int i = 0; i < N; i++) choose += lgamma(n[i] + 1) - lgamma(r[i] + 1) - lgamma(n[i] - r[i] + 1);
  gamma_front = 1e-3 * log(1e-3) - lgamma(1e-3);
}

static double density(const struct point *p) {
  double lp = choose, b = 0;
  for (int i = 0; i < N; i++) {
    double eta = p->alpha0 + p->alpha1 * x1[i] + p->alpha2 * x2[i] + p->alpha12 * x1[i] * x2[i] + p->b[i];
    lp += r[i] * eta - n[i] * log(1 + exp(eta));
    b += p->b[i] * p->b[i];
  }
  lp += -0.5 * p->tau * b + N * front(p->tau);
  lp += normal(p->alpha0, 1e-6) + normal(p->alpha1, 1e-6) + normal(p->alpha2, 1e-6) + normal(p->alpha12, 1e-6) + 4 * front(1e-6);
  return lp + gamma_front + (1e-3 - 1) * log(p->tau) - 1e-3 * p->tau;
}
