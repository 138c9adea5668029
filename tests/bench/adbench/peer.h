// What the peers in C have in common: they read the numbers of a problem from a file, find its derivatives once and write them to another, and
// then find them again for some seconds and print the least time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double *numbers(const char *name) {
  FILE *f = fopen(name, "rb");
  if (!f) exit(1);
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  rewind(f);
  double *x = (double *)aligned_alloc(64, (size + 127) / 64 * 64);
  if (fread(x, 1, size, f) != (size_t)size) exit(1);
  fclose(f);
  return x;
}

static void measure(void (*f)(void), const double *found, long n, const char *output, double seconds) {
  f();
  FILE *o = fopen(output, "wb");
  if (!o || fwrite(found, sizeof(double), n, o) != (size_t)n || fclose(o)) exit(1);
  double least = 1e300, start = now();
  for (int i = 0; i < 3 || now() - start < seconds; i++) {
    double t = now();
    f();
    t = now() - t;
    if (t < least) least = t;
  }
  printf("%.9g\n", least);
}
