// The gradient of a mixture's log likelihood by hand. Eight points lie side by side in vectors; what their weights make of their second moments gives
// the derivatives of each factor: of q and l those of -sum(w |Q (x - mean)|^2) / 2 are -Q S, where S is the sum of w (x - mean) (x - mean)^T, and of the
// mean they are Q^T Q sum(w (x - mean)).
#include "peer.h"
#include <math.h>

enum { N = 1000, B = 8, NB = (N + B - 1) / B };
typedef double vec __attribute__((vector_size(8 * B)));

static int d, K, below;
static double *alpha, *mean, *q, *l, *x, gamma_ = 1, m_ = 0;
static double *found, *dalpha, *dmean, *dq, *dl;
static double *Q, *S;  // d x d
static vec *xs, *terms, *xc; // points in blocks

static void gmm(void) {
  for (int k = 0; k < K; k++) {
    const double *mk = mean + k * d, *lk = l + (long)k * below;
    double weight = alpha[k], e[d];
    for (int j = 0; j < d; j++) weight += q[k * d + j], e[j] = exp(q[k * d + j]);
    for (int b = 0; b < NB; b++) {
      vec square = {0};
      for (int j = 0; j < d; j++) xc[j] = xs[b * d + j] - mk[j];
      const double *row = lk;
      int j = 0;
      for (; j + 4 <= d; j += 4) { // four rows at a time
        const double *r0 = row, *r1 = r0 + j, *r2 = r1 + j + 1, *r3 = r2 + j + 2;
        row = r3 + j + 3;
        vec a0 = xc[j] * e[j], a1 = xc[j + 1] * e[j + 1] + xc[j] * r1[j], a2 = xc[j + 2] * e[j + 2] + xc[j] * r2[j] + xc[j + 1] * r2[j + 1],
            a3 = xc[j + 3] * e[j + 3] + xc[j] * r3[j] + xc[j + 1] * r3[j + 1] + xc[j + 2] * r3[j + 2];
        for (int h = 0; h < j; h++) {
          vec v = xc[h];
          a0 += v * r0[h], a1 += v * r1[h], a2 += v * r2[h], a3 += v * r3[h];
        }
        square += a0 * a0 + a1 * a1 + a2 * a2 + a3 * a3;
      }
      for (; j < d; j++) {
        vec a = xc[j] * e[j];
        for (int h = 0; h < j; h++) a += xc[h] * row[h];
        row += j;
        square += a * a;
      }
      terms[(long)b * K + k] = weight - 0.5 * square;
    }
  }
  for (int b = 0; b < NB; b++) {
    vec *t = terms + (long)b * K, most = t[0], sum = {0};
    for (int k = 1; k < K; k++)
      for (int i = 0; i < B; i++) most[i] = most[i] > t[k][i] ? most[i] : t[k][i];
    for (int k = 0; k < K; k++) {
      vec u = t[k] - most;
      for (int i = 0; i < B; i++) u[i] = exp(u[i]);
      sum += u, t[k] = u;
    }
    vec inverse = 1 / sum;
    for (int k = 0; k < K; k++) t[k] *= inverse;
    for (int i = N - b * B; i < B; i++)
      for (int k = 0; k < K; k++) t[k][i] = 0; // no point
  }
  double all = 0;
  for (int k = 0; k < K; k++) all += exp(alpha[k]);
  for (int k = 0; k < K; k++) {
    const double *mk = mean + k * d, *lk = l + (long)k * below;
    vec total = {0}, first[d];
    memset(first, 0, sizeof first);
    memset(S, 0, sizeof(double) * d * d);
    // second moments in blocks of points that stay in the first cache
    for (int b0 = 0; b0 < NB; b0 += 8) {
      int nb = NB - b0 < 8 ? NB - b0 : 8;
      for (int b = 0; b < nb; b++) {
        vec w = terms[(long)(b0 + b) * K + k];
        total += w;
        for (int j = 0; j < d; j++) {
          vec v = xs[(b0 + b) * d + j] - mk[j];
          xc[j * 8 + b] = v;
          v *= w;
          first[j] += v;
          xc[(d + j) * 8 + b] = v;
        }
      }
      for (int j = 0; j < d; j++) {
        const vec *u = xc + (d + j) * 8;
        int h = 0;
        for (; h + 4 <= j + 1; h += 4) {
          const vec *v = xc + h * 8;
          vec a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0};
          for (int b = 0; b < nb; b++) a0 += u[b] * v[b], a1 += u[b] * v[8 + b], a2 += u[b] * v[16 + b], a3 += u[b] * v[24 + b];
          double s[4] = {0};
          for (int i = 0; i < B; i++) s[0] += a0[i], s[1] += a1[i], s[2] += a2[i], s[3] += a3[i];
          for (int i = 0; i < 4; i++) S[j * d + h + i] += s[i];
        }
        for (; h <= j; h++) {
          vec a = {0};
          for (int b = 0; b < nb; b++) a += u[b] * xc[h * 8 + b];
          for (int i = 0; i < B; i++) S[j * d + h] += a[i];
        }
      }
    }
    double w = 0, f[d], e[d], y[d], factor = gamma_ * gamma_;
    for (int i = 0; i < B; i++) w += total[i];
    for (int j = 0; j < d; j++) {
      f[j] = 0;
      for (int i = 0; i < B; i++) f[j] += first[j][i];
      e[j] = exp(q[k * d + j]);
      for (int h = 0; h < j; h++) S[h * d + j] = S[j * d + h];
    }
    dalpha[k] = w - N * exp(alpha[k]) / all;
    const double *row = lk;
    double *drow = dl + (long)k * below;
    for (int j = 0; j < d; j++) { // -Q S below the diagonal, and y = Q f
      double r[d];
      y[j] = e[j] * f[j];
      for (int h = 0; h <= j; h++) r[h] = e[j] * S[j * d + h];
      for (int i = 0; i < j; i++) {
        double c = row[i];
        y[j] += c * f[i];
        for (int h = 0; h <= j; h++) r[h] += c * S[i * d + h];
      }
      for (int h = 0; h < j; h++) drow[h] = factor * row[h] - r[h];
      dq[k * d + j] = w - m_ + e[j] * (factor * e[j] - r[j]);
      row += j, drow += j;
    }
    double *dm = dmean + k * d;
    for (int j = 0; j < d; j++) dm[j] = e[j] * y[j];
    row = lk;
    for (int j = 0; j < d; row += j, j++)
      for (int h = 0; h < j; h++) dm[h] += row[h] * y[j];
  }
}

int main(int argc, char **argv) {
  d = atoi(argv[1]), K = atoi(argv[2]);
  below = d > 1 ? d * (d - 1) / 2 : 1;
  alpha = numbers(argv[3]), mean = alpha + K, q = mean + K * d, l = q + K * d, x = l + (long)K * below;
  long n = K + 2L * K * d + (long)K * below;
  found = calloc(n, sizeof(double));
  dalpha = found, dmean = dalpha + K, dq = dmean + K * d, dl = dq + K * d;
  Q = aligned_alloc(64, sizeof(double) * d * d + 64), S = aligned_alloc(64, (sizeof(double) * d * d + 127) / 64 * 64);
  xs = aligned_alloc(64, sizeof(vec) * NB * d), terms = aligned_alloc(64, sizeof(vec) * NB * K), xc = aligned_alloc(64, sizeof(vec) * d * 16);
  for (int i = 0; i < NB * B; i++)
    for (int j = 0; j < d; j++) xs[i / B * d + j][i % B] = x[(i < N ? i : N - 1) * d + j];
  measure(gmm, found, n, argv[4], atof(argv[5]));
}
