/* What the queries in C share: columns, which are read when a query asks for them
   first, and results. A query is timed alone, its allocations included. Sums are
   those of the language of the queries: in the order of the rows, but where a
   function allows reassociation; and without contraction, which no program asks for. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

/* Strings are bytes and where each begins; there is one offset more than strings. */
struct strings {
  const int64_t *offsets;
  const char *bytes;
};

/* A table in a directory, its columns in files: NAME.f64, .i64, .i32, .i8, and
   NAME.offsets with NAME.bytes for strings. */
const double *f64(const char *table, const char *name, int64_t *rows);
const int64_t *i64(const char *table, const char *name, int64_t *rows);
const int32_t *i32(const char *table, const char *name, int64_t *rows);
const int8_t *i8(const char *table, const char *name, int64_t *rows);
struct strings strings(const char *table, const char *name, int64_t *rows);

enum { WIDEST = 12 };

/* A result has rows and columns, each malloc'd. */
struct result {
  int64_t rows;
  int width;
  struct {
    char type; /* d double, l int64_t, b int8_t, i int32_t, s strings */
    void *data;
    int64_t *offsets;
  } column[WIDEST];
};

/* add makes the next column of a result, of r->rows elements of so many bytes. */
void *add(struct result *r, char type, size_t size);

/* A query loads what it reads (untimed), then runs. */
struct query {
  const char *name;
  void (*load)(void);
  void (*run)(struct result *);
};

extern const struct query tpch[], pipelines[], numbers[], words[]; /* a null name ends each */
