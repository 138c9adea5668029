/* Sums of each rat's weights, and of their products with the ages, decide all about its line. */
#include "gradient.h"

static double y0[N], y1[N], yy, x1, x2, gamma_front;

static void setup(void) {
  for (int j = 0; j < T; j++) x1 += x[j] - xbar, x2 += (x[j] - xbar) * (x[j] - xbar);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < T; j++) y0[i] += Y[i][j], y1[i] += Y[i][j] * (x[j] - xbar), yy += Y[i][j] * Y[i][j];
  gamma_front = 3 * (1e-3 * log(1e-3) - lgamma(1e-3)) + 2 * front(1e-6) - 0.5 * LOG2PI * (N * T + 2 * N);
}

static double gradient(const struct point *restrict p, struct point *restrict d) {
  double tau = p->tau_c, ta = p->alpha_tau, tb = p->beta_tau, ac = p->alpha_c, bc = p->beta_c;
  double squares = 0, a0 = 0, a2 = 0, b0 = 0, b2 = 0;
  for (int i = 0; i < N; i++) {
    double a = p->alpha[i], b = p->beta[i], da = a - ac, db = b - bc;
    double r0 = y0[i] - T * a - x1 * b, r1 = y1[i] - x1 * a - x2 * b;
    squares += a * (y0[i] + r0) + b * (y1[i] + r1);
    a0 += da, a2 += da * da, b0 += db, b2 += db * db;
    d->alpha[i] = tau * r0 - ta * da, d->beta[i] = tau * r1 - tb * db;
  }
  squares = yy - squares;
  double inverse = 1 / (tau * ta * tb), it = inverse * ta * tb, ia = inverse * tau * tb, ib = inverse * tau * ta;
  d->alpha_c = ta * a0 - 1e-6 * ac, d->beta_c = tb * b0 - 1e-6 * bc;
  d->tau_c = (0.5 * N * T + 1e-3 - 1) * it - 0.5 * squares - 1e-3;
  d->alpha_tau = (0.5 * N + 1e-3 - 1) * ia - 0.5 * a2 - 1e-3;
  d->beta_tau = (0.5 * N + 1e-3 - 1) * ib - 0.5 * b2 - 1e-3;
  double logs = (0.5 * N * T + 1e-3 - 1) * log(tau) + (0.5 * N + 1e-3 - 1) * log(ta * tb);
  return gamma_front + logs - 0.5 * (tau * squares + ta * a2 + tb * b2 + 1e-6 * (ac * ac + bc * bc)) - 1e-3 * (tau + ta + tb);
}
