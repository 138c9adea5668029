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

/* ahead(memref<?x4xi64>, index, index) -> () */
void ahead(int64_t *arg0, int64_t arg0_size0, int64_t arg1, int64_t arg2);

#ifdef __cplusplus
}
#endif

#endif
