/* Level, slope and season of 14 quarters. */
#include "model.h"

static double gamma_front;

static void setup(void) { gamma_front = 0.01 * log(0.01) - lgamma(0.01); }

static double density(const struct point *p) {
  const double *s = p->s, *level = p->level, *slope = p->slope;
  double q[4] = {0}, lp = 4 * gamma_front;
  for (int t = 0; t < N; t++) {
    double d = y[t] - level[t] - s[t];
    q[0] += d * d;
  }
  for (int t = 1; t < N; t++) {
    double d = level[t] - level[t - 1] - slope[t - 1], e = slope[t] - slope[t - 1];
    q[1] += d * d;
    q[2] += e * e;
  }
  for (int t = 3; t < N; t++) {
    double d = s[t] + s[t - 1] + s[t - 2] + s[t - 3];
    q[3] += d * d;
  }
  static const int number[4] = {N, N - 1, N - 1, N - 3};
  for (int k = 0; k < 4; k++) { /* the normals and the gamma of each precision */
    lp -= (0.5 * q[k] + 0.01) * p->tau[k] - (0.5 * number[k] + 0.01 - 1) * log(p->tau[k]) + 0.5 * number[k] * LOG2PI;
  }
  lp += normal(level[0], 1e-3) + front(1e-3) + normal(slope[0], 1) + front(1);
  return lp + normal(s[0], 0.01) + normal(s[1], 0.01) + normal(s[2], 0.01) + 3 * front(0.01);
}
