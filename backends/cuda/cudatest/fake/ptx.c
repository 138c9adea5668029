// The parser of the PTX machine.
#include "machine.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char prefix[maxText]; int first, count; } regs;

typedef struct {
	const char *s;
	int line, failed;
	char tok[maxText];
	char *log;
	size_t loglen;
	ptx_module *m;
	ptx_entry *e;
	regs regs[64];
	int nregs;
	symbol symbols[maxSymbols]; // of the entry
	int nsymbols;
	struct { char name[maxText]; int at; } labels[4096];
	int nlabels;
	ptx_variable make;
} parser;

static void fail(parser *p, const char *format, ...) {
	if (p->failed) return;
	p->failed = 1;
	int n = snprintf(p->log, p->loglen, "ptxas fake, line %d; error   : ", p->line);
	va_list v;
	va_start(v, format);
	vsnprintf(p->log + n, p->loglen - n, format, v);
	va_end(v);
}

static void blanks(parser *p) {
	for (;; p->s++) {
		if (p->s[0] == '/' && p->s[1] == '/') while (*p->s && *p->s != '\n') p->s++;
		if (p->s[0] == '/' && p->s[1] == '*') while (*p->s && !(p->s[0] == '*' && p->s[1] == '/')) p->s++;
		if (*p->s == '\n') p->line++;
		if (!*p->s) return;
		if (!isspace((unsigned char)*p->s) && *p->s != '/') return;
	}
}

static int word(int c) { return isalnum(c) || c == '_' || c == '$' || c == '.' || c == '%'; }

// next reads a token into p->tok; the end of the text is "".
static void next(parser *p) {
	blanks(p);
	int n = 0;
	if (word((unsigned char)*p->s)) {
		while (word((unsigned char)*p->s) && n < maxText - 1) p->tok[n++] = *p->s++;
	} else if (*p->s) {
		p->tok[n++] = *p->s++;
	}
	p->tok[n] = 0;
}

static int is(parser *p, const char *s) { return strcmp(p->tok, s) == 0; }

static void expect(parser *p, const char *s) {
	if (!is(p, s)) fail(p, "'%s' is wanted, not '%s'", s, p->tok);
	next(p);
}

static const struct { const char *name; enum type t; } types[] = {
	{"pred", PRED}, {"b8", B8}, {"b16", B16}, {"b32", B32}, {"b64", B64}, {"u8", U8}, {"u16", U16}, {"u32", U32}, {"u64", U64},
	{"s8", S8}, {"s16", S16}, {"s32", S32}, {"s64", S64}, {"f16", F16}, {"f32", F32}, {"f64", F64}};

static enum type type_of(const char *s) {
	if (*s == '.') s++;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i].name, s) == 0) return types[i].t;
	return NONE;
}

int type_size(enum type t) {
	static const int size[] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
	return size[t];
}

int has_mod(const insn *i, const char *mod) {
	for (int k = 0; k < i->nmods; k++)
		if (strcmp(i->mods[k], mod) == 0) return 1;
	return 0;
}

static uint64_t number(parser *p) {
	int neg = 0;
	if (is(p, "-")) neg = 1, next(p);
	const char *t = p->tok;
	uint64_t x;
	if (t[0] == '0' && (t[1] == 'f' || t[1] == 'F' || t[1] == 'd' || t[1] == 'D')) x = strtoull(t + 2, NULL, 16);
	else x = strtoull(t, NULL, 0);
	if (!isdigit((unsigned char)t[0])) fail(p, "a number is wanted, not '%s'", t);
	next(p);
	return neg ? -x : x;
}

static int find_reg(parser *p, const char *name) {
	for (int i = 0; i < p->nregs; i++) {
		regs *r = &p->regs[i];
		size_t n = strlen(r->prefix);
		if (r->count < 0 && strcmp(r->prefix, name) == 0) return r->first;
		if (r->count < 0 || strncmp(r->prefix, name, n) || !isdigit((unsigned char)name[n])) continue;
		char *end;
		long k = strtol(name + n, &end, 10);
		if (!*end && k < r->count) return r->first + k;
	}
	return -1;
}

