/* TPC-H Q1 and Q6 (TPC-H specification 3.0.1, 2.4.1 and 2.4.6). */
#include "peer.h"

static int64_t n;
static const double *quantity, *price, *discount, *tax;
static const int8_t *returned, *status;
static const int32_t *shipped;

static void load(void) {
  quantity = f64("lineitem", "l_quantity", &n);
  price = f64("lineitem", "l_extendedprice", 0);
  discount = f64("lineitem", "l_discount", 0);
  tax = f64("lineitem", "l_tax", 0);
  returned = i8("lineitem", "l_returnflag", 0);
  status = i8("lineitem", "l_linestatus", 0);
  shipped = i32("lineitem", "l_shipdate", 0);
}

/* Two keys of a byte have a small range: the groups are found by a dense table. */
enum { KEYS = 1 << 16 };

struct sums {
  double quantity, base, discounted, charge, discount;
  int64_t count;
};

static void q1(struct result *r) {
  uint16_t *at = calloc(KEYS, sizeof *at), *keys = malloc(KEYS * sizeof *keys); /* at: 1 + the group, 0 is none */
  struct sums *sums = malloc(KEYS * sizeof *sums); /* only what is touched costs */
  int64_t groups = 0;
  for (int64_t i = 0; i < n; i++) {
    if (shipped[i] > 10471) continue; /* 1998-09-02 */
    uint16_t key = (uint8_t)returned[i] << 8 | (uint8_t)status[i];
    if (__builtin_expect(at[key] == 0, 0)) {
      sums[groups] = (struct sums){0};
      keys[groups] = key;
      at[key] = ++groups;
    }
    struct sums *s = &sums[at[key] - 1];
    double discounted = price[i] * (1 - discount[i]);
    s->quantity += quantity[i];
    s->base += price[i];
    s->discounted += discounted;
    s->charge += discounted * (1 + tax[i]);
    s->discount += discount[i];
    s->count++;
  }
  r->rows = groups;
  int8_t *flag = add(r, 'b', 1), *line = add(r, 'b', 1);
  double *col[8];
  for (int k = 0; k < 7; k++) col[k] = add(r, 'd', 8);
  int64_t *count = add(r, 'l', 8);
  for (int64_t g = 0; g < groups; g++) {
    struct sums s = sums[g];
    flag[g] = keys[g] >> 8, line[g] = keys[g] & 255, count[g] = s.count;
    col[0][g] = s.quantity, col[1][g] = s.base, col[2][g] = s.discounted, col[3][g] = s.charge;
    col[4][g] = s.quantity / s.count, col[5][g] = s.base / s.count, col[6][g] = s.discount / s.count;
  }
  free(at), free(keys), free(sums);
}

/* The sum is reassociable. */
static void q6(struct result *r) {
#pragma clang fp reassociate(on)
  double sum = 0;
  for (int64_t i = 0; i < n; i++) {
    int take = (shipped[i] >= 8766) & (shipped[i] < 9131) /* 1994 */
               & (discount[i] >= 0.05) & (discount[i] <= 0.07) & (quantity[i] < 24);
    sum += take ? price[i] * discount[i] : 0.0;
  }
  r->rows = 1;
  *(double *)add(r, 'd', 8) = sum;
}

const struct query tpch[] = {{"q1", load, q1}, {"q6", load, q6}, {0}};
