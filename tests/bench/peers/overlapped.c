// overlapped: jacobi-2d, as KERNEL has it, in overlapped tiles: each of HIGH by WIDE elements is brought into buffers with STEPS
// more on all sides, and goes through as many sweeps, an even number, each of which computes one less of them. THREADS share the tiles. It prints what
// that file does.
#include "../../polybench/testdata/pb.h"
#include <pthread.h>

#define kernel loops
#include KERNEL
#undef kernel

enum { rows = HIGH + 2 * STEPS, columns = WIDE + 2 * STEPS };
typedef double matrix[N][N];
typedef double buffer[rows][columns];
static matrix other;
static pthread_barrier_t all;

static int most(int x, int y) { return x > y ? x : y; }
static int least(int x, int y) { return x < y ? x : y; }

static void tile(buffer *in, matrix *from, matrix *to, int i0, int j0) {
	int low = most(0, i0 - STEPS), high = least(N, i0 + HIGH + STEPS), left = most(0, j0 - STEPS), right = least(N, j0 + WIDE + STEPS);
	int di = i0 - STEPS, dj = j0 - STEPS; // where element (0, 0) of the buffers is
	for (int i = low; i < high; i++) {
		memcpy(&in[0][i - di][left - dj], &(*from)[i][left], (right - left) * sizeof(double));
		if (i == 0 || i == N - 1) memcpy(&in[1][i - di][left - dj], &B[i][left], (right - left) * sizeof(double)); // the rim stays
		in[1][i - di][left - dj] = B[i][left];
		in[1][i - di][right - 1 - dj] = B[i][right - 1];
	}
	for (int s = 1; s <= STEPS; s++) {
		buffer *a = &in[(s + 1) % 2], *b = &in[s % 2];
		int from_i = most(1, i0 - STEPS + s) - di, to_i = least(N - 1, i0 + HIGH + STEPS - s) - di;
		int from_j = most(1, j0 - STEPS + s) - dj, to_j = least(N - 1, j0 + WIDE + STEPS - s) - dj;
		for (int i = from_i; i < to_i; i++)
			for (int j = from_j; j < to_j; j++)
				(*b)[i][j] = 0.2 * ((*a)[i][j] + (*a)[i][j - 1] + (*a)[i][j + 1] + (*a)[i + 1][j] + (*a)[i - 1][j]);
	}
	int end = least(N - 1, j0 + WIDE), begin = most(1, j0);
	for (int i = most(1, i0); i < least(N - 1, i0 + HIGH); i++)
		memcpy(&(*to)[i][begin], &in[STEPS % 2][i - di][begin - dj], (end - begin) * sizeof(double));
}

static void *sweep(void *of) {
	long thread = (long)of;
	buffer *in = aligned_alloc(64, (2 * sizeof(buffer) + 63) / 64 * 64);
	for (int t = 0; t < 2 * T / STEPS; t++) {
		for (int n = thread; n * HIGH < N; n += THREADS)
			for (int j = 0; j < N; j += WIDE) tile(in, t % 2 ? &other : &A, t % 2 ? &A : &other, n * HIGH, j);
		pthread_barrier_wait(&all);
	}
	free(in);
	return NULL;
}

void kernel(void) {
	pthread_t threads[THREADS];
	if (STEPS % 2 || T % STEPS) exit(2);
	memcpy(other, A, sizeof other);
	pthread_barrier_init(&all, NULL, THREADS);
	for (long i = 1; i < THREADS; i++) pthread_create(&threads[i], NULL, sweep, (void *)i);
	sweep(0);
	for (long i = 1; i < THREADS; i++) pthread_join(threads[i], NULL);
}
