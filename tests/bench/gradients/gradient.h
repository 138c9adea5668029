/* What the gradients by hand share: as peers/model.h, which makes the loop, for a function that gives the density and leaves its derivatives in a
   point. Prints the density, the best time of one in ns, and the derivatives in the order of the point. */
#define density once
#define main timed
#include "../peers/model.h"
#undef main

static struct point slopes;
static double gradient(const struct point *restrict p, struct point *restrict d);
static double once(const struct point *p) { return gradient(p, &slopes); }

/* digamma of a number above 0: its recurrence up to 6, and the asymptotic series there (Abramowitz and Stegun 6.3.18). */
static inline double digamma(double x) {
  double below = 0;
  for (; x < 6; x += 1) below += 1 / x;
  double u = 1 / (x * x);
  double series = u * (1.0 / 12 - u * (1.0 / 120 - u * (1.0 / 252 - u * (1.0 / 240 - u * (1.0 / 132 - u * (691.0 / 32760 - u * (1.0 / 12 - u * 3617.0 / 8160)))))));
  return log(x) - 0.5 / x - series - below;
}

int main(int argc, char **argv) {
  timed(argc, argv);
  for (unsigned i = 0; i < sizeof slopes / sizeof(double); i++) printf("%.17g\n", ((double *)&slopes)[i]);
}