static const char *const specials[] = {"%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z",
	"%ctaid.x", "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid", "%warpid"};

static symbol *find_symbol(parser *p, const char *name) {
	for (int i = 0; i < p->nsymbols; i++)
		if (strcmp(p->symbols[i].name, name) == 0) return &p->symbols[i];
	for (int i = 0; i < p->m->nglobals; i++)
		if (strcmp(p->m->globals[i].name, name) == 0) return &p->m->globals[i];
	return NULL;
}

// base reads what may stand for a value or an address.
static void base(parser *p, operand *o) {
	o->kind = IMM;
	if (is(p, "-") || isdigit((unsigned char)p->tok[0])) { o->imm = number(p); return; }
	for (int i = 0; i < 14; i++)
		if (is(p, specials[i])) { o->kind = SREG; o->reg = i; next(p); return; }
	int r = find_reg(p, p->tok);
	symbol *s = find_symbol(p, p->tok);
	if (r >= 0) o->kind = REG, o->reg = r;
	else if (s) o->imm = s->at;
	else fail(p, "'%s' is not known", p->tok);
	next(p);
}

static void read_operand(parser *p, operand *o) {
	memset(o, 0, sizeof *o);
	o->reg = -1;
	if (is(p, "!")) { o->negated = 1; next(p); }
	if (is(p, "{")) {
		o->kind = LIST;
		do {
			next(p);
			if (o->n == 4) { fail(p, "a vector of more than 4"); return; }
			o->list[o->n++] = find_reg(p, p->tok);
			if (o->list[o->n - 1] < 0 && !is(p, "_")) fail(p, "'%s' is not known", p->tok);
			next(p);
		} while (is(p, ","));
		expect(p, "}");
		return;
	}
	if (!is(p, "[")) { base(p, o); return; }
	next(p);
	operand b = {0};
	base(p, &b);
	o->kind = MEM;
	o->reg = b.kind == REG ? b.reg : -1;
	o->imm = b.kind == REG ? 0 : b.imm;
	if (is(p, "+")) { next(p); o->imm += number(p); }
	expect(p, "]");
}

// split takes an opcode apart.
static void split(parser *p, insn *i) {
	snprintf(i->op, sizeof i->op, "%s", p->tok);
	char copy[maxText], *save = NULL;
	snprintf(copy, sizeof copy, "%s", p->tok);
	char *t = strtok_r(copy, ".", &save);
	snprintf(i->root, sizeof i->root, "%s", t ? t : "");
	while ((t = strtok_r(NULL, ".", &save)) && i->nmods < 12) {
		snprintf(i->mods[i->nmods++], 16, "%s", t);
		enum type ty = type_of(t);
		if (ty) i->from = i->type, i->type = ty;
		if (!strcmp(t, "global") || !strcmp(t, "const")) i->space = GLOBAL;
		if (!strcmp(t, "shared")) i->space = SHARED;
		if (!strcmp(t, "local")) i->space = LOCAL;
		if (!strcmp(t, "param")) i->space = PARAM;
	}
}

static void read_insn(parser *p) {
	ptx_entry *e = p->e;
	e->code = realloc(e->code, (e->ncode + 1) * sizeof *e->code);
	insn *i = memset(&e->code[e->ncode++], 0, sizeof *i);
	i->guard = -1;
	i->line = p->line;
	if (is(p, "@")) {
		next(p);
		if (is(p, "!")) { i->guardNot = 1; next(p); }
		if ((i->guard = find_reg(p, p->tok)) < 0) fail(p, "'%s' is not known", p->tok);
		next(p);
	}
	split(p, i);
	next(p);
	if (!strcmp(i->root, "bra")) {
		snprintf(i->label, sizeof i->label, "%s", p->tok);
		next(p);
	} else while (!is(p, ";") && !p->failed) {
		if (i->n == 6) { fail(p, "too many operands"); return; }
		read_operand(p, &i->a[i->n++]);
		if (is(p, "|")) { next(p); read_operand(p, &i->a[i->n++]); }
		if (!is(p, ";")) expect(p, ",");
	}
	if (!p->failed && (i->run = ptx_decode(i)) == NULL) fail(p, "instruction '%s' is not supported", i->op);
	expect(p, ";");
}

