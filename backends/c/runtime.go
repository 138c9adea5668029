package c

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// helper asks for a function of ours that stands at the head of the file.
func (e *emitter) helper(name string) string {
	if !e.helpers[name] {
		e.helpers[name] = true
		e.order = append(e.order, name)
	}
	return name
}

var helperCall = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`irc_[a-z0-9_]+\(`) })

// writeHelper writes a helper after those that it calls.
func (e *emitter) writeHelper(out *strings.Builder, name string, done map[string]bool) {
	if done[name] {
		return
	}
	done[name] = true
	text := e.helperText(name)
	for _, m := range helperCall().FindAllString(text, -1) {
		if called := strings.TrimSuffix(m, "("); called != "irc_trap_text" {
			e.writeHelper(out, called, done)
		}
	}
	out.WriteString("\n" + text)
}

// headers are those that are included.
func (e *emitter) headers(out *strings.Builder) {
	if e.opts.Freestanding {
		out.WriteString(freestanding)
		return
	}
	for _, h := range []string{"math", "stdbool", "stdint", "stdio", "stdlib", "string"} {
		fmt.Fprintf(out, "#include <%s.h>\n", h)
	}
}

// helperText is the text of a helper. Names end in a type: irc_min_i32, irc_floor_f64; in two where both matter:
// irc_bits_f64_i64, irc_to_i64_f32.
func (e *emitter) helperText(name string) string {
	if text, ok := hooks[name]; ok && e.opts.Freestanding {
		return text
	}
	if text, ok := helpers[name]; ok {
		return text
	}
	if x, ok := e.externals[name]; ok {
		return x
	}
	words := strings.Split(strings.TrimPrefix(name, "irc_"), "_")
	kind, suffix := words[0], words[1]
	replaced := []string{"NAME", name, "TYPE", typeOfSuffix(suffix), "WIDTH", suffix[1:], "F(", map[string]string{"f64": "(", "f32": "f("}[suffix]}
	if len(words) == 3 {
		replaced = append(replaced, "FROM", typeOfSuffix(words[2]))
	}
	if kind == "to" {
		low, high := limits(suffix, words[2] == "f32")
		replaced = append(replaced, "LOW", low, "HIGH", high)
	}
	if suffix[0] == 'f' {
		replaced = append(replaced, "SUFFIX", suffix, "UINT", "uint"+suffix[1:]+"_t", "MANT", map[string]string{"f64": "52", "f32": "23"}[suffix],
			"BIAS", map[string]string{"f64": "1023", "f32": "127"}[suffix],
			"BYTES", map[string]string{"f64": "8", "f32": "4"}[suffix], "LETTER", map[string]string{"f64": "", "f32": "f"}[suffix], "ISF", map[string]string{"f64": "", "f32": "F"}[suffix])
	}
	text, ok := softMath[kind+"_"+suffix[:1]]
	if !ok {
		text = helpers[kind+"_"+suffix[:1]]
	}
	return strings.NewReplacer(replaced...).Replace(text)
}

// limits are the conditions under which a float is an integer of a type when its fraction is left out.
func limits(suffix string, single bool) (low, high string) {
	w, _ := strconv.Atoi(suffix[1:])
	mantissa := 53
	if single {
		mantissa = 24
	}
	number := func(x float64) string { return floating(x, single).Text }
	if suffix[0] == 'u' {
		return "> -" + number(1), "< " + number(math.Ldexp(1, w))
	}
	limit := math.Ldexp(1, w-1)
	if w <= mantissa {
		return "> -" + number(limit+1), "< " + number(limit)
	}
	return ">= -" + number(limit), "< " + number(limit)
}

func typeOfSuffix(s string) string {
	switch s {
	case "f64":
		return "double"
	case "f32":
		return "float"
	}
	return map[byte]string{'i': "int", 'u': "uint"}[s[0]] + s[1:] + "_t"
}

