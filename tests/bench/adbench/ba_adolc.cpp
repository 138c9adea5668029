// Reprojection errors for ADOL-C: a tape of one observation, whose Jacobian is taken at each.
#include "adolc.h"

static int N;
static double *p, *seen, *found;

static void record(void) {
  trace_on(1);
  adouble x[15], e[2];
  for (int i = 0; i < 15; i++) x[i] <<= p[i * N];
  pdouble at0 = mkparam(seen[0]), at1 = mkparam(seen[N]);
  adouble theta = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), c = cos(theta), s = sin(theta);
  adouble u[3], d[3];
  for (int i = 0; i < 3; i++) u[i] = x[i] / theta, d[i] = x[11 + i] - x[3 + i];
  adouble t = (u[0] * d[0] + u[1] * d[1] + u[2] * d[2]) * (1 - c), y[3];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    y[i] = d[i] * c + (u[j] * d[k] - u[k] * d[j]) * s + u[i] * t;
  }
  adouble q0 = y[0] / y[2], q1 = y[1] / y[2], r = q0 * q0 + q1 * q1, l = 1 + r * (x[9] + x[10] * r);
  e[0] = x[14] * (x[6] * q0 * l + x[7] - at0), e[1] = x[14] * (x[6] * q1 * l + x[8] - at1);
  double out;
  e[0] >>= out, e[1] >>= out;
  trace_off();
}

static void ba(void) {
  double x[15], rows[2][15], *j[2] = {rows[0], rows[1]}, at[2];
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 15; k++) x[k] = p[k * N + i];
    at[0] = seen[i], at[1] = seen[N + i];
    set_param_vec(1, 2, at);
    jacobian(1, 2, 15, x, j);
    for (int k = 0; k < 30; k++) found[k * N + i] = rows[k / 15][k % 15];
  }
}

int main(int argc, char **argv) {
  N = atoi(argv[1]);
  p = numbers(argv[2]), seen = p + 15 * N;
  found = new double[30 * N];
  record();
  measure(ba, found, 30 * N, argv[3], atof(argv[4]));
}
