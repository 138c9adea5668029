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

/* v(vector<4xf32>, vector<4xf32>) -> (vector<4xf32>) */
/* not callable from C: argument #0 has a type that C lacks */

/* d(vector<2x2xi16>, vector<2x2xi16>) -> (vector<2x2xi16>) */
/* not callable from C: argument #0 has a type that C lacks */

#ifdef __cplusplus
}
#endif

#endif
