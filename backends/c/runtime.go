package c

import (
	"strings"
)

// helper asks for a function of ours that stands at the head of the file.
func (e *emitter) helper(name string) string {
	if !e.helpers[name] {
		e.helpers[name] = true
		e.order = append(e.order, name)
	}
	return name
}

// writeHelper writes a helper after those that it calls.
func (e *emitter) writeHelper(out *strings.Builder, name string, done map[string]bool) {
	if done[name] {
		return
	}
	done[name] = true
	text := e.helperText(name)
	if name != "irc_trap" && strings.Contains(text, "irc_trap(") {
		e.writeHelper(out, "irc_trap", done)
	}
	out.WriteString("\n" + text)
}

// helperText is the text of a helper. Names end in a type: irc_min_i32, irc_to_i64,
// irc_bits_f64_i64.
func (e *emitter) helperText(name string) string {
	if text, ok := helpers[name]; ok {
		return e.adapted(text, name)
	}
	rest := strings.TrimPrefix(name, "irc_")
	if strings.HasPrefix(rest, "bits_") {
		words := strings.Split(rest, "_")
		from, to := typeOfSuffix(words[1]), typeOfSuffix(words[2])
		return "static inline " + to + " " + name + "(" + from + " x)\n{\n\t" + to + " y;\n\tmemcpy(&y, &x, sizeof y);\n\treturn y;\n}\n"
	}
	i := strings.LastIndex(rest, "_")
	kind, suffix := rest[:i], rest[i+1:]
	template := helpers[kind+"_"+suffix[:1]]
	return e.adapted(template, name, "NAME", name, "TYPE", typeOfSuffix(suffix), "WIDTH", suffix[1:], "F(", map[string]string{"f64": "(", "f32": "f("}[suffix])
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

// adapted replaces words of a template, and leaves checks out of unchecked code.
func (e *emitter) adapted(text, name string, words ...string) string {
	text = strings.NewReplacer(words...).Replace(text)
	if !e.Unchecked || name == "irc_trap" {
		return text
	}
	var kept []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if i+1 < len(lines) && strings.Contains(lines[i+1], "irc_trap(") {
			i++
			continue
		}
		kept = append(kept, lines[i])
	}
	return strings.Join(kept, "\n")
}

// helpers are functions, or templates by kind and the letter of a type: i with sign, u
// without, f of floats. What they trap on is a condition on a line of its own.
var helpers = map[string]string{
	"irc_trap": `static void irc_trap(const char *why)
{
	fprintf(stderr, "irc: %s\n", why);
	abort();
}
`,
	"irc_at": `/* An index, if it is inside. */
static inline int64_t irc_at(int64_t i, int64_t n)
{
	if ((uint64_t)i >= (uint64_t)n)
		irc_trap("index out of bounds");
	return i;
}
`,
	"irc_alloc": `/* Memory for elements of a size: the product of so many extents. */
static void *irc_alloc(size_t align, size_t size, int rank, ...)
{
	va_list list;
	uint64_t bytes = size;
	bool none = false, large = false;
	va_start(list, rank);
	for (int d = 0; d < rank; d++) {
		int64_t n = va_arg(list, int64_t);
		if (n < 0)
			irc_trap("a size of an allocation is negative");
		none = none || n == 0;
		large = large || (n > 0 && bytes > PTRDIFF_MAX / (uint64_t)n);
		bytes *= n == 0 ? 1 : (uint64_t)n;
	}
	va_end(list);
	if (large)
		irc_trap("an allocation is too large");
	bytes = none || bytes == 0 ? 1 : bytes;
	void *p = align <= 16 ? malloc(bytes) : aligned_alloc(align, (bytes + align - 1) / align * align);
	if (!p)
		irc_trap("out of memory");
	return p;
}
`,
	"irc_count": `/* How many elements of a size an array has: the product of so many extents, at least 1. */
static size_t irc_count(size_t size, int rank, ...)
{
	va_list list;
	uint64_t bytes = size;
	bool none = false, large = false;
	va_start(list, rank);
	for (int d = 0; d < rank; d++) {
		int64_t n = va_arg(list, int64_t);
		if (n < 0)
			irc_trap("a size of an allocation is negative");
		none = none || n == 0;
		large = large || (n > 0 && bytes > PTRDIFF_MAX / (uint64_t)n);
		bytes *= n == 0 ? 1 : (uint64_t)n;
	}
	va_end(list);
	if (large)
		irc_trap("an allocation is too large");
	return none ? 1 : bytes / size;
}
`,
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
	"div_i": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (y == 0)
		irc_trap("division by zero");
	if (y == -1 && x == INTWIDTH_MIN)
		irc_trap("signed overflow");
	return (TYPE)(x / y);
}
`,
	"rem_i": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (y == 0)
		irc_trap("division by zero");
	if (y == -1 && x == INTWIDTH_MIN)
		irc_trap("signed overflow");
	return (TYPE)(x % y);
}
`,
	"div_u": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (y == 0)
		irc_trap("division by zero");
	return (TYPE)(x / y);
}
`,
	"rem_u": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (y == 0)
		irc_trap("division by zero");
	return (TYPE)(x % y);
}
`,
	"ceildiv_i": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (y == 0)
		irc_trap("division by zero");
	if (y == -1 && x == INTWIDTH_MIN)
		irc_trap("signed overflow");
	return (TYPE)(x / y + (x % y != 0 && (x < 0) == (y < 0)));
}
`,
	"ceildiv_u": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (y == 0)
		irc_trap("division by zero");
	return (TYPE)(x / y + (x % y != 0));
}
`,
	"floordiv_i": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (y == 0)
		irc_trap("division by zero");
	if (y == -1 && x == INTWIDTH_MIN)
		irc_trap("signed overflow");
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
	return x > y || (x == y && signbit(y)) ? x : y;
}
`,
	"minimum_f": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (x != x || y != y)
		return x != x ? x : y;
	return x < y || (x == y && signbit(x)) ? x : y;
}
`,
	"maxnum_f": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (x != x || y != y)
		return x != x ? y : x;
	return x > y || (x == y && signbit(y)) ? x : y;
}
`,
	"minnum_f": `static inline TYPE NAME(TYPE x, TYPE y)
{
	if (x != x || y != y)
		return x != x ? y : x;
	return x < y || (x == y && signbit(x)) ? x : y;
}
`,
	"to_i": `static inline TYPE NAME(double x)
{
	double limit = ldexp(1.0, WIDTH - 1);
	return trunc(x) >= -limit && trunc(x) < limit ? (TYPE)x : 0;
}
`,
	"to_u": `static inline TYPE NAME(double x)
{
	return trunc(x) >= 0.0 && trunc(x) < ldexp(1.0, WIDTH) ? (TYPE)x : 0;
}
`,
}
