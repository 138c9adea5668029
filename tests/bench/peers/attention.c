// attention: what networks do between products of matrices, and attention, by hand: functions of libmvec in vectors of 512 bits, products by
// oneDNN. Usage: attention WHAT SIZES... REPETITIONS; prints the seconds of all, a weighted sum over the result.
#include <dnnl.h>
#include <immintrin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef __m512 vec;
vec _ZGVeN16v_expf(vec);
vec _ZGVeN16v_tanhf(vec);

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static float *array(size_t n, int seed) {
	float *x = aligned_alloc(64, (n * 4 + 63) / 64 * 64);
	for (size_t i = 0; i < n; i++) x[i] = (float)((i * 7919 + seed) % 1001) / 500 - 1;
	return x;
}

static __mmask16 some(size_t n) { return n >= 16 ? 0xffff : (1u << n) - 1; }

// softmax makes y the softmax of a row times scale; the row may be y.
static void softmax(float *y, const float *x, size_t n, float scale) {
	vec m = _mm512_set1_ps(-INFINITY), s = _mm512_setzero_ps(), k = _mm512_set1_ps(scale);
	for (size_t i = 0; i < n; i += 16) m = _mm512_mask_max_ps(m, some(n - i), m, _mm512_maskz_loadu_ps(some(n - i), x + i));
	m = _mm512_set1_ps(_mm512_reduce_max_ps(m) * scale);
	for (size_t i = 0; i < n; i += 16) {
		vec e = _ZGVeN16v_expf(_mm512_fmsub_ps(_mm512_maskz_loadu_ps(some(n - i), x + i), k, m));
		_mm512_mask_storeu_ps(y + i, some(n - i), e);
		s = _mm512_mask_add_ps(s, some(n - i), s, e);
	}
	vec d = _mm512_set1_ps(1 / _mm512_reduce_add_ps(s));
	for (size_t i = 0; i < n; i += 16) _mm512_mask_storeu_ps(y + i, some(n - i), _mm512_mul_ps(d, _mm512_maskz_loadu_ps(some(n - i), y + i)));
}

static void layer_norm(float *y, const float *x, const float *g, const float *b, size_t n) {
	vec s = _mm512_setzero_ps(), q = s;
	for (size_t i = 0; i < n; i += 16) s = _mm512_add_ps(s, _mm512_maskz_loadu_ps(some(n - i), x + i));
	vec m = _mm512_set1_ps(_mm512_reduce_add_ps(s) / n);
	for (size_t i = 0; i < n; i += 16) {
		vec d = _mm512_maskz_sub_ps(some(n - i), _mm512_maskz_loadu_ps(some(n - i), x + i), m);
		q = _mm512_fmadd_ps(d, d, q);
	}
	vec r = _mm512_set1_ps(1 / sqrtf(_mm512_reduce_add_ps(q) / n + 1e-5f));
	for (size_t i = 0; i < n; i += 16) {
		__mmask16 k = some(n - i);
		vec d = _mm512_mul_ps(_mm512_sub_ps(_mm512_maskz_loadu_ps(k, x + i), m), r);
		_mm512_mask_storeu_ps(y + i, k, _mm512_fmadd_ps(d, _mm512_maskz_loadu_ps(k, g + i), _mm512_maskz_loadu_ps(k, b + i)));
	}
}

// gelu makes y = r + gelu(x + b) of a row, gelu with tanh.
static void gelu(float *y, const float *x, const float *b, const float *r, size_t n) {
	vec half = _mm512_set1_ps(0.5f), one = _mm512_set1_ps(1), c = _mm512_set1_ps(0.7978845608f), d = _mm512_set1_ps(0.044715f);
	for (size_t i = 0; i < n; i += 16) {
		__mmask16 k = some(n - i);
		vec v = _mm512_add_ps(_mm512_maskz_loadu_ps(k, x + i), _mm512_maskz_loadu_ps(k, b + i));
		vec t = _ZGVeN16v_tanhf(_mm512_mul_ps(_mm512_mul_ps(c, v), _mm512_fmadd_ps(_mm512_mul_ps(v, v), d, one)));
		_mm512_mask_storeu_ps(y + i, k, _mm512_fmadd_ps(_mm512_mul_ps(half, v), _mm512_add_ps(one, t), _mm512_maskz_loadu_ps(k, r + i)));
	}
}

// attention of one head of n by d numbers: rows at a time, whose scores stay in the second cache.
static void attention(float *o, const float *q, const float *k, const float *v, float *scores, size_t n, size_t d, size_t rows) {
	for (size_t i = 0; i < n; i += rows) {
		size_t m = n - i < rows ? n - i : rows;
		dnnl_sgemm('N', 'T', m, n, d, 1, q + i * d, d, k, d, 0, scores, n);
		for (size_t r = 0; r < m; r++) softmax(scores + r * n, scores + r * n, n, 1 / sqrtf(d));
		dnnl_sgemm('N', 'N', m, d, n, 1, scores, n, v, d, 0, o + i * d, d);
	}
}

int main(int argc, char **argv) {
	if (argc < 5) return 2;
	size_t m = atoi(argv[2]), n = atoi(argv[3]), repetitions = atoi(argv[argc - 1]), d = 64;
	double t = 0;
	int is_attention = !strcmp(argv[1], "attention");
	size_t size = is_attention ? m * n * d : m * n;
	float *x = array(size, 1), *a = array(size, 2), *b = array(size, 3), *y = array(size, 4), *scores = array(n * n, 0);
	for (size_t once = 0; once < 2; once++) { // the first time to warm up
		t = now();
		for (size_t r = 0; r < (once ? repetitions : 1); r++) {
			if (is_attention) {
				size_t rows = argc > 5 ? atoi(argv[4]) : n;
				for (size_t h = 0; h < m; h++) attention(y + h * n * d, x + h * n * d, a + h * n * d, b + h * n * d, scores, n, d, rows);
			} else if (!strcmp(argv[1], "softmax"))
				for (size_t i = 0; i < m; i++) softmax(y + i * n, x + i * n, n, 1);
			else if (!strcmp(argv[1], "layer_norm"))
				for (size_t i = 0; i < m; i++) layer_norm(y + i * n, x + i * n, a, b, n);
			else
				for (size_t i = 0; i < m; i++) gelu(y + i * n, x + i * n, a, b + i * n, n);
		}
		t = now() - t;
	}
	double sum = 0;
	for (size_t i = 0; i < size; i++) sum += y[i] * (1 + i % 7);
	printf("%.9f %.17g\n", t, sum);
	return 0;
}
