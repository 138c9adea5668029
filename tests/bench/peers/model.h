/* What the C versions of BUGS models share. The bench writes data.h from the
   model's data: an array for each variable that is data (dots become underscores),
   `struct point` with the variables that have parameters, `inits`, and REPEAT. A
   version defines setup, which may precompute what depends on data alone, and
   density. Prints the density and the best time of one in ns. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "data.h"

#define PI 3.14159265358979323846
#define LOG2PI 1.83787706640934548356

static void setup(void);
static double density(const struct point *p) __attribute__((noinline));

static inline double normal(double d, double tau) { return -0.5 * tau * d * d; }

/* The part of a normal density that its value does not change. */
static inline double front(double tau) { return 0.5 * (log(tau) - LOG2PI); }

static inline double gamma_lp(double v, double r, double lambda) {
  return r * log(lambda) - lgamma(r) + (r - 1) * log(v) - lambda * v;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * t.tv_sec + t.tv_nsec;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  static struct point *volatile q = &inits; /* so that no call is the same as the last */
  setup();
  double first = density(q), best = 0, sum = 0;
  for (int run = 0; run < 100; run++) { /* the best of many short runs: others use the machine too */
    double start = now();
    for (int k = 0; k < n; k++) sum += density(q);
    double t = (now() - start) / n;
    if (run == 0 || t < best) best = t;
  }
  printf("%.17g %.3f %g\n", first, best, sum);
  return 0;
}
