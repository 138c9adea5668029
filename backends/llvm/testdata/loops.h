/* Made by irc. The ABI: a memref is a pointer to its element (0, ..., 0), then each
   size that its type leaves open, then, unless its layout is the identity, each such
   stride (in elements). Several results go to *results. */
#ifndef m_h
#define m_h

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* sum(memref<?xf64>) -> (f64) */
double sum(double *arg0, int64_t arg0_size0);

/* divide(i32, i32) -> (i32, i32) */
struct divide_results { int32_t result0; int32_t result1; };
void divide(struct divide_results *results, int32_t arg0, int32_t arg1);

/* calls(i1, memref<4xf32>, memref<2x?xf32, layout>) -> (f32) */
float calls(bool arg0, float *arg1, float *arg2, int64_t arg2_size1, int64_t arg2_stride0);

#ifdef __cplusplus
}
#endif

#endif
