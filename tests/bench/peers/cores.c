// cores: what two cores of a machine allow, for loops of which irc's take more than 0.59 of the time of one: a thread more or
// less changes nothing but who does which rounds. Usage: cores KERNEL THREADS TURNS; it prints the least time in seconds of a turn.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define AL static __attribute__((aligned(64)))
static int threads;

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }

// A barrier at which threads spin, as irc's pool does for a while.
static int arrived, passed;
static void meet(void) {
	if (threads == 1) return;
	int round = __atomic_load_n(&passed, __ATOMIC_ACQUIRE);
	if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == threads) {
		arrived = 0;
		__atomic_store_n(&passed, round + 1, __ATOMIC_RELEASE);
		return;
	}
	while (__atomic_load_n(&passed, __ATOMIC_ACQUIRE) == round) __builtin_ia32_pause();
}

// from and to are the rounds of n that a thread does.
static long from(long n, int me) { return n * me / threads; }
static long to(long n, int me) { return n * (me + 1) / threads; }

// compute: multiplications and additions of what is in registers.
static volatile double sink[64];
static void compute(int me) {
	double x[64];
	for (int l = 0; l < 64; l++) x[l] = l;
	for (long i = from(20000000, me); i < to(20000000, me); i++)
		for (int l = 0; l < 64; l++) x[l] = x[l] * 0.999999 + 1e-9;
	for (int l = 0; l < 64; l++) sink[l] = x[l];
}

// read: sums of lines of a matrix, again and again, of some bytes; triad: two lines in, one out.
static double *a, *b, *c;
static long elements;
static void reads(int me) {
	double s = 0;
	for (long r = 0; r < (1L << 29) / elements; r++) {
		for (long i = from(elements, me); i < to(elements, me); i++) s += a[i];
		__asm__ volatile("" ::: "memory");
	}
	sink[me * 8] = s;
}
static void triad(int me) {
	for (long r = 0; r < (1L << 28) / elements; r++) {
		for (long i = from(elements, me); i < to(elements, me); i++) a[i] = b[i] + 3 * c[i];
		__asm__ volatile("" ::: "memory");
	}
}

// rounds: 200,000 meetings and nothing between them.
static void rounds(int me) { for (int i = 0; i < 200000; i++) meet(); }

// atax: each of eight parts of the rows has a line of sums, which are added up in order.
enum { M = 1900, N = 2100, PARTS = 8 };
AL double A[M][N], x[N], y[N], t[M], own[PARTS][N];
static void atax(int me) {
	for (int r = 0; r < 50; r++) {
		for (int p = from(PARTS, me); p < to(PARTS, me); p++) {
			memset(own[p], 0, sizeof own[p]);
			for (int i = M * p / PARTS; i < M * (p + 1) / PARTS; i++) {
				double s = 0;
				for (int j = 0; j < N; j++) s += A[i][j] * x[j];
				t[i] = s;
				for (int j = 0; j < N; j++) own[p][j] += A[i][j] * s;
			}
		}
		meet();
		for (int j = from(N, me); j < to(N, me); j++) {
			double s = 0;
			for (int p = 0; p < PARTS; p++) s += own[p][j];
			y[j] = s;
		}
		meet();
	}
}

// mvt: rows of the matrix for x1, and for x2 columns of it, some of each row.
static void mvt(int me) {
	for (int r = 0; r < 50; r++) {
		for (int i = from(M, me); i < to(M, me); i++) {
			double s = t[i];
			for (int j = 0; j < M; j++) s += A[i][j] * x[j];
			t[i] = s;
		}
		for (int i = 0; i < M; i++) {
			double s = x[i];
			for (int j = from(M, me); j < to(M, me); j++) y[j] += A[i][j] * s;
		}
		meet();
	}
}

// doitgen: a line of sums for each thread.
enum { Q = 140, R = 150, P = 160 };
AL double D[R][Q][P], C4[P][P], sums[64][P + 8];
static void doitgen(int me) {
	double *sum = sums[me];
	for (int r = from(R, me); r < to(R, me); r++)
		for (int q = 0; q < Q; q++) {
			memset(sum, 0, P * sizeof *sum);
			for (int s = 0; s < P; s++)
				for (int p = 0; p < P; p++) sum[p] += D[r][q][s] * C4[s][p];
			memcpy(D[r][q], sum, P * sizeof *sum);
		}
}

