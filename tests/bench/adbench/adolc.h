// As peer.h, with ADOL-C (Walther and Griewank 2012): a tape is recorded once, outside of what is timed, and reversed for each gradient.
#include <adolc/adolc.h>
#include <vector>
#include "peer.h"

static short tape = 1;
static int inputs;
static double *point, *slope;
static void reverse_tape(void) { gradient(tape, inputs, point, slope); }

template <class F> static void gradient_of(F f, double *x, int n, const char *output, double seconds) {
  inputs = n, point = x, slope = new double[n];
  trace_on(tape, 0);
  std::vector<adouble> a(n);
  for (int i = 0; i < n; i++) a[i] <<= x[i];
  adouble y = f(a.data());
  double value;
  y >>= value;
  trace_off();
  measure(reverse_tape, slope, n, output, seconds);
}