// freestanding is what stands in the place of headers of a library.
const freestanding = `#include <stddef.h>
#include <stdint.h>

#if !defined(__cplusplus) && __STDC_VERSION__ < 202311L
#define bool _Bool
#define true 1
#define false 0
#endif
#ifndef NAN
#define NAN (0.0f / 0.0f)
#endif
#ifndef INFINITY
#define INFINITY (1.0f / 0.0f)
#endif
`

// trapTexts is irc_trap_text. Where the linker can, it joins the tables of all files of a program, those of irc's object
// files among them; elsewhere a file knows its own texts.
const trapTexts = `
const char *irc_trap_text(int32_t status)
{
#ifdef IRC_TABLES
	const struct irc_text *row = __start_irc_traps, *end = __stop_irc_traps;
#else
	const struct irc_text *row = irc_texts, *end = irc_texts + sizeof irc_texts / sizeof *irc_texts;
#endif
	for (; row < end; row++)
		if (row->status == status)
			return row->text;
	return "unknown status";
}
`

// trapTable begins the texts of a file.
const trapTable = `
/* The texts of what functions return that are called NAME_checked. */
struct irc_text { int32_t status; const char *text; };
#ifdef __GNUC__
__attribute__((weak))
#endif
const char *irc_trap_text(int32_t status);
#if defined(__GNUC__) && defined(__ELF__)
#define IRC_TABLES
extern const struct irc_text __start_irc_traps[] __attribute__((visibility("hidden")));
extern const struct irc_text __stop_irc_traps[] __attribute__((visibility("hidden")));
__attribute__((used, section("irc_traps"), aligned(8)))
#endif
static const struct irc_text irc_texts[] = {
	{0, ""},
`

// hooks are what the user of freestanding code defines.
var hooks = map[string]string{
	"irc_trap": `/* To be defined: ends the program, as irc_trap_text(status) says why. It does not return. */
_Noreturn void irc_trap(int32_t status);
`,
	"irc_malloc": `/* To be defined: so many bytes, of which the first has an address that is a multiple of a number, or NULL. */
void *irc_malloc(size_t align, size_t bytes);
`,
	"irc_free": `/* To be defined: takes what irc_malloc gave. */
void irc_free(void *memory);
`,
}

