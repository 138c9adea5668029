package c

import (
	"fmt"
	"strings"
)

// identifier replaces what C does not allow in a name.
func identifier(s string) string {
	out := strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, s)
	if out == "" || out[0] >= '0' && out[0] <= '9' || out[0] == '_' {
		out = "f" + out
	}
	return out
}

// fresh is an identifier of the file for a symbol, as like it as can be.
func (e *emitter) fresh(symbol string) string {
	name := identifier(symbol)
	if keywords[name] || libm[name] || library[name] || strings.HasPrefix(name, "irc_") {
		name += "_"
	}
	for base, n := name, 2; e.Taken[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	e.Taken[name] = true
	return name
}

// local is the name of an argument or a variable, which must not hide one of the file.
func (e *emitter) local(name string) string {
	for e.Taken[name] {
		name += "_"
	}
	return name
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// keywords are those of C, up to C23, and of usual compilers.
var keywords = set(`alignas alignof asm auto bool break case char const constexpr continue default do double else enum
	extern false float for goto if inline int long nullptr register restrict return short signed sizeof static
	static_assert struct switch thread_local true typedef typeof union unsigned void volatile while linux unix
	NULL NAN INFINITY EOF I`)

// libm is what math.h declares and programs of the IR call.
var libm = func() map[string]bool {
	out := map[string]bool{}
	for name := range set(`acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs
		fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint
		lround modf nan nearbyint nextafter nexttoward pow remainder remquo rint round scalbln scalbn sin sinh sqrt tan
		tanh tgamma trunc`) {
		out[name], out[name+"f"], out[name+"l"] = true, true, true
	}
	return out
}()

// library is what the other headers declare, and main, which is of another type in C.
var library = set(`main abort abs aligned_alloc alloca atexit atof atoi atol atoll bsearch calloc div exit free getenv labs
	ldiv llabs lldiv malloc mblen qsort quick_exit rand random realloc srand srandom strtod strtof strtol strtoul system
	clearerr fclose feof ferror fflush fgetc fgets fopen fprintf fputc fputs fread fscanf fseek ftell fwrite getc getchar
	getline gets perror printf putc putchar puts remove rename rewind scanf setbuf snprintf sprintf sscanf stderr stdin stdout
	tmpfile ungetc vfprintf vprintf dprintf select index rindex bcmp bcopy bzero memchr memcmp memcpy memmove memset memccpy
	strcat strchr strcmp strcpy strdup strlen strncat strncmp strncpy strstr strtok basename ffs y0 y1 yn j0 j1 jn
	gamma signgam drem significand finite isnan isinf signbit fpclassify isfinite isnormal exp10 pow10 sincos
	read write open close link unlink pipe`)
