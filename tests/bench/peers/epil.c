/* Seizures of 59 patients in 4 periods, with two random effects. */
#include "model.h"

static double logfact, gamma_front;
static double base[N], trt[N], bt[N], age[N], v4[T];

static void setup(void) {
  for (int j = 0; j < N; j++) {
    base[j] = log_Base4[j] - log_Base4_bar;
    trt[j] = Trt[j] - Trt_bar;
    bt[j] = BT[j] - BT_bar;
    age[j] = log_Age[j] - log_Age_bar;
    for (int k = 0; k < T; k++) logfact += lgamma(y[j][k] + 1);
  }
  for (int k = 0; k < T; k++) v4[k] = V4[k] - V4_bar;
  gamma_front = 1e-3 * log(1e-3) - lgamma(1e-3);
}

static double precision(double v) { return gamma_front + (1e-3 - 1) * log(v) - 1e-3 * v; }

static double density(const struct point *p) {
  double lp = -logfact, b1 = 0, b = 0;
  for (int j = 0; j < N; j++) {
    double row = p->a0 + p->alpha_Base * base[j] + p->alpha_Trt * trt[j] + p->alpha_BT * bt[j] + p->alpha_Age * age[j] + p->b1[j];
    for (int k = 0; k < T; k++) {
      double eta = row + p->alpha_V4 * v4[k] + p->b[j][k];
      lp += y[j][k] * eta - exp(eta);
      b += p->b[j][k] * p->b[j][k];
    }
    b1 += p->b1[j] * p->b1[j];
  }
  lp += -0.5 * p->tau_b * b + N * T * front(p->tau_b) - 0.5 * p->tau_b1 * b1 + N * front(p->tau_b1);
  lp += normal(p->a0, 1e-4) + normal(p->alpha_Base, 1e-4) + normal(p->alpha_Trt, 1e-4) + normal(p->alpha_BT, 1e-4) +
        normal(p->alpha_Age, 1e-4) + normal(p->alpha_V4, 1e-4) + 6 * front(1e-4);
  return lp + precision(p->tau_b1) + precision(p->tau_b);
}
