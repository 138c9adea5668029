// Prints the arrays of a kernel: a line each, its name and its elements.
#undef main
static void floats(const char *name, const double *x, size_t n)
{
	printf("%s", name);
	for (size_t i = 0; i < n; i++)
		printf(" %a", x[i]);
	printf("\n");
}

static void ints(const char *name, const int *x, size_t n)
{
	printf("%s", name);
	for (size_t i = 0; i < n; i++)
		printf(" %d", x[i]);
	printf("\n");
}
