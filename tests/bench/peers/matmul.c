// matmul: C = BETA C + A B by OpenBLAS, as often as said, on one core or some. Usage: matmul M N K f32|f64 REPETITIONS BETA
// prints the seconds of all, a sum over C, and what OpenBLAS says of itself.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { row_major = 101, as_it_is = 111 };
typedef void dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
typedef void sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int left(int i, int k) { return (i * 3 + k * 5) % 11 - 5; }
static int right(int k, int j) { return (k * 7 + j * 2) % 13 - 6; }

#define RUN(type, gemm) do { \
	type *a = aligned_alloc(64, (sizeof(type) * m * k + 63) / 64 * 64), *b = aligned_alloc(64, (sizeof(type) * k * n + 63) / 64 * 64), *c = aligned_alloc(64, (sizeof(type) * m * n + 63) / 64 * 64); \
	for (int i = 0; i < m; i++) for (int l = 0; l < k; l++) a[(size_t)i * k + l] = left(i, l); \
	for (int l = 0; l < k; l++) for (int j = 0; j < n; j++) b[(size_t)l * n + j] = right(l, j); \
	memset(c, 0, sizeof(type) * m * n); \
	double t = now(); \
	for (int r = 0; r < repetitions; r++) gemm(row_major, as_it_is, as_it_is, m, n, k, 1, a, k, b, n, beta, c, n); \
	t = now() - t; \
	double sum = 0; \
	for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) sum += c[(size_t)i * n + j] * (1 + (i + 3 * j) % 7); \
	printf("%.9f %.17g %s\n", t, sum, name()); \
} while (0)

int main(int argc, char **argv) {
	if (argc != 7) return 2;
	int m = atoi(argv[1]), n = atoi(argv[2]), k = atoi(argv[3]), repetitions = atoi(argv[5]), beta = atoi(argv[6]);
	void *blas = dlopen("libopenblas.so.0", RTLD_NOW);
	if (!blas) { fprintf(stderr, "%s\n", dlerror()); return 3; }
	char *(*name)(void) = (char *(*)(void))dlsym(blas, "openblas_get_config");
	if (!strcmp(argv[4], "f64")) {
		dgemm *gemm = (dgemm *)dlsym(blas, "cblas_dgemm");
		RUN(double, gemm);
	} else {
		sgemm *gemm = (sgemm *)dlsym(blas, "cblas_sgemm");
		RUN(float, gemm);
	}
	return 0;
}
