// conv: a convolution of N numbers with K weights and a relu, in one loop, as often as said. Usage: conv N K REPETITIONS
// prints the least seconds of one, and a sum over what came of it.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

#define CONV(K) \
	__attribute__((noinline)) static void conv##K(long n, const float *restrict in, const float *restrict w, float *restrict out) { \
		for (long i = 0; i < n - K + 1; i++) { \
			float sum = 0; \
			for (int k = 0; k < K; k++) sum += in[i + k] * w[k]; \
			out[i] = sum > 1.35f ? sum : 0; \
		} \
	}

CONV(3)
CONV(9)

int main(int argc, char **argv) {
	if (argc != 4) return 2;
	long n = atol(argv[1]), k = atol(argv[2]), times = atol(argv[3]);
	float *in = aligned_alloc(64, 4 * n + 64), *out = aligned_alloc(64, 4 * n + 64), w[9];
	for (long i = 0; i < n; i++) in[i] = i * 7919 % 1001 / 500.0f - 1, out[i] = 0;
	for (long i = 0; i < k; i++) w[i] = i % 3 * 0.5f - 0.25f;
	double least = 1e9;
	for (long r = 0; r < times; r++) {
		double t = now();
		if (k == 3) conv3(n, in, w, out);
		else conv9(n, in, w, out);
		t = now() - t;
		if (t < least) least = t;
	}
	double sum = 0;
	for (long i = 0; i < n; i++) sum += out[i];
	printf("%.9f %.17g\n", least, sum);
	return 0;
}
