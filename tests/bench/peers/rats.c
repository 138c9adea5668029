/* The log density of the Rats model as one would write it by hand: intercepts and
   slopes of 30 rats weighed at 5 ages. Build: clang -O3 -march=native -ffast-math
   -fveclib=libmvec rats.c -lm. Prints the density and the time of one in ns. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 30, T = 5 };

/* By rat, and by age within a rat. */
static const double Y[N][T] = {
    {151, 199, 246, 283, 320},
    {145, 199, 249, 293, 354},
    {147, 214, 263, 312, 328},
    {155, 200, 237, 272, 297},
    {135, 188, 230, 280, 323},
    {159, 210, 252, 298, 331},
    {141, 189, 231, 275, 305},
    {159, 201, 248, 297, 338},
    {177, 236, 285, 350, 376},
    {134, 182, 220, 260, 296},
    {160, 208, 261, 313, 352},
    {143, 188, 220, 273, 314},
    {154, 200, 244, 289, 325},
    {171, 221, 270, 326, 358},
    {163, 216, 242, 281, 312},
    {160, 207, 248, 288, 324},
    {142, 187, 234, 280, 316},
    {156, 203, 243, 283, 317},
    {157, 212, 259, 307, 336},
    {152, 203, 246, 286, 321},
    {154, 205, 253, 298, 334},
    {139, 190, 225, 267, 302},
    {146, 191, 229, 272, 302},
    {157, 211, 250, 285, 323},
    {132, 185, 237, 286, 331},
    {160, 207, 257, 303, 345},
    {169, 216, 261, 295, 333},
    {157, 205, 248, 289, 316},
    {137, 180, 219, 258, 291},
    {153, 200, 244, 286, 324},
};
static const double x[T] = {8, 15, 22, 29, 36};
static const double xbar = 22;

struct point {
  double alpha[N], beta[N], alpha_c, beta_c, tau_c, alpha_tau, beta_tau;
};

static double normal(double d, double tau) { return -0.5 * tau * d * d; }

/* dgamma(0.001, 0.001): r log(lambda) - lgamma(r) is a number. */
static double gamma_lp(double v) {
  const double r = 1e-3, lambda = 1e-3, front = -6.914086640662837;
  return front + (r - 1) * log(v) - lambda * v;
}

__attribute__((noinline)) double density(const struct point *p) {
  const double log2pi = 1.83787706640934548356;
  double lp = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < T; j++)
      lp += normal(Y[i][j] - (p->alpha[i] + p->beta[i] * (x[j] - xbar)), p->tau_c);
  lp += 0.5 * N * T * (log(p->tau_c) - log2pi);
  for (int i = 0; i < N; i++)
    lp += normal(p->alpha[i] - p->alpha_c, p->alpha_tau) + normal(p->beta[i] - p->beta_c, p->beta_tau);
  lp += 0.5 * N * (log(p->alpha_tau) + log(p->beta_tau) - 2 * log2pi);
  lp += normal(p->alpha_c, 1e-6) + normal(p->beta_c, 1e-6) + log(1e-6) - log2pi;
  return lp + gamma_lp(p->tau_c) + gamma_lp(p->alpha_tau) + gamma_lp(p->beta_tau);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * t.tv_sec + t.tv_nsec;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100000;
  struct point p = {.alpha_c = 150, .beta_c = 10, .tau_c = 1, .alpha_tau = 1, .beta_tau = 1};
  for (int i = 0; i < N; i++) p.alpha[i] = 250, p.beta[i] = 6;
  double first = density(&p), best = 0, sum = 0;
  struct point *volatile q = &p; /* so that no call is the same as the last */
  for (int run = 0; run < 7; run++) {
    double start = now();
    for (int k = 0; k < n; k++) sum += density(q);
    double t = (now() - start) / n;
    if (run == 0 || t < best) best = t;
  }
  printf("%.17g %.3f %g\n", first, best, sum);
  return 0;
}
