// Instructions of whole warps, and copies that go on by themselves.
#include "warp.h"
#include <math.h>
#include <string.h>

void meets(thread *t, const insn *i) { t->state = MEETS, t->at = i; }

float half(uint32_t h) {
	uint32_t e = h >> 10 & 31, m = h & 1023;
	float x = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpf(1024 + m, (int)e - 25) : ldexpf(m, -24);
	return h & 0x8000 ? -x : x;
}

static float single(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }

static void shfl(thread *w, const insn *i) {
	uint32_t got[warpSize];
	int k = i->n - 4; // of the value: there may be a predicate before it
	for (int lane = 0; lane < warpSize; lane++) {
		int n = get(&w[lane], &i->a[k + 1]) & 31, from = n;
		if (has_mod(i, "bfly")) from = lane ^ n;
		if (has_mod(i, "up")) from = lane - n;
		if (has_mod(i, "down")) from = lane + n;
		if (from < 0 || from >= warpSize) from = lane;
		got[lane] = get(&w[from], &i->a[k]);
	}
	for (int lane = 0; lane < warpSize; lane++) w[lane].r[i->a[0].reg] = got[lane];
}

// mma: fragments as in the PTX ISA, "Matrix fragments for mma.m16n8k16" and ".m16n8k8".
static void mma(thread *w, const insn *i) {
	int whole = has_mod(i, "tf32"), each = whole ? 1 : 2, depth = 8 * each;
	static double a[16][16], b[16][8], d[16][8];
	for (int lane = 0; lane < warpSize; lane++) {
		int g = lane / 4, q = lane % 4;
		for (int k = 0; k < 4; k++) {
			uint32_t x = w[lane].r[i->a[1].list[k]], y = k < 2 ? w[lane].r[i->a[2].list[k]] : 0;
			for (int e = 0; e < each; e++) {
				uint32_t u = x >> 16 * e & 0xffff, v = y >> 16 * e & 0xffff;
				float p = whole ? single(x & ~8191u) : has_mod(i, "bf16") ? single(u << 16) : half(u);
				float s = whole ? single(y & ~8191u) : has_mod(i, "bf16") ? single(v << 16) : half(v);
				a[g + k % 2 * 8][each * q + e + k / 2 * 4 * each] = p;
				if (k < 2) b[each * q + e + k * 4 * each][g] = s;
			}
			d[g + k / 2 * 8][2 * q + k % 2] = single(w[lane].r[i->a[3].list[k]]);
		}
	}
	for (int r = 0; r < 16; r++)
		for (int c = 0; c < 8; c++)
			for (int k = 0; k < depth; k++) d[r][c] += a[r][k] * b[k][c];
	for (int lane = 0; lane < warpSize; lane++)
		for (int k = 0; k < 4; k++) {
			float f = d[lane / 4 + k / 2 * 8][lane % 4 * 2 + k % 2];
			uint32_t u;
			memcpy(&u, &f, 4);
			w[lane].r[i->a[0].list[k]] = u;
		}
}

static void ldmatrix(thread *w, const insn *i) {
	int tiles = has_mod(i, "x4") ? 4 : has_mod(i, "x2") ? 2 : 1;
	uint16_t m[4][8][8];
	for (int lane = 0; lane < 8 * tiles; lane++) {
		unsigned char *p = place(&w[lane], SHARED, address(&w[lane], &i->a[1]), 16);
		if (!p) return;
		memcpy(m[lane / 8][lane % 8], p, 16);
	}
	for (int lane = 0; lane < warpSize; lane++)
		for (int k = 0; k < tiles; k++) {
			int r = lane / 4, c = lane % 4 * 2, t = has_mod(i, "trans");
			uint32_t low = t ? m[k][c][r] : m[k][r][c], high = t ? m[k][c + 1][r] : m[k][r][c + 1];
			w[lane].r[i->a[0].kind == LIST ? i->a[0].list[k] : i->a[0].reg] = low | high << 16;
		}
}

int warp_runs(block *b, thread *threads, int n) {
	int runs = 0;
	for (thread *w = threads; w < threads + n && !b->err; w += warpSize) {
		int all = 1, some = 0;
		for (int k = 0; k < warpSize; k++) {
			int here = w + k < threads + n && w[k].state == MEETS && w[k].at == w[0].at;
			all &= here, some |= w + k < threads + n && w[k].state == MEETS;
		}
		if (!some) continue;
		if (!all) { b->err = launchFailed; break; } // real hardware would hang, or do anything
		if (!strcmp(w->at->root, "shfl")) shfl(w, w->at);
		else if (!strcmp(w->at->root, "mma")) mma(w, w->at);
		else ldmatrix(w, w->at);
		for (int k = 0; k < warpSize; k++) w[k].state = RUNS;
		runs = 1;
	}
	return runs;
}

void copy_async(thread *t, const insn *i) {
	if (has_mod(i, "commit_group")) {
		t->groups++;
		for (int k = 0; k < t->ncopies; k++)
			if (!t->copies[k].group) t->copies[k].group = t->groups;
		return;
	}
	if (has_mod(i, "wait_group")) {
		int left = 0, last = t->groups - (int)get(t, &i->a[0]);
		for (int k = 0; k < t->ncopies; k++) {
			copy *c = &t->copies[k];
			if (c->group && c->group <= last) memcpy(t->b->shared + c->at, c->data, c->n);
			else t->copies[left++] = *c;
		}
		t->ncopies = left;
		return;
	}
	if (t->ncopies == maxCopies) { t->b->err = launchFailed; return; }
	copy *c = &t->copies[t->ncopies++];
	int n = get(t, &i->a[2]), read = i->n > 3 ? (int)get(t, &i->a[3]) : n;
	*c = (copy){.at = address(t, &i->a[0]), .n = n};
	unsigned char *to = place(t, SHARED, c->at, n), *from = read ? place(t, GLOBAL, address(t, &i->a[1]), n) : to;
	if (!to || !from) return;
	memcpy(c->data, from, read);
	memset(to, 0xCD, n); // nothing is there until the thread has waited
}
