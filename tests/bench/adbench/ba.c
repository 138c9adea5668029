// The rows of the Jacobian of reprojection errors by hand, by what each observation depends on. Observations lie side by side.
#include "peer.h"
#include <math.h>

static long N;
static const double *restrict p, *restrict seen;
static double *restrict found;

static void ba(void) {
  for (long i = 0; i < N; i++) {
    double r0 = p[i], r1 = p[N + i], r2 = p[2 * N + i], d0 = p[11 * N + i] - p[3 * N + i], d1 = p[12 * N + i] - p[4 * N + i], d2 = p[13 * N + i] - p[5 * N + i];
    double f = p[6 * N + i], k1 = p[9 * N + i], k2 = p[10 * N + i], w = p[14 * N + i];
    double theta = sqrt(r0 * r0 + r1 * r1 + r2 * r2), inverse = 1 / theta, c = cos(theta), s = sin(theta), v = 1 - c;
    double u0 = r0 * inverse, u1 = r1 * inverse, u2 = r2 * inverse, ud = u0 * d0 + u1 * d1 + u2 * d2;
    double x0 = u1 * d2 - u2 * d1, x1 = u2 * d0 - u0 * d2, x2 = u0 * d1 - u1 * d0;
    double z = 1 / (d2 * c + x2 * s + u2 * ud * v), q[2] = {(d0 * c + x0 * s + u0 * ud * v) * z, (d1 * c + x1 * s + u1 * ud * v) * z};
    double rr = q[0] * q[0] + q[1] * q[1], l = 1 + rr * (k1 + k2 * rr), m = 2 * (k1 + 2 * k2 * rr), wf = w * f;
    for (int j = 0; j < 2; j++) {
      double *restrict o = found + j * 15 * N + i;
      double a0 = wf * (q[0] * q[j] * m + (j == 0 ? l : 0)), a1 = wf * (q[1] * q[j] * m + (j == 1 ? l : 0));
      double g0 = a0 * z, g1 = a1 * z, g2 = -(a0 * q[0] + a1 * q[1]) * z, ug = u0 * g0 + u1 * g1 + u2 * g2;
      double gx = g0 * x0 + g1 * x1 + g2 * x2, gd = g0 * d0 + g1 * d1 + g2 * d2, turn = gx * c + (ug * ud - gd) * s;
      double a = v * ud, b = v * ug;
      double w0 = s * (d1 * g2 - d2 * g1) + a * g0 + b * d0, w1 = s * (d2 * g0 - d0 * g2) + a * g1 + b * d1, w2 = s * (d0 * g1 - d1 * g0) + a * g2 + b * d2;
      double along = turn - (u0 * w0 + u1 * w1 + u2 * w2) * inverse;
      o[0] = u0 * along + w0 * inverse, o[N] = u1 * along + w1 * inverse, o[2 * N] = u2 * along + w2 * inverse;
      double t0 = g0 * c - (u1 * g2 - u2 * g1) * s + u0 * b, t1 = g1 * c - (u2 * g0 - u0 * g2) * s + u1 * b, t2 = g2 * c - (u0 * g1 - u1 * g0) * s + u2 * b;
      o[3 * N] = -t0, o[4 * N] = -t1, o[5 * N] = -t2, o[11 * N] = t0, o[12 * N] = t1, o[13 * N] = t2;
      double y = q[j] * l;
      o[6 * N] = w * y, o[7 * N] = j == 0 ? w : 0, o[8 * N] = j == 1 ? w : 0, o[9 * N] = wf * q[j] * rr, o[10 * N] = wf * q[j] * rr * rr;
      o[14 * N] = f * y + p[(7 + j) * N + i] - seen[j * N + i];
    }
  }
}

int main(int argc, char **argv) {
  N = atoi(argv[1]);
  p = numbers(argv[2]), seen = p + 15 * N;
  found = aligned_alloc(64, (30 * N * sizeof(double) + 127) / 64 * 64);
  measure(ba, found, 30 * N, argv[3], atof(argv[4]));
}
