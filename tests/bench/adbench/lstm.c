// The gradient of a recurrent network's loss by hand. Its 14 bits lie in 16 lanes; what the gates of each step were is kept.
#include "peer.h"
#include <math.h>

enum { B = 14, W = 16 };
typedef double row[W] __attribute__((aligned(64)));
struct kept { row x, h, c, f, g, o, a, t; }; // of a step and a layer: what it was given, its gates, and tanh of its long memory

static int L, T;
static double *in, *found;
static row *main_, *dmain, extra[3], dextra[3], *state, *sequence, *out;
static struct kept *kept;

#define EACH for (int i = 0; i < W; i++)

static void lstm(void) {
  row h[L], c[L], dh[L], dc[L], x, dx;
  for (int l = 0; l < L; l++) EACH h[l][i] = state[2 * l][i], c[l][i] = state[2 * l + 1][i], dh[l][i] = dc[l][i] = 0;
  double value = 0, scale = -1.0 / ((T - 1) * B);
  for (int t = 0; t < T - 1; t++) {
    EACH x[i] = sequence[t][i] * extra[0][i];
    for (int l = 0; l < L; l++) {
      row *m = main_ + 8 * l;
      struct kept *k = kept + (long)t * L + l;
      EACH {
        k->x[i] = x[i], k->h[i] = h[l][i], k->c[i] = c[l][i];
        double f = 1 / (1 + exp(-(x[i] * m[0][i] + m[4][i]))), g = 1 / (1 + exp(-(h[l][i] * m[1][i] + m[5][i])));
        double o = 1 / (1 + exp(-(x[i] * m[2][i] + m[6][i])));
        double a = 1 - 2 / (1 + exp(2 * (h[l][i] * m[3][i] + m[7][i])));
        double d = c[l][i] * f + g * a, u = 1 - 2 / (1 + exp(2 * d));
        k->f[i] = f, k->g[i] = g, k->o[i] = o, k->a[i] = a, k->t[i] = u;
        c[l][i] = d, x[i] = h[l][i] = o * u;
      }
    }
    EACH out[t][i] = x[i];
  }
  memset(dmain, 0, sizeof(row) * 8 * L), memset(dextra, 0, sizeof dextra);
  for (int t = T - 2; t >= 0; t--) {
    row e;
    double sum = 2, bits = 0;
    for (int i = 0; i < W; i++) e[i] = exp(out[t][i] * extra[1][i] + extra[2][i]);
    for (int i = 0; i < B; i++) sum += e[i], bits += sequence[t + 1][i];
    double r = bits / sum;
    EACH {
      double dy = scale * (sequence[t + 1][i] - r * e[i]);
      dextra[1][i] += dy * out[t][i], dextra[2][i] += dy, dx[i] = dy * extra[1][i];
    }
    for (int l = L - 1; l >= 0; l--) {
      row *m = main_ + 8 * l, *d = dmain + 8 * l;
      struct kept *k = kept + (long)t * L + l;
      EACH {
        double s = dh[l][i] + dx[i], f = k->f[i], g = k->g[i], o = k->o[i], a = k->a[i], u = k->t[i];
        double v = dc[l][i] + s * o * (1 - u * u), zo = s * u * o * (1 - o), zf = v * k->c[i] * f * (1 - f), zg = v * a * g * (1 - g), za = v * g * (1 - a * a);
        dc[l][i] = v * f;
        d[0][i] += zf * k->x[i], d[4][i] += zf, d[1][i] += zg * k->h[i], d[5][i] += zg;
        d[2][i] += zo * k->x[i], d[6][i] += zo, d[3][i] += za * k->h[i], d[7][i] += za;
        dx[i] = zf * m[0][i] + zo * m[2][i], dh[l][i] = zg * m[1][i] + za * m[3][i];
      }
    }
    EACH dextra[0][i] += dx[i] * sequence[t][i];
  }
  for (int l = 0; l < 8 * L; l++) memcpy(found + B * l, dmain[l], B * sizeof(double));
  for (int l = 0; l < 3; l++) memcpy(found + B * (8 * L + l), dextra[l], B * sizeof(double));
}

static row *filled(int n, const double **from) {
  row *r = aligned_alloc(64, sizeof(row) * n);
  memset(r, 0, sizeof(row) * n);
  for (int j = 0; j < n; j++, *from += B) memcpy(r[j], *from, B * sizeof(double));
  return r;
}

int main(int argc, char **argv) {
  L = atoi(argv[1]), T = atoi(argv[2]);
  const double *at = numbers(argv[3]);
  main_ = filled(8 * L, &at);
  memcpy(extra, filled(3, &at), sizeof extra);
  state = filled(2 * L, &at), sequence = filled(T, &at);
  dmain = aligned_alloc(64, sizeof(row) * 8 * L), out = aligned_alloc(64, sizeof(row) * T);
  kept = aligned_alloc(64, sizeof(struct kept) * L * T);
  long n = B * (8 * L + 3);
  found = calloc(n, sizeof(double));
  measure(lstm, found, n, argv[4], atof(argv[5]));
}
