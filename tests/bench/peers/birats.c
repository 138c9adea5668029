/* 30 rats with correlated intercept and slope. */
#include "model.h"

static double gamma_front, wishart_front, det_prec;

static void setup(void) {
  gamma_front = 1e-3 * log(1e-3) - lgamma(1e-3);
  double omega = Omega[0][0] * Omega[1][1] - Omega[0][1] * Omega[1][0];
  /* k = 2 degrees of freedom, dimension 2: |Omega|^(k/2) / (2^(kd/2) pi^(d(d-1)/4) G(1) G(1/2)) */
  wishart_front = log(omega) - 2 * log(2) - 0.5 * log(PI) - lgamma(1) - lgamma(0.5);
  det_prec = log(prec[0][0] * prec[1][1] - prec[0][1] * prec[1][0]);
}

static double form(double x, double y, double a, double b, double c) { return x * x * a + 2 * x * y * b + y * y * c; }

static double density(const struct point *p) {
  const double(*R)[2] = p->R;
  double logdet = log(R[0][0] * R[1][1] - R[0][1] * R[1][0]), lp = 0, pop = 0;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < T; j++) lp += normal(Y[i][j] - (p->beta[i][0] + p->beta[i][1] * x[j]), p->tauC);
    pop += form(p->beta[i][0] - p->mu_beta[0], p->beta[i][1] - p->mu_beta[1], R[0][0], R[0][1], R[1][1]);
  }
  lp += N * T * front(p->tauC) - 0.5 * pop + N * (0.5 * logdet - LOG2PI);
  lp += -0.5 * form(p->mu_beta[0] - mean[0], p->mu_beta[1] - mean[1], prec[0][0], prec[0][1], prec[1][1]) + 0.5 * det_prec - LOG2PI;
  lp += wishart_front - 0.5 * logdet - 0.5 * (Omega[0][0] * R[0][0] + 2 * Omega[0][1] * R[0][1] + Omega[1][1] * R[1][1]);
  return lp + gamma_front + (1e-3 - 1) * log(p->tauC) - 1e-3 * p->tauC;
}
