/* Jaws of 8 boys at 4 ages, with any covariance between the ages. */
#include "model.h"

static double centred[M], wishart_front;

/* log |A| of a positive definite matrix. */
static inline double logdet(const double (*a)[M]) {
  double l[M][M], product = 1;
  for (int j = 0; j < M; j++) {
    double d = a[j][j];
    for (int k = 0; k < j; k++) d -= l[j][k] * l[j][k];
    product *= d;
    d = 1 / sqrt(d);
    for (int i = j + 1; i < M; i++) {
      double s = a[i][j];
      for (int k = 0; k < j; k++) s -= l[i][k] * l[j][k];
      l[i][j] = s * d;
    }
  }
  return log(product);
}

static void setup(void) {
  double mean = 0;
  for (int j = 0; j < M; j++) mean += age[j] / M;
  for (int j = 0; j < M; j++) centred[j] = age[j] - mean;
  /* k = 4 degrees of freedom, dimension 4: |R|^(k/2) / (2^(kd/2) pi^(d(d-1)/4) prod G((k+1-j)/2)) */
  wishart_front = 2 * logdet(R) - 8 * log(2) - 3 * log(PI);
  for (int j = 0; j < M; j++) wishart_front -= lgamma(0.5 * (4 - j));
}

static double density(const struct point *p) {
  const double(*O)[M] = p->Omega;
  double form = 0, trace = 0, mu[M], det = logdet(O);
  for (int j = 0; j < M; j++) mu[j] = p->beta0 + p->beta1 * centred[j];
  for (int i = 0; i < N; i++) {
    double d[M];
    for (int j = 0; j < M; j++) d[j] = Y[i][j] - mu[j];
    for (int j = 0; j < M; j++) {
      form += d[j] * d[j] * O[j][j];
      for (int k = 0; k < j; k++) form += 2 * d[j] * d[k] * O[j][k];
    }
  }
  for (int j = 0; j < M; j++)
    for (int k = 0; k < M; k++) trace += R[j][k] * O[j][k];
  double lp = -0.5 * form + N * (0.5 * det - 0.5 * M * LOG2PI);
  lp += wishart_front - 0.5 * det - 0.5 * trace; /* (k - d - 1) / 2 = -1/2 */
  return lp + normal(p->beta0, 1e-3) + normal(p->beta1, 1e-3) + 2 * front(1e-3);
}
