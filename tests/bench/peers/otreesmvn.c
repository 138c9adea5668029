/* Growth of 5 orange trees at 7 times, with correlated curves. */
#include "model.h"

static double gamma_front, wishart_front, prec_front;

static inline double det3(const double (*a)[3]) {
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

static inline double form3(double x, double y, double z, const double (*a)[3]) {
  return x * x * a[0][0] + y * y * a[1][1] + z * z * a[2][2] + 2 * (x * y * a[0][1] + x * z * a[0][2] + y * z * a[1][2]);
}

static void setup(void) {
  gamma_front = 1e-3 * log(1e-3) - lgamma(1e-3);
  /* k = 3 degrees of freedom, dimension 3 */
  wishart_front = 1.5 * log(det3(R)) - 4.5 * log(2) - 1.5 * log(PI) - lgamma(1.5) - lgamma(1) - lgamma(0.5);
  prec_front = 0.5 * log(det3(prec)) - 1.5 * LOG2PI;
}

static double density(const struct point *p) {
  double det = log(det3(p->tau)), squares = 0, form = 0, trace = 0;
  for (int i = 0; i < K; i++) {
    const double *t = p->theta[i];
    double a = exp(t[0]), b = exp(t[1]) - 1, c = -exp(t[2]);
    for (int j = 0; j < n; j++) {
      double r = Y[i][j] - a / (1 + b * exp(c * x[j]));
      squares += r * r;
    }
    form += form3(t[0] - p->mu[0], t[1] - p->mu[1], t[2] - p->mu[2], p->tau);
  }
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++) trace += R[j][k] * p->tau[j][k];
  double lp = -0.5 * p->tauC * squares + K * n * front(p->tauC) - 0.5 * form + K * (0.5 * det - 1.5 * LOG2PI);
  lp += prec_front - 0.5 * form3(p->mu[0] - mean[0], p->mu[1] - mean[1], p->mu[2] - mean[2], prec);
  lp += wishart_front - 0.5 * det - 0.5 * trace; /* (k - d - 1) / 2 = -1/2 */
  return lp + gamma_front + (1e-3 - 1) * log(p->tauC) - 1e-3 * p->tauC;
}