// variable reads ".align 8 .b8 name[n] = {...}" after its space.
static void variable(parser *p, enum space space) {
	size_t align = 1, count = 1;
	uint64_t init[64] = {0};
	int n = 0;
	if (is(p, ".align")) { next(p); align = number(p); }
	enum type t = type_of(p->tok);
	if (!t) fail(p, "a type is wanted, not '%s'", p->tok);
	next(p);
	symbol s = {.space = space, .size = 0};
	snprintf(s.name, sizeof s.name, "%s", p->tok);
	next(p);
	if (is(p, "[")) { next(p); count = is(p, "]") ? 0 : number(p); expect(p, "]"); }
	if (is(p, "=")) {
		next(p);
		int many = is(p, "{");
		if (many) next(p);
		do { if (n) next(p); if (n < 64) init[n++] = number(p); } while (many && is(p, ","));
		if (many) expect(p, "}");
	}
	expect(p, ";");
	s.size = count * type_size(t);
	if (align < (size_t)type_size(t)) align = type_size(t);
	size_t *used = space == LOCAL ? &p->e->local : p->e ? &p->e->shared : &p->m->shared;
	if (space == GLOBAL) {
		unsigned char *mem = p->make(s.size ? s.size : 1, &s.at);
		if (!mem) { fail(p, "no memory"); return; }
		memset(mem, 0, s.size);
		for (int k = 0; k < n && (size_t)k < count; k++) memcpy(mem + k * type_size(t), &init[k], type_size(t));
	} else {
		*used = (*used + align - 1) / align * align;
		s.at = *used;
		*used += s.size;
	}
	if (p->e && p->nsymbols < maxSymbols) p->symbols[p->nsymbols++] = s;
	else if (p->m->nglobals < maxSymbols) p->m->globals[p->m->nglobals++] = s;
}

static void read_regs(parser *p) {
	next(p); // the type
	do {
		next(p);
		regs *r = &p->regs[p->nregs++];
		if (p->nregs == 64) { fail(p, "too many registers"); return; }
		snprintf(r->prefix, sizeof r->prefix, "%s", p->tok);
		r->first = p->e->nregs;
		r->count = -1;
		next(p);
		if (is(p, "<")) { next(p); r->count = number(p); expect(p, ">"); }
		p->e->nregs += r->count < 0 ? 1 : r->count;
	} while (is(p, ","));
	expect(p, ";");
}

static void statement(parser *p) {
	const char *s = p->s;
	while (isspace((unsigned char)*s)) s++;
	if (is(p, ".reg")) read_regs(p);
	else if (is(p, ".shared")) next(p), variable(p, SHARED);
	else if (is(p, ".local")) next(p), variable(p, LOCAL);
	else if (is(p, ".loc") || is(p, ".pragma")) { while (*p->s && *p->s != '\n' && *p->s != ';') p->s++; next(p); if (is(p, ";")) next(p); }
	else if (*s == ':') {
		snprintf(p->labels[p->nlabels].name, maxText, "%s", p->tok);
		p->labels[p->nlabels].at = p->e->ncode;
		if (++p->nlabels == 4096) fail(p, "too many labels");
		next(p);
		next(p);
	} else read_insn(p);
}

