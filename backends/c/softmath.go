package c

import "strings"

// What freestanding code has in the place of functions of math.h that are exact: templates like those of helpers. They
// compute by integers, where the machine has no instruction for it. MANT and BIAS are of the type: a number is
// m * 2^(e - BIAS - MANT), where m has MANT + 1 bits.

// instruction defines a macro where the machine has an instruction for FUNCTION: Clang has a built-in that asks for it, as
// the others may call a library to set errno.
const instruction = `#ifdef __clang__
#if __has_builtin(__builtin_elementwise_FUNCTION) && (OTHERS || (defined(__ARM_FEATURE_FMA) && (__ARM_FP & BYTES)) || (defined(__riscv_flen) && __riscv_flen >= WIDTH))
#define IRC_FUNCTION_SUFFIX __builtin_elementwise_FUNCTION
#endif
#elif GCC
#define IRC_FUNCTION_SUFFIX __builtin_FUNCTIONF()
#endif
`

// instructionFor is instruction for a function, with what says that other machines have it, and that GCC does.
func instructionFor(function, others, gcc string) string {
	return strings.NewReplacer("FUNCTIONF()", function+"LETTER", "FUNCTION", function, "OTHERS", others, "GCC", gcc).Replace(instruction)
}

var softMath = map[string]string{
	"unordered_f":   "static inline bool NAME(TYPE x, TYPE y) { return x != x || y != y; }\n",
	"lessgreater_f": "static inline bool NAME(TYPE x, TYPE y) { return x < y || x > y; }\n",
	"fabs_f":        "static inline TYPE NAME(TYPE x) { return irc_bits_SUFFIX_uWIDTH(irc_bits_uWIDTH_SUFFIX(x) & (UINT)-1 >> 1); }\n",
	"copysign_f": `static inline TYPE NAME(TYPE x, TYPE y)
{
	UINT sign = (UINT)1 << (WIDTH - 1);
	return irc_bits_SUFFIX_uWIDTH((irc_bits_uWIDTH_SUFFIX(x) & ~sign) | (irc_bits_uWIDTH_SUFFIX(y) & sign));
}
`,
	"trunc_f": `static inline TYPE NAME(TYPE x)
{
	UINT u = irc_bits_uWIDTH_SUFFIX(x);
	int e = (int)(u << 1 >> (MANT + 1)) - BIAS;
	if (e >= MANT)
		return x;
	return irc_bits_SUFFIX_uWIDTH(e < 0 ? u >> (WIDTH - 1) << (WIDTH - 1) : u & ~(((UINT)1 << (MANT - e)) - 1));
}
`,
	"floor_f": `static inline TYPE NAME(TYPE x)
{
	TYPE t = irc_trunc_SUFFIX(x);
	return t > x ? t - 1 : t;
}
`,
	"ceil_f": `static inline TYPE NAME(TYPE x)
{
	TYPE t = irc_trunc_SUFFIX(x);
	return t < x ? t + 1 : t;
}
`,
	"round_f": `static inline TYPE NAME(TYPE x)
{
	TYPE t = irc_trunc_SUFFIX(x), d = 2 * (x - t);
	return d >= 1 ? t + 1 : d <= -1 ? t - 1 : t;
}
`,
	"rint_f": `static inline TYPE NAME(TYPE x)
{
	TYPE t = irc_trunc_SUFFIX(x), d = 2 * (x - t);
	bool odd = t != 2 * irc_trunc_SUFFIX(t / 2);
	return d > 1 || (d == 1 && odd) ? t + 1 : d < -1 || (d == -1 && odd) ? t - 1 : t;
}
`,
	"split_f": `/* The mantissa of a number that is finite and not zero, and its exponent. */
static inline UINT NAME(TYPE x, int *e)
{
	UINT u = irc_bits_uWIDTH_SUFFIX(x) << 1 >> 1, m = u & (((UINT)1 << MANT) - 1);
	*e = (int)(u >> MANT);
	if (*e != 0)
		return m | (UINT)1 << MANT;
	for (*e = 1; m >> MANT == 0; m <<= 1)
		--*e;
	return m;
}
`,
	"sqrt_f": instructionFor("sqrt", "defined(__SSE2__)", "defined(__NO_MATH_ERRNO__) && (defined(__SSE2__) || (defined(__ARM_FP) && (__ARM_FP & BYTES)) || (defined(__riscv_flen) && __riscv_flen >= WIDTH))") + `#ifdef IRC_sqrt_SUFFIX
static inline TYPE NAME(TYPE x)
{
	(void)irc_split_SUFFIX, (void)irc_bits_SUFFIX_uWIDTH; /* not needed here */
	return IRC_sqrt_SUFFIX(x);
}
#else
/* A bit a step, as long division goes. */
static TYPE NAME(TYPE x)
{
	if (!(x > 0) || x - x != 0)
		return x < 0 ? (x - x) / (x - x) : x;
	int e;
	UINT m = irc_split_SUFFIX(x, &e), q = 0, s = 0;
	e -= BIAS;
	m <<= 1 + (e & 1);
	for (UINT r = (UINT)1 << (MANT + 1); r != 0; r >>= 1) {
		if (s + r <= m) {
			m -= s + r;
			s += 2 * r;
			q += r;
		}
		m <<= 1;
	}
	if (m != 0)
		q += q & 1;
	return irc_bits_SUFFIX_uWIDTH((q >> 1) + ((UINT)(BIAS - 1 + (e - (e & 1)) / 2) << MANT));
}
#endif
`,
	"fmod_f": `static TYPE NAME(TYPE x, TYPE y)
{
	if (y == 0 || y != y || x - x != 0)
		return (x * y) / (x * y);
	if (irc_fabs_SUFFIX(x) < irc_fabs_SUFFIX(y) || x == 0)
		return x;
	int ex, ey;
	UINT m = irc_split_SUFFIX(x, &ex), n = irc_split_SUFFIX(y, &ey);
	for (; ex > ey; ex--)
		m = (m >= n ? m - n : m) << 1;
	if (m >= n)
		m -= n;
	if (m == 0)
		return irc_copysign_SUFFIX(0, x);
	for (; m >> MANT == 0; m <<= 1)
		ey--;
	return irc_copysign_SUFFIX(irc_bits_SUFFIX_uWIDTH(ey > 0 ? ((UINT)(ey - 1) << MANT) + m : m >> (1 - ey)), x);
}
`,
	"fma_f": instructionFor("fma", "defined(__FMA__)", "defined(__FP_FAST_FMAISF)") + `#ifdef IRC_fma_SUFFIX
static inline TYPE NAME(TYPE x, TYPE y, TYPE z)
{
	(void)irc_split_SUFFIX, (void)irc_bits_SUFFIX_uWIDTH; /* not needed here */
	return IRC_fma_SUFFIX(x, y, z);
}
#else
/* x * y + z, rounded once: exact in two words, whose last bit says whether there is more below. */
static TYPE NAME(TYPE x, TYPE y, TYPE z)
{
	if (x - x != 0 || y - y != 0 || x == 0 || y == 0)
		return x * y + z;
	if (z - z != 0)
		return z;
	if (z == 0)
		return x * y;
	int ex, ey, ez;
	UINT mx = irc_split_SUFFIX(x, &ex), my = irc_split_SUFFIX(y, &ey), mz = irc_split_SUFFIX(z, &ez);
	UINT sign = (irc_bits_uWIDTH_SUFFIX(x) ^ irc_bits_uWIDTH_SUFFIX(y)) >> (WIDTH - 1), signz = irc_bits_uWIDTH_SUFFIX(z) >> (WIDTH - 1);

	/* The product, so that bit WIDTH - 2 of the upper word is its first. */
	const UINT low = ((UINT)1 << (WIDTH / 2)) - 1;
	UINT mid = (mx >> (WIDTH / 2)) * (my & low) + ((mx & low) * (my & low) >> (WIDTH / 2));
	UINT mid2 = (mx & low) * (my >> (WIDTH / 2)) + (mid & low);
	UINT hi = (mx >> (WIDTH / 2)) * (my >> (WIDTH / 2)) + (mid >> (WIDTH / 2)) + (mid2 >> (WIDTH / 2)), lo = mx * my;
	int e = ex + ey - BIAS + 1, shift = 2 * WIDTH - 3 - 2 * MANT;
	hi = hi << shift | lo >> (WIDTH - shift);
	lo <<= shift;
	if (hi >> (WIDTH - 2) == 0) {
		hi = hi << 1 | lo >> (WIDTH - 1);
		lo <<= 1;
		e--;
	}
	UINT hiz = mz << (WIDTH - 2 - MANT), loz = 0;
	if (e < ez || (e == ez && hi < hiz)) { /* the greater one first */
		UINT u = hi;
		hi = hiz, hiz = u;
		u = lo, lo = loz, loz = u;
		u = sign, sign = signz, signz = u;
		int k = e;
		e = ez, ez = k;
	}
	int d = e - ez;
	if (d >= 2 * WIDTH)
		hiz = 0, loz = 1;
	else if (d >= WIDTH)
		loz = hiz >> (d - WIDTH) | (loz != 0 || (d > WIDTH && hiz << (2 * WIDTH - d) != 0)), hiz = 0;
	else if (d > 0)
		loz = loz >> d | hiz << (WIDTH - d) | (loz << (WIDTH - d) != 0), hiz >>= d;
	if (sign == signz) {
		lo += loz;
		hi += hiz + (lo < loz);
	} else {
		hi -= hiz + (lo < loz);
		lo -= loz;
	}
	if (hi == 0 && lo == 0)
		return 0;
	for (e++; hi >> (WIDTH - 1) == 0; e--) {
		hi = hi << 1 | lo >> (WIDTH - 1);
		lo <<= 1;
	}
	hi |= lo != 0;
	if (e > 2 * BIAS)
		return irc_bits_SUFFIX_uWIDTH(sign << (WIDTH - 1) | (UINT)(2 * BIAS + 1) << MANT);
	if (e <= 0) { /* subnormal */
		hi = 1 - e >= WIDTH ? 1 : hi >> (1 - e) | (hi << (WIDTH - 1 + e) != 0);
		e = 1;
	}
	UINT m = hi >> (WIDTH - 1 - MANT), rest = hi << (MANT + 1), half = (UINT)1 << (WIDTH - 1);
	m += rest > half || (rest == half && (m & 1));
	return irc_bits_SUFFIX_uWIDTH(sign << (WIDTH - 1) | (((UINT)(e - 1) << MANT) + m));
}
#endif
`,
}
