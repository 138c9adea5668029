// The Jacobian of hand tracking by hand. A bone's matrix depends on the angles of its own joint and of those before it in its finger, so the chain is
// gone through once for each angle from its own joint on, and the vertices go with these bones alone. The turn of the whole is in the matrices of the
// fingers, and its own derivatives are taken at vertices. Columns at vertices lie in the caches; each point then takes its own.
#include "peer.h"
#include <math.h>

enum { BONES = 22, V = 544, COLUMNS = 26 };
typedef double place[3][4];

static long N, C;
static const double *restrict global, *restrict fingers, *restrict base, *restrict weights, *restrict points, *restrict uv;
static const place *restrict relative, *restrict inverse;
static const int *restrict at;
static double *restrict found;
static double all[COLUMNS][3][V] __attribute__((aligned(64))), posed[3][V] __attribute__((aligned(64)));

static void times(const place x, const place y, int isPlace, place z) { // without the shift of x for a derivative of y
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 4; c++) z[r][c] = x[r][0] * y[0][c] + x[r][1] * y[1][c] + x[r][2] * y[2][c];
    if (isPlace) z[r][3] += x[r][3];
  }
}

static void joint(const place p, double ca, double sa, double cb, double sb, place to) {
  for (int r = 0; r < 3; r++) {
    double h = p[r][1] * sa - p[r][2] * ca;
    to[r][0] = p[r][0] * cb + h * sb, to[r][1] = p[r][1] * ca + p[r][2] * sa, to[r][2] = p[r][0] * sb - h * cb, to[r][3] = p[r][3];
  }
}

// skin adds up where n bones from the first one on bring the vertices.
static inline __attribute__((always_inline)) void skin(const place *moves, const double *w, int n, double sign, double (*to)[V]) {
  for (int r = 0; r < 3; r++) {
    double m[BONES][4];
    for (int k = 0; k < n; k++)
      for (int c = 0; c < 4; c++) m[k][c] = sign * moves[k][r][c];
    for (int v = 0; v < V; v++) {
      double x = 0, y = 0, z = 0, one = 0;
      for (int k = 0; k < n; k++) {
        double wk = w[k * V + v];
        x += wk * m[k][0], y += wk * m[k][1], z += wk * m[k][2], one += wk * m[k][3];
      }
      to[r][v] = x * base[v] + y * base[V + v] + z * base[2 * V + v] + one;
    }
  }
}

