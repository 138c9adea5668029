/* Five pipelines of filter, map, zip and reduce over two columns. */
#include "peer.h"

static int64_t n;
static const double *x, *y;

static void load(void) {
  x = f64("points", "x", &n);
  y = f64("points", "y", 0);
}

static void one(struct result *r, double a) {
  r->rows = 1;
  *(double *)add(r, 'd', 8) = a;
}

/* x.filter(> 0).map(x * x).sum, reassociable */
static void squares(struct result *r) {
#pragma clang fp reassociate(on)
  double sum = 0;
  for (int64_t i = 0; i < n; i++) sum += x[i] > 0 ? x[i] * x[i] : 0.0;
  one(r, sum);
}

/* x.zip(y).map(x * y).sum, reassociable */
static void dot(struct result *r) {
#pragma clang fp reassociate(on)
  double sum = 0;
  for (int64_t i = 0; i < n; i++) sum += x[i] * y[i];
  one(r, sum);
}

/* The mean and the variance of x, of its sum and that of its squares, reassociable. */
static void variance(struct result *r) {
#pragma clang fp reassociate(on)
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < n; i++) sum += x[i], squares += x[i] * x[i];
  double mean = sum / n;
  one(r, mean);
  *(double *)add(r, 'd', 8) = (squares - sum * mean) / (n - 1);
}

/* x.zip(y).map(x * x + y * y).filter(< 0.5).map(sqrt): by blocks that stay in the first
   cache, so that both maps are vectors, and the filter between them has no branch. */
static void radii(struct result *r) {
  enum { BLOCK = 1024 };
  double square[BLOCK], *out = malloc((n + BLOCK) * sizeof *out);
  int64_t k = 0;
  for (int64_t i = 0; i < n; i += BLOCK) {
    int64_t m = n - i < BLOCK ? n - i : BLOCK, from = k;
    for (int64_t j = 0; j < m; j++) square[j] = x[i + j] * x[i + j] + y[i + j] * y[i + j];
    for (int64_t j = 0; j < m; j++) out[k] = square[j], k += square[j] < 0.5;
    for (int64_t j = from; j < k; j++) out[j] = sqrt(out[j]);
  }
  r->rows = k;
  r->width = 1;
  r->column[0].type = 'd';
  r->column[0].data = realloc(out, k * sizeof *out + 1);
}

/* The largest of a block of distances; lanes, since a maximum may be taken in any order. */
static double largest(const double *x, const double *y, int64_t m) {
  enum { LANES = 16 };
  double lane[LANES] = {0};
  int64_t i = 0;
  for (; i + LANES <= m; i += LANES)
    for (int l = 0; l < LANES; l++) {
      double d = fabs(x[i + l] - y[i + l]);
      lane[l] = d > lane[l] ? d : lane[l];
    }
  for (; i < m; i++) {
    double d = fabs(x[i] - y[i]);
    lane[0] = d > lane[0] ? d : lane[0];
  }
  double most = 0;
  for (int l = 0; l < LANES; l++) most = lane[l] > most ? lane[l] : most;
  return most;
}

/* x.zip(y).map(|x - y|).zipWithIndex.max: the first largest and where it is, which is
   looked for only in a block that has a larger one than those before. */
static void farthest(struct result *r) {
  enum { BLOCK = 4096 };
  double most = -1;
  int64_t at = 0;
  for (int64_t i = 0; i < n; i += BLOCK) {
    double here = largest(x + i, y + i, n - i < BLOCK ? n - i : BLOCK);
    if (here <= most) continue;
    most = here;
    for (at = i; fabs(x[at] - y[at]) != here; at++);
  }
  one(r, most);
  *(int64_t *)add(r, 'l', 8) = at;
}

const struct query pipelines[] = {{"squares", load, squares}, {"dot", load, dot},           {"variance", load, variance},
                                  {"radii", load, radii},     {"farthest", load, farthest}, {0}};
