// A sweep of collapsed Gibbs sampling for latent Dirichlet allocation (Griffiths and Steyvers,
// "Finding scientific topics", PNAS 2004). "naive" counts all words for each weight; "manual" is the
// sampler as it is written by hand: it keeps the counts, and a word leaves them before its topic is
// drawn and comes back with the new one.
#include "sdr.h"
static int W, K, D, V, *Z0, *doc, *word;
static double *u, alpha = 0.5, beta = 0.125;

static void alloc_out(out_t *o)
{
	o->nz = W + (size_t)(D + V + 1) * K; // Z1, ND, NW, NK
	o->z = IA(o->nz);
	o->nv = 0;
	o->v = DA(0);
}

static void gen(void)
{
	u = DA(W), Z0 = IA(W), doc = IA(W), word = IA(W);
	for (int i = 0; i < W; i++) {
		u[i] = u01(1, i);
		Z0[i] = uint_(2, i, K);
		doc[i] = uint_(3, i, D);
		word[i] = u01(4, i) * u01(5, i) * V; // some words are frequent
	}
}

// draw is the number of weights whose sum up to there is no more than a uniform part of all.
static int draw(const double *weights, double *sums, double uniform)
{
	double sum = 0;
	for (int k = 0; k < K; k++)
		sums[k] = sum += weights[k];
	int z = 0;
	for (int k = 0; k < K - 1; k++)
		z += sums[k] <= uniform * sums[K - 1];
	return z;
}

static void tables(const int *Z, int *nd, int *nw, int *nk)
{
	for (int i = 0; i < W; i++)
		nd[doc[i] * K + Z[i]]++, nw[word[i] * K + Z[i]]++, nk[Z[i]]++;
}

static NI void naive(out_t *o)
{
	int *Z1 = o->z, *nd = Z1 + W, *nw = nd + D * K, *nk = nw + V * K;
	double *p = DA(K), *q = DA(K);
	for (int i = 0; i < W; i++) {
		for (int k = 0; k < K; k++) {
			int d = 0, w = 0, all = 0;
			for (int j = 0; j < W; j++)
				if (j != i && (j < i ? Z1[j] : Z0[j]) == k)
					d += doc[j] == doc[i], w += word[j] == word[i], all++;
			p[k] = (d + alpha) * (w + beta) / (all + V * beta);
		}
		Z1[i] = draw(p, q, u[i]);
	}
	memset(nd, 0, sizeof(int) * (D + V + 1) * K);
	tables(Z1, nd, nw, nk);
	free(p), free(q);
}

static NI void manual(out_t *o)
{
	int *Z1 = o->z, *nd = Z1 + W, *nw = nd + D * K, *nk = nw + V * K;
	double *p = DA(K), *q = DA(K);
	memset(nd, 0, sizeof(int) * (D + V + 1) * K);
	tables(Z0, nd, nw, nk);
	for (int i = 0; i < W; i++) {
		int *d = nd + doc[i] * K, *w = nw + word[i] * K, z = Z0[i];
		d[z]--, w[z]--, nk[z]--;
		for (int k = 0; k < K; k++)
			p[k] = (d[k] + alpha) * (w[k] + beta) / (nk[k] + V * beta);
		Z1[i] = z = draw(p, q, u[i]);
		d[z]++, w[z]++, nk[z]++;
	}
	free(p), free(q);
}

int main(int c, char **v)
{
	W = argi(c, v, 2, 300), K = argi(c, v, 3, 7), D = argi(c, v, 4, 10), V = argi(c, v, 5, 20);
	gen();
	mode_t_ m[] = {{"naive", naive}, {"manual", manual}};
	return drive("collapsed LDA", c > 1 ? v[1] : "check", m, 2, reps_());
}
