/* A Gaussian field at 6 places, with exponential decay of the covariance. */
#include "model.h"

static void setup(void) {}

static double density(const struct point *p) {
  double l[N][N], z[N], product = 1, squares = 0, form = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++) l[i][j] = exp(-p->phi * d[i][j]); /* the correlations: ones on the diagonal */
  for (int j = 0; j < N; j++) { /* Cholesky, and with it a solution */
    double s = 1, v = p->w[j] - p->beta;
    for (int k = 0; k < j; k++) {
      s -= l[j][k] * l[j][k];
      v -= l[j][k] * z[k];
    }
    product *= s;
    s = 1 / sqrt(s);
    z[j] = v * s;
    form += z[j] * z[j];
    for (int i = j + 1; i < N; i++) {
      double v = l[i][j];
      for (int k = 0; k < j; k++) v -= l[i][k] * l[j][k];
      l[i][j] = v * s;
    }
    double r = y[j] - p->w[j];
    squares += r * r;
  }
  double lp = -0.5 * p->tau_e * squares + N * front(p->tau_e) - 0.5 * p->tau_w * form + N * front(p->tau_w) - 0.5 * log(product);
  return lp + normal(p->beta, 0.01) + front(0.01) - p->tau_e - p->tau_w - log(4.9);
}