// seidel: tiles of rounds and rows, a wavefront after the other; rows of a tile are skewed by a row a round.
enum { T = 50, L = 2000, TILE = 16 };
AL double S[L][L];
static void seidelTile(int t0, int i0) {
	for (int t = t0; t < T && t < t0 + TILE; t++)
		for (int i = i0 - t; i < i0 - t + TILE; i++) {
			if (i < 1 || i >= L - 1) continue;
			for (int j = 1; j < L - 1; j++)
				S[i][j] = (S[i-1][j-1] + S[i-1][j] + S[i-1][j+1] + S[i][j-1] + S[i][j] + S[i][j+1] + S[i+1][j-1] + S[i+1][j] + S[i+1][j+1]) / 9.0;
		}
}
static void seidel(int me) {
	int tiles = (T + TILE - 1) / TILE, rows = (L + T + TILE - 1) / TILE;
	for (int w = 0; w < tiles + rows; w++) {
		for (int k = me; k < tiles; k += threads)
			if (w - k >= 0 && w - k < rows) seidelTile(k * TILE, (w - k) * TILE);
		meet();
	}
}

// lbp4: messages of pixels to their four neighbours, ten rounds; the arrays are made anew, as by the program.
enum { HIGH = 144, WIDE = 192, K = 16 };
AL double phi[HIGH][WIDE][K];
typedef double messages[HIGH][WIDE][4][K];
static messages *m;
static void lbp4(int me) {
	for (int r = 0; r < 10; r++) {
		messages *in = &m[r % 2], *out = &m[(r + 1) % 2];
		for (int i = from(HIGH, me); i < to(HIGH, me); i++)
			for (int j = 0; j < WIDE; j++)
				for (int d = 0; d < 4; d++) {
					double h[K], least = INFINITY;
					for (int k = 0; k < K; k++) {
						double s = phi[i][j][k];
						for (int e = 0; e < 4; e++) if (e != d) s += (*in)[i][j][e][k];
						h[k] = s;
					}
					for (int k = 0; k < K; k++) least = h[k] < least ? h[k] : least;
					int ni = i + (d == 2) - (d == 3), nj = j + (d == 0) - (d == 1);
					if (ni < 0 || ni >= HIGH || nj < 0 || nj >= WIDE) continue;
					double *to = (*out)[ni][nj][d ^ 1];
					for (int k = 0; k < K; k++) to[k] = (h[k] < least + 1.5 ? h[k] : least + 1.5) - least;
				}
		meet();
	}
}
static void makeMessages(void) { m = malloc(2 * sizeof *m); memset(m, 0, sizeof *m); }
static void dropMessages(void) { free(m); }

// touch: a page of memory that is new after the other.
static char *pages;
static void touch(int me) { for (long i = from(8192, me); i < to(8192, me); i++) pages[i * 4096] = 1; }
static void makePages(void) { pages = malloc(8192 * 4096); }
static void dropPages(void) { free(pages); }

static struct kernel { const char *name; void (*run)(int); void (*before)(void); void (*after)(void); } kernels[] = {
	{"compute", compute}, {"read", reads}, {"triad", triad}, {"rounds", rounds}, {"atax", atax}, {"mvt", mvt}, {"doitgen", doitgen}, {"seidel-2d", seidel},
	{"lbp4", lbp4, makeMessages, dropMessages}, {"touch", touch, makePages, dropPages},
};
static struct kernel *chosen;
static int turns;

static void fill(double *v, long n) { for (long i = 0; i < n; i++) v[i] = 1 + (i % 7) * 1e-3; }

static void *work(void *of) {
	for (int i = 0; i < turns; i++) { meet(); chosen->run((long)of); meet(); }
	return NULL;
}

int main(int argc, char **argv) {
	if (argc < 4) return 2;
	for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++) if (!strncmp(kernels[i].name, argv[1], strcspn(argv[1], ":"))) chosen = &kernels[i];
	threads = atoi(argv[2]), turns = atoi(argv[3]);
	if (!chosen || threads < 1 || threads > 8) return 2;
	if (strchr(argv[1], ':')) { // read:KiB
		elements = atol(strchr(argv[1], ':') + 1) * 128;
		a = aligned_alloc(64, elements * 8), b = aligned_alloc(64, elements * 8), c = aligned_alloc(64, elements * 8);
		fill(a, elements), fill(b, elements), fill(c, elements);
	}
	fill(&A[0][0], (long)M * N), fill(x, N), fill(&D[0][0][0], (long)R * Q * P), fill(&C4[0][0], P * P), fill(&S[0][0], (long)L * L), fill(&phi[0][0][0], (long)HIGH * WIDE * K);
	for (int i = 0; i < P * P; i++) C4[0][i] /= 200;
	pthread_t others[8];
	for (long i = 1; i < threads; i++) pthread_create(&others[i], NULL, work, (void *)i);
	double best = 1e300;
	for (int i = 0; i < turns; i++) {
		double start = now();
		if (chosen->before) chosen->before();
		meet();
		chosen->run(0);
		meet();
		if (chosen->after) chosen->after();
		double s = now() - start;
		if (s < best) best = s;
	}
	for (long i = 1; i < threads; i++) pthread_join(others[i], NULL);
	printf("%.9f\n", best);
	return 0;
}
