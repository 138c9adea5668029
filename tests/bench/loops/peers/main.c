/* Runs queries over the tables in a directory: a request a line on standard input,
   TABLE, QUERY, how often and FILE or -, with tabs between; the answer is "ok" and the
   best time in nanoseconds. The result goes to FILE as doubles, row by row; a string is
   the number behind its first two letters. */
#include "peer.h"

#include <time.h>

static const char *dir;

/* One file, kept once it was read. */
struct file {
  char name[256];
  void *data;
  int64_t bytes;
  struct file *next;
};

static void *file(const char *table, const char *name, const char *ext, int64_t *bytes) {
  static struct file *files;
  char path[256];
  snprintf(path, sizeof path, "%s/%s.%s", table, name, ext);
  for (struct file *f = files; f; f = f->next)
    if (!strcmp(f->name, path)) return *bytes = f->bytes, f->data;
  struct file *f = calloc(1, sizeof *f);
  char whole[4096];
  snprintf(whole, sizeof whole, "%s/%s", dir, path);
  FILE *in = fopen(whole, "rb");
  if (!f || !in || fseek(in, 0, SEEK_END) || (f->bytes = ftell(in)) < 0) perror(whole), exit(1);
  rewind(in);
  f->data = malloc(f->bytes + 1);
  if (!f->data || fread(f->data, 1, f->bytes, in) != (size_t)f->bytes) perror(whole), exit(1);
  fclose(in);
  strcpy(f->name, path);
  f->next = files;
  files = f;
  return *bytes = f->bytes, f->data;
}

static void *read_column(const char *table, const char *name, const char *ext, int size, int64_t *rows) {
  int64_t bytes;
  void *data = file(table, name, ext, &bytes);
  if (rows) *rows = bytes / size;
  return data;
}

const double *f64(const char *t, const char *n, int64_t *rows) { return read_column(t, n, "f64", 8, rows); }
const int64_t *i64(const char *t, const char *n, int64_t *rows) { return read_column(t, n, "i64", 8, rows); }
const int32_t *i32(const char *t, const char *n, int64_t *rows) { return read_column(t, n, "i32", 4, rows); }
const int8_t *i8(const char *t, const char *n, int64_t *rows) { return read_column(t, n, "i8", 1, rows); }

struct strings strings(const char *t, const char *n, int64_t *rows) {
  int64_t ends;
  struct strings s = {read_column(t, n, "offsets", 8, &ends), read_column(t, n, "bytes", 1, 0)};
  if (rows) *rows = ends - 1;
  return s;
}

void *add(struct result *r, char type, size_t size) {
  int k = r->width++;
  r->column[k].type = type;
  r->column[k].offsets = 0;
  return r->column[k].data = malloc(r->rows * size + 1);
}

static double cell(const struct result *r, int k, int64_t i) {
  void *data = r->column[k].data;
  switch (r->column[k].type) {
  case 'd': return ((double *)data)[i];
  case 'l': return ((int64_t *)data)[i];
  case 'i': return ((int32_t *)data)[i];
  case 'b': return ((int8_t *)data)[i];
  }
  int64_t from = r->column[k].offsets[i], to = r->column[k].offsets[i + 1];
  double x = 0;
  for (int64_t c = from + 2; c < to; c++) x = 10 * x + (((char *)data)[c] - '0');
  return x;
}

static void write(const struct result *r, const char *path) {
  FILE *out = fopen(path, "wb");
  if (!out) perror(path), exit(1);
  for (int64_t i = 0; i < r->rows; i++)
    for (int k = 0; k < r->width; k++) {
      double x = cell(r, k, i);
      fwrite(&x, sizeof x, 1, out);
    }
  if (fclose(out)) perror(path), exit(1);
}

static void drop(struct result *r) {
  for (int k = 0; k < r->width; k++) free(r->column[k].data), free(r->column[k].offsets);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * t.tv_sec + t.tv_nsec;
}

static const struct query *find(const char *name) {
  const struct query *rooms[] = {tpch, pipelines, numbers, words};
  for (int k = 0; k < 4; k++)
    for (const struct query *q = rooms[k]; q->name; q++)
      if (!strcmp(q->name, name)) return q;
  return 0;
}

int main(int argc, char **argv) {
  char line[8192];
  if (argc != 2) return fprintf(stderr, "usage: peer DIRECTORY\n"), 2;
  dir = argv[1];
  while (fgets(line, sizeof line, stdin)) {
    strtok(line, "\t"); /* the table: a query knows its own */
    char *name = strtok(0, "\t"), *runs = strtok(0, "\t"), *path = strtok(0, "\t\n");
    const struct query *q = name ? find(name) : 0;
    if (!q || !path) {
      printf("error no query %s\n", name ? name : "");
      fflush(stdout);
      continue;
    }
    q->load();
    double best = 0;
    for (int k = 0, n = atoi(runs); k < n; k++) {
      struct result r = {0};
      double start = now();
      q->run(&r);
      double t = now() - start;
      if (k == 0 || t < best) best = t;
      if (k == n - 1 && strcmp(path, "-")) write(&r, path);
      drop(&r);
    }
    printf("ok %.0f\n", best);
    fflush(stdout);
  }
  return 0;
}
