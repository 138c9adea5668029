// Prints what a benchmark is given and what a form of it ("naive", "opt" or "manual") computes from
// it, a line an array: its name, its kind, its elements. The mode is the form's name, or that behind
// "time:", which prints the processor time in seconds that it takes, the least of as many runs as
// take a tenth of a second, and of three. PEER is the benchmark's file, and PEER_ with its name is
// defined; the arguments are the benchmark's own.
#include "sdr.h"
static int dump(const char *bench, const char *mode, mode_t_ *m, int nm, int reps);
#define drive dump
#include PEER

static void floats(const char *name, const double *x, size_t n, size_t step)
{
	printf("%s f", name);
	for (size_t i = 0; i < n; i++)
		printf(" %a", x[i * step]);
	printf("\n");
}

static void ints(const char *name, const int *x, size_t n)
{
	printf("%s i", name);
	for (size_t i = 0; i < n; i++)
		printf(" %d", x[i]);
	printf("\n");
}

static double cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int dump(const char *bench, const char *mode, mode_t_ *m, int nm, int reps)
{
	out_t o;
	int timed = !strncmp(mode, "time:", 5), form = 0;
	(void)bench, (void)reps;
	mode += timed ? 5 : 0;
	while (form < nm && strcmp(m[form].name, mode))
		form++;
	if (form == nm) {
		fprintf(stderr, "no form %s\n", mode);
		return 2;
	}
	alloc_out(&o);
	if (timed) {
		double best = 1e99, sum = 0;
		for (int i = 0; i < 3 || sum < 0.1; i++) {
			double t = cpu();
			m[form].f(&o);
			t = cpu() - t;
			sum += t;
			best = t < best ? t : best;
		}
		printf("%.9g\n", best);
		return 0;
	}
	m[form].f(&o);
#if defined PEER_gmm_gs
	floats("obs", obs, N, 1), floats("u", u, N, 1), ints("Z0", Z0, N);
	ints("Z1", o.z, o.nz), floats("P", o.v, o.nv, 1);
#elif defined PEER_gmm_mh
	floats("obs", obs, N, 1), floats("lu", lu, N, 1), ints("Z0", Z0, N), ints("Zp", Zp, N);
	floats("mu", mu, K, 1), floats("lpi", lpi, K, 1), floats("pi", pi, K, 1);
	ints("Z1", o.z, o.nz), floats("LJ", o.v, o.nv, 1);
#elif defined PEER_gmm_lw
	floats("obs", obs, N, 1), floats("u", u, N, 1);
	floats("mu", mu, K, 1), floats("lpi", lpi, K, 1), floats("pi", pi, K, 1);
	ints("Z", o.z, o.nz), floats("Wt", o.v, o.nv, 1);
#elif defined PEER_lda_gs || defined PEER_lda_mh || defined PEER_lda_lw
	ints("D", &ND, 1), ints("V", &NA, 1);
	floats("th", th, ND * K, 1), floats("ph", ph, NA * K, 1), floats("u", u, W, 1), floats("u2", lu2, W, 1);
	ints("Z0", Z0, W), ints("doc", dc, W), ints("v", vc, W);
#ifdef PEER_lda_lw
	floats("lw", lw, NA * K, 1), floats("lg", lg, K, 1);
	ints("Z", o.z, o.nz), floats("Wt", o.v, o.nv, 1);
#else
	ints("Z1", o.z, o.nz), floats("S", o.v, o.nv, 1);
#endif
#elif defined PEER_dmm_gs || defined PEER_dmm_mh || defined PEER_dmm_lw
	floats("X", X, K * A, 1), floats("s", s, D, 1), floats("u", u, D, 1), floats("u2", u2, D, 1), floats("pi", pi, K, 1);
	ints("Z0", Z0, D), ints("doc", dc, W), ints("v", vc, W);
#if defined PEER_dmm_gs
	ints("Z1", o.z, o.nz), floats("lp", o.v, o.nv, 1);
#elif defined PEER_dmm_mh
	ints("Z1", o.z, o.nz), floats("Lc", o.v, D, 2), floats("Lp", o.v + 1, D, 2);
#else
	ints("Z", o.z, o.nz), floats("Lw", o.v, o.nv, 1);
#endif
#elif defined PEER_collapsed_lda
	floats("alpha", &alpha, 1, 1), floats("beta", &beta, 1, 1), floats("u", u, W, 1);
	ints("Z0", Z0, W), ints("doc", doc, W), ints("word", word, W), ints("Z1", o.z, W);
	ints("ND", o.z + W, (size_t)D * K), ints("NW", o.z + W + D * K, (size_t)V * K), ints("NK", o.z + W + (D + V) * K, K);
#elif defined PEER_lbp
	floats("phi", phi, H * Wd * K, 1), ints("best", o.z, o.nz), floats("b", o.v, o.nv, 1);
#elif defined PEER_coxph
	double *b = DA((T + 1) * K); // the first row, where Newton's method starts, is zero
	memcpy(b + K, o.v, o.nv * sizeof(double));
	floats("x", x, N * K, 1), floats("del", del, N, 1), floats("b", b, (T + 1) * K, 1);
#endif
	return 0;
}
