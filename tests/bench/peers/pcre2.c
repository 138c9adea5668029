// pcre2: which lines of a file match a pattern as a whole. Usage: pcre2 FILE TURNS PATTERN...
// prints for each pattern the least seconds of the turns, and how many lines match. Lines are found before.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
	FILE *f = argc > 3 ? fopen(argv[1], "rb") : 0;
	if (!f) return 2;
	fseek(f, 0, SEEK_END);
	long size = ftell(f), lines = 0;
	rewind(f);
	char *text = malloc(size);
	if (!text || fread(text, 1, size, f) != (size_t)size) return 3;
	for (char *p = text; (p = memchr(p, '\n', text + size - p)); p++) lines++;
	long *start = malloc((lines + 1) * sizeof *start), k = 0;
	start[0] = 0;
	for (char *p = text; (p = memchr(p, '\n', text + size - p)); p++) start[++k] = p + 1 - text;
	for (int a = 3; a < argc; a++) {
		int error;
		size_t at;
		pcre2_code *re = pcre2_compile((PCRE2_SPTR)argv[a], PCRE2_ZERO_TERMINATED, PCRE2_ANCHORED | PCRE2_ENDANCHORED, &error, &at, 0);
		if (!re || pcre2_jit_compile(re, PCRE2_JIT_COMPLETE)) return 4;
		pcre2_match_data *match = pcre2_match_data_create(1, 0);
		double best = 0;
		long found = 0;
		for (int turn = 0; turn < atoi(argv[2]); turn++) {
			double t = now();
			found = 0;
			for (long i = 0; i < lines; i++)
				found += pcre2_jit_match(re, (PCRE2_SPTR)text + start[i], start[i + 1] - 1 - start[i], 0, 0, match, 0) >= 0;
			t = now() - t;
			if (!turn || t < best) best = t;
		}
		printf("%.9f %ld\n", best, found);
	}
	return 0;
}
