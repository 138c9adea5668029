// blas: a kernel of PolyBench by the routines of OpenBLAS, with the arrays and sizes of KERNEL, the file of its loops, and by
// ROUTINE, which is one of those below. It prints what that file does.
#include "../../polybench/testdata/pb.h"
#include <dlfcn.h>

#define kernel loops
#include KERNEL
#undef kernel

enum { row_major = 101, plain = 111, transposed = 112, lower = 122, unit = 132, left = 141 };

static void *routine(const char *name) {
	void *blas = dlopen("libopenblas.so.0", RTLD_NOW), *f = blas ? dlsym(blas, name) : NULL;
	if (!f) { fprintf(stderr, "%s\n", dlerror()); exit(3); }
	return f;
}

#if ROUTINE == 1 // D = 1.5 A B C + 1.2 D
void kernel(void) {
	void (*gemm)(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int) = routine("cblas_dgemm");
	gemm(row_major, plain, plain, NI, NJ, NK, 1.5, A[0], NK, B[0], NJ, 0, T[0], NJ);
	gemm(row_major, plain, plain, NI, NL, NJ, 1, T[0], NJ, C[0], NL, 1.2, D[0], NL);
}
#elif ROUTINE == 2 // the lower half of C = 1.5 (A B' + B A') + 1.2 C
void kernel(void) {
	void (*syr2k)(int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int) = routine("cblas_dsyr2k");
	syr2k(row_major, lower, plain, N, M, 1.5, A[0], M, B[0], M, 1.2, C[0], N);
}
#elif ROUTINE == 3 // B = 1.5 A' B, where A is lower triangular and has a diagonal of ones
void kernel(void) {
	void (*trmm)(int, int, int, int, int, int, int, double, const double *, int, double *, int) = routine("cblas_dtrmm");
	trmm(row_major, left, lower, transposed, unit, M, N, 1.5, A[0], M, B[0], N);
}
#endif
