// plain: nine small loops, as often as said. Usage: plain NAME N REPETITIONS
// prints the seconds of all, and a sum over what came of it.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOOP __attribute__((noinline)) static void

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

LOOP saxpy(long n, const float *restrict x, float *restrict y) {
	for (long i = 0; i < n; i++) y[i] += 0.5f * x[i];
}

LOOP dot(long n, const double *restrict x, const double *restrict y, double *restrict z) {
	double s = 0;
	for (long i = 0; i < n; i++) s += x[i] * y[i];
	z[0] += s;
}

LOOP sum(long n, const double *restrict x, double *restrict z) {
	double s = 0;
	for (long i = 0; i < n; i++) s += x[i];
	z[0] += s;
}

LOOP stencil(long n, const double *restrict x, double *restrict y) {
	for (long i = 1; i < n - 1; i++) y[i] = (x[i - 1] + x[i] + x[i + 1]) * 0.3333;
}

LOOP matvec(long n, const double *restrict x, const double *restrict a, double *restrict y) {
	for (long i = 0; i < n; i++) {
		double s = 0;
		for (long j = 0; j < n; j++) s += a[i * n + j] * x[j];
		y[i] = s;
	}
}

LOOP mandelbrot(long n, const double *restrict x, int64_t *restrict y) {
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			double a = 0, b = 0, cx = x[j], cy = x[i];
			int64_t k = 0;
			while (a * a + b * b <= 4 && k < 200) {
				double t = a * a - b * b + cx;
				b = a * b + a * b + cy;
				a = t;
				k++;
			}
			y[i * n + j] = k;
		}
}

LOOP prefix(long n, const double *restrict x, double *restrict y) {
	double s = 0;
	for (long i = 0; i < n; i++) y[i] = s += x[i];
}

LOOP filter(long n, const double *restrict x, double *restrict y) {
	long k = 0;
	for (long i = 0; i < n; i++)
		if (x[i] < 500) y[k++] = x[i];
}

LOOP histogram(long n, const int32_t *restrict x, int64_t *restrict y) {
	for (long i = 0; i < n; i++) y[x[i]]++;
}

static uint32_t mixed(uint32_t i) {
	i = (i ^ 61) ^ (i >> 16);
	i *= 9;
	i ^= i >> 4;
	i *= 0x27d4eb2d;
	return i ^ (i >> 15);
}

static void *room(size_t n) {
	void *p = aligned_alloc(64, (n + 63) / 64 * 64);
	memset(p, 0, (n + 63) / 64 * 64);
	return p;
}

#define CHECK(y, n) for (long i = 0; i < (n); i++) s += (double)(y)[i] * (i % 7 + 1)

int main(int argc, char **argv) {
	if (argc != 4) return 2;
	const char *name = argv[1];
	long n = atol(argv[2]), times = atol(argv[3]), size = n;
	int square = !strcmp(name, "matvec"), points = !strcmp(name, "mandelbrot");
	double *x = room(8 * n), *y = room(8 * n), *a = square ? room(8 * n * n) : 0;
	float *fx = room(4 * n), *fy = room(4 * n);
	int32_t *keys = room(4 * n);
	int64_t *counts = room(8 * (points ? n * n : 256));
	double z[1] = {0}, s = 0;
	for (long i = 0; i < n; i++) {
		x[i] = points ? -2 + 3.0 * i / n : mixed(i) % 1000;
		y[i] = 0;
		fx[i] = mixed(i) % 1000;
		keys[i] = mixed(i) % 256;
	}
	if (!strcmp(name, "dot")) for (long i = 0; i < n; i++) y[i] = mixed(i + n) % 1000;
	for (long i = 0; square && i < n * n; i++) a[i] = mixed(i) % 1000;
	double t = now();
	for (long r = 0; r < times; r++) {
		if (!strcmp(name, "saxpy")) { saxpy(n, fx, fy); fx[r % 1000] = r; }
		else if (!strcmp(name, "dot")) { dot(n, x, y, z); x[r % 1000] = r; }
		else if (!strcmp(name, "sum")) { sum(n, x, z); x[r % 1000] = r; }
		else if (!strcmp(name, "stencil")) { stencil(n, x, y); x[r % 1000] = r; }
		else if (square) { matvec(n, x, a, y); x[r % 1000 % n] = r; }
		else if (points) { mandelbrot(n, x, counts); x[r % 1000 % n] += 1e-9; }
		else if (!strcmp(name, "prefix")) { prefix(n, x, y); x[r % 1000] = r; }
		else if (!strcmp(name, "filter")) { filter(n, x, y); x[r % 1000] = r; }
		else if (!strcmp(name, "histogram")) { histogram(n, keys, counts); keys[r % 1000] = r % 256; }
		else return 3;
	}
	t = now() - t;
	if (!strcmp(name, "saxpy")) CHECK(fy, size);
	else if (!strcmp(name, "dot") || !strcmp(name, "sum")) CHECK(z, 1);
	else if (points) CHECK(counts, n * n);
	else if (!strcmp(name, "histogram")) CHECK(counts, 256);
	else CHECK(y, size);
	printf("%.9f %.17g\n", t, s);
	return 0;
}