static void hand(void) {
  double x = global[0], y = global[1], z = global[2], square = x * x + y * y + z * z, angle = sqrt(square), c = cos(angle), s = sin(angle);
  double u[3] = {x / angle, y / angle, z / angle};
  double R[3][3], dR[3][3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int k = 3 - i - j;
      double cross = i == j ? 0 : (j - i + 3) % 3 == 1 ? -u[k] : u[k], unit = i == j;
      R[i][j] = c * unit + (1 - c) * u[i] * u[j] + s * cross;
      for (int d = 0; d < 3; d++) { // of the angle u[d], of u (unit vector of d - u u[d]) / angle
        double di = ((i == d) - u[i] * u[d]) / angle, dj = ((j == d) - u[j] * u[d]) / angle;
        double dcross = i == j ? 0 : ((j - i + 3) % 3 == 1 ? -1 : 1) * ((k == d) - u[k] * u[d]) / angle;
        dR[d][i][j] = u[d] * (-s * unit + s * u[i] * u[j] + c * cross) + (1 - c) * (di * u[j] + u[i] * dj) + s * dcross;
      }
    }
  place turn = {{R[0][0], R[0][1], R[0][2], 0}, {R[1][0], R[1][1], R[1][2], 0}, {R[2][0], R[2][1], R[2][2], 0}};
  place moves[BONES], here[BONES];
  times(relative[0], inverse[0], 1, moves[0]);
  times(relative[0], relative[1], 1, here[1]);
  times(here[1], inverse[1], 1, moves[1]);
  for (int f = 0; f < 5; f++) {
    int k0 = 2 + 4 * f;
    const double *a = fingers + 4 * f;
    double cs[5][2] = {{cos(a[0]), sin(a[0])}, {cos(a[1]), sin(a[1])}, {cos(a[2]), sin(a[2])}, {cos(a[3]), sin(a[3])}, {1, 0}};
    for (int b = 0; b < 4; b++) {
      place p;
      const double *ca = b == 0 ? cs[0] : b == 1 ? cs[2] : b == 2 ? cs[3] : cs[4], *cb = b == 0 ? cs[1] : cs[4];
      joint(relative[k0 + b], ca[0], ca[1], cb[0], cb[1], p);
      times(here[b == 0 ? 1 : k0 + b - 1], p, 1, here[k0 + b]);
      times(here[k0 + b], inverse[k0 + b], 1, moves[k0 + b]);
    }
    for (int j = 0; j < 4; j++) {
      int first = j < 2 ? 0 : j - 1;
      place d, last, moved[4];
      const place *q = &relative[k0 + first];
      double ca = cs[j < 2 ? 0 : j][0], sa = cs[j < 2 ? 0 : j][1], cb = j < 2 ? cs[1][0] : 1, sb = j < 2 ? cs[1][1] : 0;
      if (j == 1)
        for (int r = 0; r < 3; r++) {
          double h = (*q)[r][1] * sa - (*q)[r][2] * ca;
          d[r][0] = -(*q)[r][0] * sb + h * cb, d[r][1] = 0, d[r][2] = (*q)[r][0] * cb + h * sb, d[r][3] = 0;
        }
      else
        for (int r = 0; r < 3; r++) {
          double h = (*q)[r][1] * ca + (*q)[r][2] * sa;
          d[r][0] = h * sb, d[r][1] = -(*q)[r][1] * sa + (*q)[r][2] * ca, d[r][2] = -h * cb, d[r][3] = 0;
        }
      place turned;
      times(turn, here[first == 0 ? 1 : k0 + first - 1], 0, turned);
      times(turned, d, 0, last);
      for (int b = first; b < 4; b++) {
        if (b > first) {
          place p, t;
          const double *cn = b == 1 ? cs[2] : b == 2 ? cs[3] : cs[4];
          joint(relative[k0 + b], cn[0], cn[1], 1, 0, p);
          times(last, p, 1, t);
          memcpy(last, t, sizeof t);
        }
        times(last, inverse[k0 + b], 1, moved[b]);
      }
      const double *w = weights + (k0 + first) * V;
      double(*to)[V] = all[5 * j + f];
      if (first == 0) skin(moved, w, 4, -1, to);
      else if (first == 1) skin(moved + 1, w, 3, -1, to);
      else skin(moved + 2, w, 2, -1, to);
    }
  }
  skin(moves, weights, BONES, 1, posed);
  for (int d = 0; d < 3; d++)
    for (int r = 0; r < 3; r++)
      for (int v = 0; v < V; v++) all[20 + d][r][v] = -(dR[d][r][0] * posed[0][v] + dR[d][r][1] * posed[1][v] + dR[d][r][2] * posed[2][v]);
  for (int j = 0; j < 23; j++) { // three rows at a time: they share the indices
    const double *restrict x0 = all[j][0], *restrict y0 = all[j][1], *restrict z0 = all[j][2];
    double *restrict o = found + j * 3 * N, *restrict p = o + N, *restrict q = p + N;
    if (C == 1)
      for (long i = 0; i < N; i++) {
        int k = at[i];
        o[i] = x0[k], p[i] = y0[k], q[i] = z0[k];
      }
    else
      for (long i = 0; i < N; i++) {
        int k = at[i], l = at[N + i], m = at[2 * N + i];
        double u = uv[i], w = uv[N + i], rest = 1 - u - w;
        o[i] = u * x0[k] + w * x0[l] + rest * x0[m], p[i] = u * y0[k] + w * y0[l] + rest * y0[m], q[i] = u * z0[k] + w * z0[l] + rest * z0[m];
      }
  }
  for (int d = 0; d < 3; d++)
    for (int r = 0; r < 3; r++) {
      double *restrict o = found + ((23 + d) * 3 + r) * N, x = d == r ? -1 : 0;
      for (long i = 0; i < N; i++) o[i] = x;
    }
  if (C == 1) return;
  static double turned[3][V];
  for (int r = 0; r < 3; r++)
    for (int v = 0; v < V; v++) turned[r][v] = R[r][0] * posed[0][v] + R[r][1] * posed[1][v] + R[r][2] * posed[2][v];
  for (int r = 0; r < 3; r++) {
    double *restrict du = found + (26 * 3 + r) * N, *restrict dv = du + 3 * N;
    const double *restrict from = turned[r];
    for (long i = 0; i < N; i++) {
      double p2 = from[at[2 * N + i]];
      du[i] = p2 - from[at[i]], dv[i] = p2 - from[at[N + i]];
    }
  }
}

int main(int argc, char **argv) {
  N = atoi(argv[1]), C = atoi(argv[2]);
  const double *x = numbers(argv[3]);
  global = x, fingers = x + 6, relative = (const place *)(fingers + 20), inverse = relative + BONES;
  base = (const double *)(inverse + BONES), weights = base + 3 * V;
  const double *corners = weights + BONES * V;
  int *index = aligned_alloc(64, (C * N * sizeof(int) + 127) / 64 * 64);
  for (long i = 0; i < C * N; i++) index[i] = corners[i];
  at = index, points = corners + C * N, uv = points + 3 * N;
  // The file's numbers begin where they may; rows of vertices begin at cache lines.
  double *rows = aligned_alloc(64, sizeof(double) * V * (3 + BONES));
  memcpy(rows, base, sizeof(double) * V * (3 + BONES));
  base = rows, weights = rows + 3 * V;
  long columns = COLUMNS + (C == 3 ? 2 : 0);
  found = aligned_alloc(64, (columns * 3 * N * sizeof(double) + 127) / 64 * 64);
  measure(hand, found, columns * 3 * N, argv[4], atof(argv[5]));
}
