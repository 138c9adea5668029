/* The same for keys that are strings. A slot has the bytes of a key of up to 16: two
   words that overlap tell, with the length, all of it; the rest of a longer one is
   compared where it first stood. */
#include "peer.h"

static int64_t n;
static const double *value;
static struct strings column, columns[3];

static void load(void) {
  value = f64("rows", "v", &n);
  columns[0] = strings("rows", "s10", 0);
  columns[1] = strings("rows", "s10000", 0);
  columns[2] = strings("rows", "s1000000", 0);
}

struct key {
  uint64_t a, b;
  uint32_t hash, length;
};

/* A slot with count 0 is free. */
struct slot {
  struct key key;
  int64_t first, count; /* first: where its bytes begin */
  double sum, max;
};

struct table {
  struct slot *slots;
  uint32_t *order;
  int64_t groups, most;
  int bits;
};

enum { BATCH = 16, START = 10 };

static inline uint64_t fold(uint64_t a, uint64_t b) {
  unsigned __int128 p = (unsigned __int128)a * b;
  return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static inline uint64_t load8(const char *p) {
  uint64_t x;
  memcpy(&x, p, 8);
  return x;
}

static inline uint32_t load4(const char *p) {
  uint32_t x;
  memcpy(&x, p, 4);
  return x;
}

static const uint64_t SEED1 = 0xA0761D6478BD642Fu, SEED2 = 0xE7037ED1A0B428DBu;

/* read makes the words and the hash of a key (after wyhash, Wang Yi). */
static inline struct key read(const char *p, int64_t m) {
  struct key k = {.length = m};
  uint64_t h = SEED1;
  if (m >= 8)
    k.a = load8(p), k.b = load8(p + m - 8);
  else if (m >= 4)
    k.a = load4(p), k.b = load4(p + m - 4);
  else if (m > 0)
    k.a = (uint64_t)(uint8_t)p[0] << 16 | (uint64_t)(uint8_t)p[m / 2] << 8 | (uint8_t)p[m - 1];
  for (int64_t i = 8; i + 8 < m; i += 8) h = fold(h ^ load8(p + i), SEED2);
  k.hash = fold(k.a ^ h, k.b ^ SEED2 ^ m) >> 32;
  return k;
}

static inline int same(const struct slot *s, const struct key *k, const char *p) {
  return s->key.a == k->a && s->key.b == k->b && s->key.length == k->length &&
         (k->length <= 16 || !memcmp(column.bytes + s->first + 8, p + 8, k->length - 16));
}

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
    uint64_t at = s.key.hash & mask;
    while (t->slots[at].count) at = (at + 1) & mask;
    t->slots[at] = s;
    t->order[g] = at;
  }
  free(old);
}

static void batch(struct table *t, const struct key *keys, int64_t from, int64_t m) {
  uint64_t mask = ((uint64_t)1 << t->bits) - 1;
  for (int64_t i = 0; i < m; i++) {
    struct key k = keys[i];
    int64_t first = column.offsets[from + i];
    double v = value[from + i];
    uint64_t at = k.hash & mask;
    struct slot *s = &t->slots[at];
    while (s->count && !same(s, &k, column.bytes + first)) s = &t->slots[at = (at + 1) & mask];
    if (__builtin_expect(!s->count, 0)) {
      *s = (struct slot){k, first, 1, v, v};
      t->order[t->groups++] = at;
      continue;
    }
    s->count++;
    s->sum += v;
    s->max = v > s->max ? v : s->max;
  }
}

static void result(struct result *r, const struct table *t) {
  r->rows = t->groups;
  int64_t *offsets = malloc((t->groups + 1) * sizeof *offsets), bytes = 0;
  for (int64_t g = 0; g < t->groups; g++) offsets[g] = bytes, bytes += t->slots[t->order[g]].key.length;
  offsets[t->groups] = bytes;
  char *text = malloc(bytes + 1);
  r->column[r->width].type = 's';
  r->column[r->width].offsets = offsets;
  r->column[r->width++].data = text;
  double *sum = add(r, 'd', 8);
  int64_t *count = add(r, 'l', 8);
  double *max = add(r, 'd', 8);
  for (int64_t g = 0; g < t->groups; g++) {
    const struct slot *s = &t->slots[t->order[g]];
    memcpy(text + offsets[g], column.bytes + s->first, s->key.length);
    sum[g] = s->sum, count[g] = s->count, max[g] = s->max;
  }
}

static void group(struct result *r) {
  struct table t = {0};
  struct key keys[2][BATCH];
  make(&t, START);
  int64_t had = 0; /* keys of the next batch, read already */
  for (int64_t i = 0, turn = 0; i < n; i += BATCH, turn ^= 1) {
    int64_t m = n - i < BATCH ? n - i : BATCH, next = n - i - m < BATCH ? n - i - m : BATCH;
    if (t.groups + m > t.most) grow(&t);
    for (; had < m; had++) keys[turn][had] = read(column.bytes + column.offsets[i + had], column.offsets[i + had + 1] - column.offsets[i + had]);
    uint64_t mask = ((uint64_t)1 << t.bits) - 1;
    for (int64_t j = 0; j < next; j++) {
      int64_t at = i + m + j;
      keys[turn ^ 1][j] = read(column.bytes + column.offsets[at], column.offsets[at + 1] - column.offsets[at]);
      __builtin_prefetch(&t.slots[keys[turn ^ 1][j].hash & mask], 1);
    }
    batch(&t, keys[turn], i, m);
    had = next;
  }
  result(r, &t);
  free(t.slots), free(t.order);
}

static void few(struct result *r) { column = columns[0], group(r); }
static void some(struct result *r) { column = columns[1], group(r); }
static void many(struct result *r) { column = columns[2], group(r); }

const struct query words[] = {{"text10", load, few}, {"text10000", load, some}, {"text1000000", load, many}, {0}};
