// The threads of the PTX machine: instructions and barriers.
#include "warp.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static float f32(uint64_t x) { uint32_t u = x; float f; memcpy(&f, &u, 4); return f; }
static double f64(uint64_t x) { double f; memcpy(&f, &x, 8); return f; }
static uint64_t of32(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static uint64_t of64(double f) { uint64_t u; memcpy(&u, &f, 8); return u; }
static int is_float(enum type t) { return t == F32 || t == F64; }
static int is_signed(enum type t) { return t >= S8 && t <= S64; }
// F64 holds every f32 exactly; results are rounded once where that is right.
static double fp(enum type t, uint64_t x) { return t == F32 ? f32(x) : f64(x); }
static uint64_t of(enum type t, double x) { return t == F32 ? of32((float)x) : of64(x); }

static uint64_t zero_extend(enum type t, uint64_t x) {
	int n = type_size(t);
	return t == PRED ? x & 1 : n < 8 ? x & ((1ull << 8 * n) - 1) : x;
}
static int64_t sign_extend(enum type t, uint64_t x) { int s = 64 - 8 * type_size(t); return (int64_t)(x << s) >> s; }
static uint64_t extend(enum type t, uint64_t x) { return is_signed(t) ? (uint64_t)sign_extend(t, x) : zero_extend(t, x); }

static uint64_t special(const thread *t, int k) {
	switch (k / 3) {
	case 0: return t->id[k % 3];
	case 1: return t->b->l->block[k % 3];
	case 2: return t->b->id[k % 3];
	case 3: return t->b->l->grid[k % 3];
	}
	return k == 12 ? t->number % 32 : t->number / 32;
}

uint64_t get(const thread *t, const operand *o) {
	uint64_t x = o->kind == REG ? t->r[o->reg] : o->kind == SREG ? special(t, o->reg) : o->imm;
	return o->negated ? !(x & 1) : x;
}
#define A(k) get(t, &i->a[k])
#define V(k) extend(i->type, A(k))
#define F(k) fp(i->type, A(k))
#define RUN(name) static void name(thread *t, const insn *i)

static void set(thread *t, const operand *o, uint64_t x) { if (o->kind == REG) t->r[o->reg] = x; }
static void result(thread *t, const insn *i, enum type ty, uint64_t x) { set(t, &i->a[0], zero_extend(ty, x)); }

RUN(mov) {
	if (i->a[0].kind == LIST) { // unpack
		int bits = 8 * type_size(i->type) / i->a[0].n;
		for (int k = 0; k < i->a[0].n; k++)
			if (i->a[0].list[k] >= 0) t->r[i->a[0].list[k]] = A(1) >> k * bits & ((1ull << bits) - 1);
		return;
	}
	if (i->a[1].kind == LIST) {
		int bits = 8 * type_size(i->type) / i->a[1].n;
		uint64_t x = 0;
		for (int k = 0; k < i->a[1].n; k++) x |= (t->r[i->a[1].list[k]] & ((1ull << bits) - 1)) << k * bits;
		result(t, i, i->type, x);
		return;
	}
	result(t, i, i->type, A(1));
}

RUN(cvta) {
	uint64_t w = i->space == SHARED ? sharedWindow : i->space == LOCAL ? localWindow : 0;
	result(t, i, i->type, has_mod(i, "to") ? A(1) - w : A(1) + w);
}

// place is the host's address of memory, or NULL after noting what is wrong.
unsigned char *place(thread *t, enum space space, uint64_t addr, size_t n) {
	block *b = t->b;
	unsigned char *p = NULL;
	if (addr % n) { b->err = misaligned; return NULL; }
	if (space == GENERIC && addr >= sharedWindow && addr < sharedWindow + windowSize) space = SHARED, addr -= sharedWindow;
	if (space == GENERIC && addr >= localWindow && addr < localWindow + windowSize) space = LOCAL, addr -= localWindow;
	if (space == SHARED) p = addr + n <= b->nshared ? b->shared + addr : NULL;
	else if (space == LOCAL) p = addr + n <= b->e->local ? t->local + addr : NULL;
	else if (space == PARAM) p = addr + n <= (size_t)b->e->paramBytes ? (unsigned char *)b->l->params + addr : NULL;
	else p = b->memory(addr, n);
	if (!p) b->err = illegalAddress;
	return p;
}

uint64_t address(const thread *t, const operand *o) { return o->imm + (o->reg >= 0 ? t->r[o->reg] : 0); }

RUN(ld) {
	int n = type_size(i->type), lanes = i->a[0].kind == LIST ? i->a[0].n : 1;
	if (address(t, &i->a[1]) % (n * lanes)) { t->b->err = misaligned; return; }
	for (int k = 0; k < lanes; k++) {
		unsigned char *p = place(t, i->space, address(t, &i->a[1]) + k * n, n);
		if (!p) return;
		uint64_t x = 0;
		memcpy(&x, p, n);
		x = extend(i->type, x);
		if (i->a[0].kind != LIST) set(t, &i->a[0], x);
		else if (i->a[0].list[k] >= 0) t->r[i->a[0].list[k]] = x;
	}
}

RUN(st) {
	int n = type_size(i->type), lanes = i->a[1].kind == LIST ? i->a[1].n : 1;
	if (address(t, &i->a[0]) % (n * lanes)) { t->b->err = misaligned; return; }
	for (int k = 0; k < lanes; k++) {
		uint64_t x = i->a[1].kind == LIST ? t->r[i->a[1].list[k]] : A(1);
		unsigned char *p = place(t, i->space, address(t, &i->a[0]) + k * n, n);
		if (!p) return;
		memcpy(p, &x, n);
	}
}

// Each rounds once, in the type itself.
RUN(add) {
	if (i->type == F32) result(t, i, F32, of32(f32(A(1)) + f32(A(2))));
	else if (i->type == F64) result(t, i, F64, of64(F(1) + F(2)));
	else result(t, i, i->type, A(1) + A(2));
}
RUN(sub) {
	if (i->type == F32) result(t, i, F32, of32(f32(A(1)) - f32(A(2))));
	else if (i->type == F64) result(t, i, F64, of64(F(1) - F(2)));
	else result(t, i, i->type, A(1) - A(2));
}

static uint64_t high(enum type ty, uint64_t a, uint64_t b) {
	int bits = 8 * type_size(ty);
	if (is_signed(ty)) return (uint64_t)((__int128)sign_extend(ty, a) * sign_extend(ty, b) >> bits);
	return (uint64_t)((unsigned __int128)zero_extend(ty, a) * zero_extend(ty, b) >> bits);
}
static uint64_t product(thread *t, const insn *i) { return has_mod(i, "hi") ? high(i->type, A(1), A(2)) : V(1) * V(2); }
static enum type wide(const insn *i) { return has_mod(i, "wide") ? (type_size(i->type) == 4 ? B64 : B32) : i->type; }

RUN(mul) {
	if (i->type == F32) result(t, i, F32, of32(f32(A(1)) * f32(A(2))));
	else if (i->type == F64) result(t, i, F64, of64(F(1) * F(2)));
	else result(t, i, wide(i), product(t, i));
}
RUN(mad) { result(t, i, wide(i), product(t, i) + A(3)); }
RUN(fma_) {
	if (i->type == F32) result(t, i, F32, of32(fmaf(f32(A(1)), f32(A(2)), f32(A(3)))));
	else result(t, i, F64, of64(fma(F(1), F(2), F(3))));
}
// What the hardware gives for a division by zero is unspecified; the low bits set will do.
RUN(div_) {
	if (i->type == F32) result(t, i, F32, of32(f32(A(1)) / f32(A(2))));
	else if (i->type == F64) result(t, i, F64, of64(F(1) / F(2)));
	else if (V(2) == 0) result(t, i, i->type, -1ull);
	else if (!is_signed(i->type)) result(t, i, i->type, V(1) / V(2));
	else result(t, i, i->type, (int64_t)V(2) == -1 ? -V(1) : (uint64_t)((int64_t)V(1) / (int64_t)V(2)));
}
RUN(rem_) {
	if (V(2) == 0) result(t, i, i->type, V(1));
	else if (!is_signed(i->type)) result(t, i, i->type, V(1) % V(2));
	else result(t, i, i->type, (int64_t)V(2) == -1 ? 0 : (uint64_t)((int64_t)V(1) % (int64_t)V(2)));
}

static int less(thread *t, const insn *i) {
	if (is_float(i->type)) return F(1) < F(2) || (F(1) == F(2) && signbit(F(1)) > signbit(F(2)));
	return is_signed(i->type) ? (int64_t)V(1) < (int64_t)V(2) : V(1) < V(2);
}
static void extreme(thread *t, const insn *i, int first) {
	int pick = first ? 1 : 2;
	if (is_float(i->type) && (isnan(F(1)) || isnan(F(2)))) {
		if (has_mod(i, "NaN") || (isnan(F(1)) && isnan(F(2)))) { result(t, i, i->type, i->type == F32 ? 0x7fffffff : 0x7fffffffffffffff); return; }
		pick = isnan(F(1)) ? 2 : 1;
	}
	result(t, i, i->type, A(pick));
}
RUN(min_) { extreme(t, i, less(t, i)); }
RUN(max_) { extreme(t, i, !less(t, i)); }
RUN(neg) {
	if (is_float(i->type)) result(t, i, i->type, A(1) ^ (i->type == F32 ? 1ull << 31 : 1ull << 63));
	else result(t, i, i->type, -A(1));
}
RUN(abs_) {
	if (is_float(i->type)) result(t, i, i->type, A(1) & ~(i->type == F32 ? 1ull << 31 : 1ull << 63));
	else result(t, i, i->type, (int64_t)V(1) < 0 ? -V(1) : V(1));
}
RUN(copysign_) { uint64_t s = i->type == F32 ? 1ull << 31 : 1ull << 63; result(t, i, i->type, (A(2) & ~s) | (A(1) & s)); }
RUN(sqrt_) { result(t, i, i->type, i->type == F32 ? of32(sqrtf(f32(A(1)))) : of64(sqrt(F(1)))); }
RUN(rcp) { result(t, i, i->type, i->type == F32 ? of32(1 / f32(A(1))) : of64(1 / F(1))); }
RUN(rsqrt) { result(t, i, i->type, of(i->type, 1 / sqrt(F(1)))); }
RUN(ex2) { result(t, i, i->type, of(i->type, exp2(F(1)))); }
RUN(lg2) { result(t, i, i->type, of(i->type, log2(F(1)))); }
RUN(and_) { result(t, i, i->type, A(1) & A(2)); }
RUN(or_) { result(t, i, i->type, A(1) | A(2)); }
RUN(xor_) { result(t, i, i->type, A(1) ^ A(2)); }
RUN(not_) { result(t, i, i->type, ~A(1)); }
RUN(shl) { uint64_t n = zero_extend(B32, A(2)); result(t, i, i->type, n < 8u * type_size(i->type) ? A(1) << n : 0); }
RUN(shr) {
	uint64_t n = zero_extend(B32, A(2)), most = 8u * type_size(i->type);
	if (is_signed(i->type)) result(t, i, i->type, (uint64_t)((int64_t)V(1) >> (n < most ? n : most - 1)));
	else result(t, i, i->type, n < most ? V(1) >> n : 0);
}
RUN(popc) { result(t, i, B32, __builtin_popcountll(zero_extend(i->type, A(1)))); }
RUN(clz) { uint64_t x = zero_extend(i->type, A(1)); int w = 8 * type_size(i->type); result(t, i, B32, x ? __builtin_clzll(x) - (64 - w) : w); }
RUN(brev) {
	uint64_t x = A(1), y = 0;
	int w = 8 * type_size(i->type);
	for (int k = 0; k < w; k++) y |= (x >> k & 1) << (w - 1 - k);
	result(t, i, i->type, y);
}
// bfe takes bits out; those beyond the register are its sign, or zero.
RUN(bfe) {
	uint64_t from = A(2) & 255, n = A(3) & 255, width = 8u * type_size(i->type);
	uint64_t sign = is_signed(i->type) && n ? V(1) >> (from + n - 1 < width ? from + n - 1 : width - 1) & 1 : 0, y = -sign;
	for (uint64_t k = 0; k < n && from + k < width; k++) y = (y & ~(1ull << k)) | (V(1) >> (from + k) & 1) << k;
	result(t, i, i->type, y);
}

RUN(setp) {
	const char *c = i->mods[0];
	int less, equal, nan = 0;
	if (is_float(i->type)) less = F(1) < F(2), equal = F(1) == F(2), nan = isnan(F(1)) || isnan(F(2));
	else if (is_signed(i->type)) less = (int64_t)V(1) < (int64_t)V(2), equal = V(1) == V(2);
	else less = V(1) < V(2), equal = V(1) == V(2);
	int yes = 0, n = strlen(c);
	if (!strcmp(c, "num")) yes = !nan;
	else if (!strcmp(c, "nan")) yes = nan;
	else if (nan) yes = n == 3 && c[2] == 'u';
	else if (!strncmp(c, "eq", 2)) yes = equal;
	else if (!strncmp(c, "ne", 2)) yes = !equal;
	else if (!strncmp(c, "lt", 2) || !strcmp(c, "lo")) yes = less;
	else if (!strncmp(c, "le", 2) || !strcmp(c, "ls")) yes = less || equal;
	else if (!strncmp(c, "gt", 2) || !strcmp(c, "hi")) yes = !less && !equal;
	else yes = !less;
	set(t, &i->a[0], yes);
}
RUN(selp) { result(t, i, i->type, A(3) & 1 ? A(1) : A(2)); }

static double rounded(const insn *i, double x) {
	if (has_mod(i, "rni")) return nearbyint(x);
	if (has_mod(i, "rmi")) return floor(x);
	if (has_mod(i, "rpi")) return ceil(x);
	return has_mod(i, "rzi") ? trunc(x) : x;
}
// of16 is the nearest f16, of two as near the even one.
static uint64_t of16(double x) {
	uint64_t sign = signbit(x) ? 0x8000 : 0;
	double a = fabs(x);
	int e;
	if (isnan(x)) return 0x7fff;
	if (a >= 65520) return sign | 0x7c00; // half of a step above the greatest
	if (a < ldexp(1, -14)) return sign | (uint64_t)nearbyint(ldexp(a, 24));
	frexp(a, &e);
	// 1024 to 2048, which is the first of the next exponent.
	return sign | (((uint64_t)(e + 13) << 10) + (uint64_t)nearbyint(ldexp(a, 11 - e)));
}

// cvt: from is what it converts to, type what it converts from. Floats saturate.
RUN(cvt) {
	enum type to = i->from;
	int from_float = i->type == F16 || is_float(i->type);
	double x = rounded(i, i->type == F16 ? half(A(1)) : is_float(i->type) ? F(1) : is_signed(i->type) ? (double)(int64_t)V(1) : (double)V(1));
	if (to == F16) { result(t, i, to, of16(x)); return; }
	if (from_float && is_float(to)) { result(t, i, to, of(to, x)); return; }
	if (from_float) {
		int w = 8 * type_size(to);
		double low = is_signed(to) ? -ldexp(1, w - 1) : 0, top = ldexp(1, is_signed(to) ? w - 1 : w);
		uint64_t y;
		if (isnan(x)) y = 0;
		else if (x <= low) y = is_signed(to) ? 1ull << (w - 1) : 0;
		else if (x >= top) y = is_signed(to) ? (1ull << (w - 1)) - 1 : w == 64 ? -1ull : (1ull << w) - 1;
		else y = is_signed(to) ? (uint64_t)(int64_t)x : (uint64_t)x;
		result(t, i, to, y);
		return;
	}
	if (to == F32) result(t, i, to, of32(is_signed(i->type) ? (float)(int64_t)V(1) : (float)V(1)));
	else if (to == F64) result(t, i, to, of64(is_signed(i->type) ? (double)(int64_t)V(1) : (double)V(1)));
	else set(t, &i->a[0], extend(to, V(1)));
}

RUN(atom) {
	int red = i->root[0] == 'r', n = type_size(i->type), m = red ? 0 : 1;
	unsigned char *p = place(t, i->space, address(t, &i->a[m]), n);
	if (!p) return;
	uint64_t old = 0, y = A(m + 1), x;
	memcpy(&old, p, n);
	uint64_t a = extend(i->type, old), b = extend(i->type, y);
	int less = is_float(i->type) ? fp(i->type, old) < fp(i->type, y) : is_signed(i->type) ? (int64_t)a < (int64_t)b : a < b;
	if (has_mod(i, "add")) x = i->type == F32 ? of32(f32(old) + f32(y)) : i->type == F64 ? of64(f64(old) + f64(y)) : old + y;
	else if (has_mod(i, "min")) x = less ? old : y;
	else if (has_mod(i, "max")) x = less ? y : old;
	else if (has_mod(i, "and")) x = old & y;
	else if (has_mod(i, "or")) x = old | y;
	else if (has_mod(i, "xor")) x = old ^ y;
	else if (has_mod(i, "cas")) x = a == b ? A(m + 2) : old;
	else x = y; // exch
	memcpy(p, &x, n);
	if (!red) set(t, &i->a[0], old);
}

RUN(bra) { t->pc = i->target; }
RUN(ret) { (void)i; t->state = DONE; }
RUN(bar) { if (!has_mod(i, "warp")) t->state = WAITS; }
RUN(nop) { (void)t, (void)i; }
RUN(trap) { (void)i; t->b->err = launchFailed; }

static const struct { const char *root; void (*run)(thread *, const insn *); } table[] = {
	{"mov", mov}, {"cvta", cvta}, {"ld", ld}, {"ldu", ld}, {"st", st}, {"add", add}, {"sub", sub}, {"mul", mul}, {"mad", mad}, {"fma", fma_},
	{"div", div_}, {"rem", rem_}, {"min", min_}, {"max", max_}, {"neg", neg}, {"abs", abs_}, {"copysign", copysign_}, {"sqrt", sqrt_},
	{"rcp", rcp}, {"rsqrt", rsqrt}, {"ex2", ex2}, {"lg2", lg2}, {"and", and_}, {"or", or_}, {"xor", xor_}, {"not", not_}, {"shl", shl},
	{"shr", shr}, {"popc", popc}, {"clz", clz}, {"brev", brev}, {"bfe", bfe}, {"setp", setp}, {"selp", selp}, {"cvt", cvt}, {"atom", atom}, {"red", atom},
	{"bra", bra}, {"ret", ret}, {"exit", ret}, {"bar", bar}, {"barrier", bar}, {"membar", nop}, {"fence", nop}, {"trap", trap},
	{"shfl", meets}, {"mma", meets}, {"ldmatrix", meets}, {"cp", copy_async}};

void (*ptx_decode(const insn *i))(thread *, const insn *) {
	// Other roundings, and f16 beyond moving and converting it, are not here.
	int moves = !strcmp(i->root, "mma") || !strcmp(i->root, "cvt") || !strcmp(i->root, "mov") || !strcmp(i->root, "ld") || !strcmp(i->root, "st");
	if (has_mod(i, "rz") || has_mod(i, "rm") || has_mod(i, "rp") || has_mod(i, "sat") || has_mod(i, "cc")) return NULL;
	if (!moves && (i->type == F16 || i->from == F16)) return NULL;
	for (size_t k = 0; k < sizeof table / sizeof *table; k++)
		if (!strcmp(table[k].root, i->root)) return table[k].run;
	return NULL;
}

// run goes on with a thread until it waits, ends or fails.
static void run(thread *t) {
	while (t->state == RUNS && !t->b->err) {
		if (t->pc >= t->b->e->ncode) { t->state = DONE; return; }
		const insn *i = &t->b->e->code[t->pc++];
		if (i->guard >= 0 && (int)(t->r[i->guard] & 1) == i->guardNot) continue;
		i->run(t, i);
	}
}

// run_block runs the threads of a block in turn, warps from one meeting to the next. A barrier opens when
// all that have not ended wait at one.
static void run_block(block *b, thread *threads, int n) {
	for (int left = n; left && !b->err;) {
		do {
			left = 0;
			for (int k = 0; k < n && !b->err; k++) {
				thread *t = &threads[b->l->reverse ? n - 1 - k : k];
				run(t);
				left += t->state != DONE;
			}
		} while (!b->err && warp_runs(b, threads, n));
		for (int k = 0; k < n; k++)
			if (threads[k].state == WAITS) threads[k].state = RUNS;
	}
}

int ptx_run(ptx_entry *e, const ptx_launch *l, ptx_memory memory) {
	const uint32_t *d = l->block;
	int n = d[0] * d[1] * d[2];
	block b = {.e = e, .l = l, .memory = memory, .nshared = e->shared + l->shared};
	b.shared = malloc(b.nshared + 1);
	thread *threads = malloc(n * sizeof *threads);
	uint64_t *regs = malloc((size_t)n * (e->nregs + 1) * 8);
	unsigned char *local = malloc((size_t)n * (e->local + 1));
	for (b.id[2] = 0; b.id[2] < l->grid[2] && !b.err; b.id[2]++)
	for (b.id[1] = 0; b.id[1] < l->grid[1] && !b.err; b.id[1]++)
	for (b.id[0] = 0; b.id[0] < l->grid[0] && !b.err; b.id[0]++) {
		memset(b.shared, 0xCD, b.nshared);
		memset(regs, 0xCD, (size_t)n * (e->nregs + 1) * 8);
		memset(local, 0xCD, (size_t)n * (e->local + 1));
		for (int k = 0; k < n; k++)
			threads[k] = (thread){.b = &b, .r = regs + (size_t)k * (e->nregs + 1), .local = local + (size_t)k * (e->local + 1),
				.id = {k % d[0], k / d[0] % d[1], k / d[0] / d[1]}, .number = k};
		run_block(&b, threads, n);
	}
	free(b.shared), free(threads), free(regs), free(local);
	return b.err;
}