// helpers are functions, or templates by kind and the letter of a type: i with sign, u
// without, f of floats.
var helpers = map[string]string{
	"irc_trap": `const char *irc_trap_text(int32_t status);

static _Noreturn void irc_trap(int32_t status)
{
	fprintf(stderr, "irc: %s\n", irc_trap_text(status));
	abort();
}
`,
	"irc_bytes": `/* The bytes of an array of so many extents, at least those of one element; 0 if they are too many. */
static size_t irc_bytes(size_t size, int rank, const int64_t *extents)
{
	uint64_t bytes = size;
	bool none = false;
	for (int d = 0; d < rank; d++) {
		uint64_t n = (uint64_t)extents[d];
		none = none || n == 0;
		if (n > 0 && bytes > PTRDIFF_MAX / n)
			return 0;
		bytes *= n == 0 ? 1 : n;
	}
	return none ? size : (size_t)bytes;
}
`,
	"irc_copy": `static void irc_copy(void *to, const void *from, size_t n)
{
	unsigned char *p = to;
	const unsigned char *q = from;
	if ((uintptr_t)p <= (uintptr_t)q)
		for (size_t i = 0; i < n; i++)
			p[i] = q[i];
	else
		while (n-- > 0)
			p[n] = q[n];
}
`,
	"signbit_f": "static inline bool NAME(TYPE x) { return irc_bits_uWIDTH_SUFFIX(x) >> (WIDTH - 1) != 0; }\n",
	"bits_f":    bitsHelper,
	"bits_u":    bitsHelper,
	"bits_i":    bitsHelper,
	"irc_rounds": `/* How many rounds a loop has whose step is positive. */
static inline uint64_t irc_rounds(int64_t low, int64_t high, int64_t step)
{
	return low < high ? ((uint64_t)high - (uint64_t)low - 1) / (uint64_t)step + 1 : 0;
}
`,
	"min_i": "static inline TYPE NAME(TYPE x, TYPE y) { return x < y ? x : y; }\n",
	"max_i": "static inline TYPE NAME(TYPE x, TYPE y) { return x > y ? x : y; }\n",
	"min_u": "static inline TYPE NAME(TYPE x, TYPE y) { return x < y ? x : y; }\n",
	"max_u": "static inline TYPE NAME(TYPE x, TYPE y) { return x > y ? x : y; }\n",
	"ceildiv_i": `static inline TYPE NAME(TYPE x, TYPE y)
{
	return (TYPE)(x / y + (x % y != 0 && (x < 0) == (y < 0)));
}
`,
	"ceildiv_u": `static inline TYPE NAME(TYPE x, TYPE y)
{
	return (TYPE)(x / y + (x % y != 0));
}
`,
	"floordiv_i": `static inline TYPE NAME(TYPE x, TYPE y)
{
	return (TYPE)(x / y - (x % y != 0 && (x < 0) != (y < 0)));
}
`,
	"abs_i": "static inline TYPE NAME(TYPE x) { return x < 0 ? (TYPE)(0 - (uintWIDTH_t)x) : x; }\n",
	"ctlz_i": `static inline TYPE NAME(TYPE x)
{
	int n = WIDTH;
	for (uintWIDTH_t u = (uintWIDTH_t)x; u != 0; u >>= 1)
		n--;
	return (TYPE)n;
}
`,
	"cttz_i": `static inline TYPE NAME(TYPE x)
{
	int n = 0;
	for (uintWIDTH_t u = (uintWIDTH_t)x; n < WIDTH && (u & 1) == 0; u >>= 1)
		n++;
	return (TYPE)n;
}
`,
	"ctpop_i": `static inline TYPE NAME(TYPE x)
{
	int n = 0;
	for (uintWIDTH_t u = (uintWIDTH_t)x; u != 0; u >>= 1)
		n += (int)(u & 1);
	return (TYPE)n;
}
`,
	"ipowi_i": `/* x to the power of n; 1 / x^-n, rounded towards zero, if n is negative. */
static inline TYPE NAME(TYPE x, TYPE n)
{
	if (n < 0)
		return x == 1 ? 1 : x == -1 ? (n & 1 ? -1 : 1) : 0;
	uint64_t r = 1, m = (uint64_t)x;
	for (uint64_t k = (uint64_t)n; k != 0; k >>= 1) {
		if (k & 1)
			r *= m;
		m *= m;
	}
	return (TYPE)r;
}
`,
	"fpowi_f": `static inline TYPE NAME(TYPE x, int64_t n)
{
	TYPE p = powF(fabsF(x), (TYPE)n);
	return n & 1 ? copysignF(p, x) : p;
}
`,
	"maximum_f": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (x != x || y != y)
		return x != x ? x : y;
	return x > y || (x == y && irc_signbit_SUFFIX(y)) ? x : y;
}
`,
	"minimum_f": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (x != x || y != y)
		return x != x ? x : y;
	return x < y || (x == y && irc_signbit_SUFFIX(x)) ? x : y;
}
`,
	"maxnum_f": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (x != x || y != y)
		return x != x ? y : x;
	return x > y || (x == y && irc_signbit_SUFFIX(y)) ? x : y;
}
`,
	"minnum_f": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (x != x || y != y)
		return x != x ? y : x;
	return x < y || (x == y && irc_signbit_SUFFIX(x)) ? x : y;
}
`,
	"to_i": "static inline TYPE NAME(FROM x) { return x LOW && x HIGH ? (TYPE)x : 0; }\n",
	"to_u": "static inline TYPE NAME(FROM x) { return x LOW && x HIGH ? (TYPE)x : 0; }\n",
}

// bitsHelper gives the bits of a number another type.
const bitsHelper = `static inline TYPE NAME(FROM x)
{
	union { FROM x; TYPE y; } u = {x};
	return u.y;
}
`
