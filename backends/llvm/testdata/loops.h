/* Made by irc. The ABI: a memref is a pointer to its element (0, ..., 0), then each
   size that its type leaves open, then, unless its layout is the identity, each such
   stride (in elements). Several results go to *out. */
#ifndef m_h
#define m_h

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* sum(memref<?xf64>) -> (f64) */
double sum(double *a0, int64_t a0_size0);

/* divide(i32, i32) -> (i32, i32) */
struct divide_results {
	int32_t r0;
	int32_t r1;
};
void divide(struct divide_results *out, int32_t a0, int32_t a1);

/* calls(i1, memref<4xf32>, memref<2x?xf32, layout>) -> (f32) */
float calls(bool a0, float *a1, float *a2, int64_t a2_size1, int64_t a2_stride0);

#ifdef __cplusplus
}
#endif

#endif
