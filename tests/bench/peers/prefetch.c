// prefetch: loops over rows as vectors of 512 bits, with hints for the lines some bytes ahead and without. It prints the time without, and
// what that takes with hints, for arrays of several sizes: clang-19 -O3 -march=native -ffast-math prefetch.c && ./a.out
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LOAD _mm512_loadu_pd
#define HINT(p) __builtin_prefetch(p, 0, 3)
#define ROW 4096
typedef __m512d vec;

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }

// Each takes an array a of n elements and others; AHEAD is how many elements a hint is ahead, 0 for none.
#define LOOPS(AHEAD) \
static double sum##AHEAD(const double *a, const double *x, double *y, long n) { \
	vec s[4] = {0}; \
	for (long i = 0; i < n; i += 32) for (int q = 0; q < 4; q++) { if (AHEAD) HINT(a + i + 8 * q + AHEAD); s[q] += LOAD(a + i + 8 * q); } \
	return _mm512_reduce_add_pd(s[0] + s[1] + s[2] + s[3]); } \
static double dot##AHEAD(const double *a, const double *x, double *y, long n) { \
	vec s[4] = {0}; \
	for (long i = 0; i < n; i += 32) for (int q = 0; q < 4; q++) { if (AHEAD) { HINT(a + i + 8 * q + AHEAD); HINT(x + i + 8 * q + AHEAD); } s[q] += LOAD(a + i + 8 * q) * LOAD(x + i + 8 * q); } \
	return _mm512_reduce_add_pd(s[0] + s[1] + s[2] + s[3]); } \
static double saxpy##AHEAD(const double *a, const double *x, double *y, long n) { \
	for (long i = 0; i < n; i += 32) for (int q = 0; q < 32; q += 8) { if (AHEAD) { HINT(a + i + q + AHEAD); HINT(y + i + q + AHEAD); } _mm512_storeu_pd(y + i + q, LOAD(y + i + q) + 1.5 * LOAD(a + i + q)); } \
	return y[0]; } \
static double rows##AHEAD(const double *a, const double *x, double *y, long n) { /* a matrix by a vector */ \
	for (long r = 0; r < n / ROW; r++) { \
		vec s[4] = {0}; \
		for (long j = 0; j < ROW; j += 32) for (int q = 0; q < 4; q++) { const double *b = a + r * ROW + j + 8 * q; if (AHEAD) HINT(b + AHEAD); s[q] += LOAD(b) * LOAD(x + j + 8 * q); } \
		y[r] = _mm512_reduce_add_pd(s[0] + s[1] + s[2] + s[3]); } \
	return y[0]; } \
static double columns##AHEAD(const double *a, const double *x, double *y, long n) { /* its transpose by one, four rows at once */ \
	for (long r = 0; r < n / ROW; r += 4) for (long j = 0; j < ROW; j += 8) { \
		vec s = LOAD(y + j); \
		for (int q = 0; q < 4; q++) { const double *b = a + (r + q) * ROW + j; if (AHEAD) HINT(b + AHEAD); s += LOAD(b) * x[r + q]; } \
		_mm512_storeu_pd(y + j, s); } \
	return y[0]; }

LOOPS(0)
LOOPS(128)
LOOPS(256)
LOOPS(1024)

typedef double loop(const double *, const double *, double *, long);
#define ALL(name) {#name, {name##0, name##128, name##256, name##1024}}
static const struct { const char *name; loop *of[4]; } loops[] = {ALL(sum), ALL(dot), ALL(saxpy), ALL(rows), ALL(columns)};

int main(void) {
	enum { most = 16 << 20, room = 65536, turns = 5 };
	double *a = aligned_alloc(4096, most * 8 + room), *x = aligned_alloc(4096, most * 8 + room), *y = aligned_alloc(4096, most * 8 + room);
	for (long i = 0; i < most; i++) { a[i] = i % 7; x[i] = i % 5; y[i] = 0; }
	volatile double kept = 0;
	long sizes[] = {16 << 10, 256 << 10, 1 << 20, most};
	for (int z = 0; z < 4; z++)
		for (int l = 0; l < 5; l++) {
			double best[4] = {1e9, 1e9, 1e9, 1e9};
			for (int turn = 0; turn < turns; turn++)
				for (int v = 0; v < 4; v++) {
					double t = now();
					for (long r = 0; r < 2 * most / sizes[z]; r++) kept += loops[l].of[v](a, x, y, sizes[z]);
					if ((t = now() - t) < best[v]) best[v] = t;
				}
			printf("%9ld bytes, %-8s %8.2f ms, with hints 1 KB ahead %.2f, 2 KB %.2f, 8 KB %.2f\n", sizes[z] * 8, loops[l].name, best[0] * 1e3, best[1] / best[0], best[2] / best[0], best[3] / best[0]);
		}
	return 0;
}
