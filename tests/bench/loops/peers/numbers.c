/* Sum, count and largest of the values of each integer key, groups in the order of
   their first row. The range of the keys is not known: a hash table with linear probing
   that holds the groups themselves, with the slots of a batch of rows asked for ahead. */
#include "peer.h"

static int64_t n;
static const double *value;
static const int64_t *column, *columns[3];

static void load(void) {
  value = f64("rows", "v", &n);
  columns[0] = i64("rows", "k10", 0);
  columns[1] = i64("rows", "k10000", 0);
  columns[2] = i64("rows", "k1000000", 0);
}

/* A slot with count 0 is free. */
struct slot {
  int64_t key, count;
  double sum, max;
};

struct table {
  struct slot *slots;
  uint32_t *order; /* the slots of the groups, by their first row */
  int64_t groups, most;
  int bits;
};

enum { BATCH = 16, START = 10 };

static inline uint64_t hash(int64_t key) { return (uint64_t)key * 0x9E3779B97F4A7C15u; }

static void make(struct table *t, int bits) {
  t->bits = bits;
  t->most = ((int64_t)1 << bits) / 2;
  t->slots = calloc((size_t)1 << bits, sizeof *t->slots);
  t->order = realloc(t->order, (t->most + 1) * sizeof *t->order);
}

static void grow(struct table *t) {
  struct slot *old = t->slots;
  make(t, t->bits + 1);
  uint64_t mask = ((uint64_t)1 << t->bits) - 1;
  for (int64_t g = 0; g < t->groups; g++) {
    struct slot s = old[t->order[g]];
    uint64_t at = hash(s.key) >> (64 - t->bits);
    while (t->slots[at].count) at = (at + 1) & mask;
    t->slots[at] = s;
    t->order[g] = at;
  }
  free(old);
}

static void batch(struct table *t, const int64_t *key, const double *v, int64_t m) {
  uint64_t mask = ((uint64_t)1 << t->bits) - 1;
  for (int64_t i = 0; i < m; i++) {
    uint64_t at = hash(key[i]) >> (64 - t->bits);
    struct slot *s = &t->slots[at];
    while (s->count && s->key != key[i]) s = &t->slots[at = (at + 1) & mask];
    if (__builtin_expect(!s->count, 0)) {
      *s = (struct slot){key[i], 1, v[i], v[i]};
      t->order[t->groups++] = at;
      continue;
    }
    s->count++;
    s->sum += v[i];
    s->max = v[i] > s->max ? v[i] : s->max;
  }
}

static void group(struct result *r) {
  struct table t = {0};
  make(&t, START);
  for (int64_t i = 0; i < n; i += BATCH) {
    int64_t m = n - i < BATCH ? n - i : BATCH;
    if (t.groups + m > t.most) grow(&t);
    for (int64_t j = i + BATCH; j < n && j < i + 2 * BATCH; j++) __builtin_prefetch(&t.slots[hash(column[j]) >> (64 - t.bits)], 1);
    batch(&t, column + i, value + i, m);
  }
  r->rows = t.groups;
  int64_t *key = add(r, 'l', 8);
  double *sum = add(r, 'd', 8);
  int64_t *count = add(r, 'l', 8);
  double *max = add(r, 'd', 8);
  for (int64_t g = 0; g < t.groups; g++) {
    struct slot s = t.slots[t.order[g]];
    key[g] = s.key, sum[g] = s.sum, count[g] = s.count, max[g] = s.max;
  }
  free(t.slots), free(t.order);
}

static void few(struct result *r) { column = columns[0], group(r); }
static void some(struct result *r) { column = columns[1], group(r); }
static void many(struct result *r) { column = columns[2], group(r); }

const struct query numbers[] = {{"int10", load, few}, {"int10000", load, some}, {"int1000000", load, many}, {0}};
