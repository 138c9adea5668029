// Hand tracking for ADOL-C: a tape of all errors, with a direction for each of the angles and, of places in triangles, one for each of their two
// coordinates: forward mode in all of them at once.
#include "adolc.h"

enum { BONES = 22, V = 544 };
static int N, C;
static double *x;
static std::vector<double> at;
static int given, outputs, directions;
static double **along, *values, **rows, *found;

struct place {
  adouble m[3][4];
};

static place times(const place &x, const place &y) {
  place z;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) {
      z.m[r][c] = x.m[r][0] * y.m[0][c] + x.m[r][1] * y.m[1][c] + x.m[r][2] * y.m[2][c];
      if (c == 3) z.m[r][c] += x.m[r][3];
    }
  return z;
}

static place times(const place &x, const double *y) {
  place z;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) {
      z.m[r][c] = x.m[r][0] * y[c] + x.m[r][1] * y[4 + c] + x.m[r][2] * y[8 + c];
      if (c == 3) z.m[r][c] += x.m[r][3];
    }
  return z;
}

static void record(void) {
  trace_on(1);
  std::vector<adouble> a(given);
  for (int i = 0; i < given; i++) a[i] <<= at[i];
  const double *relative = x + 26, *inverse = relative + 12 * BONES, *base = inverse + 12 * BONES, *weights = base + 3 * V, *corners = weights + BONES * V, *points = corners + C * N;
  std::vector<place> here(BONES), moves(BONES);
  for (int k = 0; k < BONES; k++) {
    const double *q = relative + 12 * k;
    int f = (k - 2) / 4, b = (k - 2) % 4;
    place p;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++) p.m[r][c] = q[4 * r + c];
    if (k >= 2 && b < 3) {
      adouble *t = &a[6 + 4 * f], ca = cos(t[b == 0 ? 0 : b + 1]), sa = sin(t[b == 0 ? 0 : b + 1]), cb = 1, sb = 0;
      if (b == 0) cb = cos(t[1]), sb = sin(t[1]);
      for (int r = 0; r < 3; r++) {
        adouble h = q[4 * r + 1] * sa - q[4 * r + 2] * ca;
        p.m[r][0] = q[4 * r] * cb + h * sb, p.m[r][1] = q[4 * r + 1] * ca + q[4 * r + 2] * sa, p.m[r][2] = q[4 * r] * sb - h * cb;
      }
    }
    here[k] = k == 0 ? p : times(here[k == 1 ? 0 : b == 0 ? 1 : k - 1], p);
    moves[k] = times(here[k], inverse + 12 * k);
  }
  adouble square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], angle = sqrt(square), c = cos(angle), s = sin(angle) / angle, v = (1 - c) / square, R[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      R[i][j] = v * a[i] * a[j];
      if (i == j) R[i][j] += c;
      else if ((j - i + 3) % 3 == 1) R[i][j] -= s * a[3 - i - j];
      else R[i][j] += s * a[3 - i - j];
    }
  std::vector<adouble> q(3 * V);
  for (int i = 0; i < V; i++) {
    adouble y[3];
    for (int r = 0; r < 3; r++) {
      y[r] = 0;
      for (int k = 0; k < BONES; k++) y[r] += weights[k * V + i] * (moves[k].m[r][0] * base[i] + moves[k].m[r][1] * base[V + i] + moves[k].m[r][2] * base[2 * V + i] + moves[k].m[r][3]);
    }
    for (int r = 0; r < 3; r++) q[r * V + i] = R[r][0] * y[0] + R[r][1] * y[1] + R[r][2] * y[2] + a[3 + r];
  }
  double out;
  for (int r = 0; r < 3; r++)
    for (int i = 0; i < N; i++) {
      adouble e;
      if (C == 1) e = points[r * N + i] - q[r * V + (int)corners[i]];
      else {
        adouble &u = a[26 + i], &w = a[26 + N + i];
        e = points[r * N + i] - u * q[r * V + (int)corners[i]] - w * q[r * V + (int)corners[N + i]] - (1 - u - w) * q[r * V + (int)corners[2 * N + i]];
      }
      e >>= out;
    }
  trace_off();
}

static void hand(void) {
  fov_forward(1, outputs, given, directions, at.data(), along, values, rows);
  for (int d = 0; d < directions; d++)
    for (int i = 0; i < outputs; i++) found[(long)d * outputs + i] = rows[i][d];
}

int main(int argc, char **argv) {
  N = atoi(argv[1]), C = atoi(argv[2]);
  x = numbers(argv[3]);
  given = 26 + (C == 3 ? 2 * N : 0), outputs = 3 * N, directions = C == 3 ? 28 : 26;
  at.assign(x, x + 26);
  if (C == 3) {
    double *uv = x + 26 + 24 * BONES + (3 + BONES) * V + C * N + 3 * N;
    at.insert(at.end(), uv, uv + 2 * N);
  }
  along = myalloc2(given, directions), rows = myalloc2(outputs, directions), values = new double[outputs];
  for (int i = 0; i < given; i++)
    for (int d = 0; d < directions; d++) along[i][d] = 0;
  for (int j = 0; j < 4; j++) // in the order of the others
    for (int f = 0; f < 5; f++) along[6 + 4 * f + j][5 * j + f] = 1;
  for (int j = 0; j < 6; j++) along[j][20 + j] = 1;
  for (int i = 26; i < given; i++) along[i][26 + (i - 26) / N] = 1;
  found = new double[(long)directions * outputs];
  record();
  measure(hand, found, (long)directions * outputs, argv[4], atof(argv[5]));
}
