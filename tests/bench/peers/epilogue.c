// epilogue: C = the greater of 0 and A B + a row, f32: OpenBLAS, and a loop after it, as often as said, on one core.
// Usage: epilogue M N K REPETITIONS; prints the seconds of all and a sum over C.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { row_major = 101, as_it_is = 111 };
typedef void sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static float *array(size_t n, int by, int mod, int less) {
	float *x = aligned_alloc(64, (n * 4 + 63) / 64 * 64);
	for (size_t i = 0; i < n; i++) x[i] = (float)((int)(i * by % mod) - less);
	return x;
}

static void finish(float *restrict c, const float *restrict bias, size_t m, size_t n) {
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			float x = c[i * n + j] + bias[j];
			c[i * n + j] = x > 0 ? x : 0;
		}
}

int main(int argc, char **argv) {
	if (argc != 5) return 2;
	int m = atoi(argv[1]), n = atoi(argv[2]), k = atoi(argv[3]), repetitions = atoi(argv[4]);
	void *blas = dlopen("libopenblas.so.0", RTLD_NOW);
	sgemm *gemm = blas ? (sgemm *)dlsym(blas, "cblas_sgemm") : NULL;
	if (!gemm) { fprintf(stderr, "%s\n", dlerror()); return 3; }
	float *a = array((size_t)m * k, 7, 11, 5), *b = array((size_t)k * n, 5, 7, 3), *bias = array(n, 3, 5, 3), *c = array((size_t)m * n, 1, 2, 0);
	double t = 0;
	for (int once = 0; once < 2; once++) { // the first time for its memory and threads
		t = now();
		for (int r = 0; r < (once ? repetitions : 1); r++) {
			gemm(row_major, as_it_is, as_it_is, m, n, k, 1, a, k, b, n, 0, c, n);
			finish(c, bias, m, n);
		}
		t = now() - t;
	}
	double sum = 0;
	for (size_t i = 0; i < (size_t)m * n; i++) sum += c[i] * (double)(1 + i % 7);
	printf("%.9f %.17g\n", t, sum);
	return 0;
}