static void parameters(parser *p) {
	ptx_entry *e = p->e;
	expect(p, "(");
	while (is(p, ".param") && !p->failed) {
		next(p);
		enum type t = type_of(p->tok);
		next(p);
		while (is(p, ".ptr") || is(p, ".global") || is(p, ".align")) { int a = is(p, ".align"); next(p); if (a) next(p); }
		if (!t || e->nparams == maxParams) { fail(p, "a parameter of this kind is not supported"); return; }
		int size = type_size(t), at = (e->paramBytes + size - 1) / size * size;
		e->offset[e->nparams] = at, e->size[e->nparams++] = size, e->paramBytes = at + size;
		symbol s = {.space = PARAM, .at = at, .size = size};
		snprintf(s.name, sizeof s.name, "%s", p->tok);
		p->symbols[p->nsymbols++] = s;
		next(p);
		if (is(p, ",")) next(p);
	}
	expect(p, ")");
}

static void entry(parser *p) {
	if (p->m->nentries == maxEntries) { fail(p, "too many kernels"); return; }
	ptx_entry *e = p->e = &p->m->entries[p->m->nentries++];
	p->nregs = p->nsymbols = p->nlabels = 0;
	e->shared = p->m->shared;
	snprintf(e->name, sizeof e->name, "%s", p->tok);
	next(p);
	parameters(p);
	while (*p->tok == '.') { next(p); while (isdigit((unsigned char)*p->tok) || is(p, ",")) next(p); } // .maxntid and the like
	expect(p, "{");
	int depth = 1;
	while (depth && !p->failed && *p->tok) {
		if (is(p, "{")) depth++, next(p);
		else if (is(p, "}")) { if (--depth) next(p); }
		else statement(p);
	}
	for (int k = 0; k < e->ncode && !p->failed; k++) {
		if (strcmp(e->code[k].root, "bra")) continue;
		e->code[k].target = -1;
		for (int j = 0; j < p->nlabels; j++)
			if (!strcmp(p->labels[j].name, e->code[k].label)) e->code[k].target = p->labels[j].at;
		if (e->code[k].target < 0) fail(p, "label '%s' is not known", e->code[k].label);
	}
	p->e = NULL;
	expect(p, "}");
}

ptx_module *ptx_parse(const char *text, ptx_variable make, char *log, size_t loglen) {
	parser *p = calloc(1, sizeof *p);
	ptx_module *m = p->m = calloc(1, sizeof *m);
	p->s = text, p->line = 1, p->log = log, p->loglen = loglen, p->make = make;
	next(p);
	while (*p->tok && !p->failed) {
		if (is(p, ".version") || is(p, ".target") || is(p, ".address_size") || is(p, ".file")) { while (*p->s && *p->s != '\n') p->s++; next(p); }
		else if (is(p, ".visible") || is(p, ".weak") || is(p, ".extern")) next(p);
		else if (is(p, ".entry")) next(p), entry(p);
		else if (is(p, ".global") || is(p, ".const")) next(p), variable(p, GLOBAL);
		else if (is(p, ".shared")) next(p), variable(p, SHARED);
		else if (is(p, ".section")) break; // debug information
		else if (is(p, ".func")) fail(p, "'.func' is not supported");
		else fail(p, "'%s' is not understood", p->tok);
	}
	int failed = p->failed;
	free(p);
	if (!failed) return m;
	ptx_free(m);
	return NULL;
}

void ptx_free(ptx_module *m) {
	for (int i = 0; i < m->nentries; i++) free(m->entries[i].code);
	free(m);
}

ptx_entry *ptx_find(ptx_module *m, const char *name) {
	for (int i = 0; i < m->nentries; i++)
		if (!strcmp(m->entries[i].name, name)) return &m->entries[i];
	return NULL;
}

int ptx_global(ptx_module *m, const char *name, uint64_t *addr, size_t *bytes) {
	for (int i = 0; i < m->nglobals; i++)
		if (!strcmp(m->globals[i].name, name)) return *addr = m->globals[i].at, *bytes = m->globals[i].size, 1;
	return 0;
}

int ptx_params(ptx_entry *e, int offset[maxParams], int size[maxParams]) {
	memcpy(offset, e->offset, sizeof e->offset);
	memcpy(size, e->size, sizeof e->size);
	return e->nparams;
}
