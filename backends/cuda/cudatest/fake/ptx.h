// A small PTX machine: enough of the language to run what LLVM makes of the
// kernels of tests, one thread after the other between barriers.
#include <stddef.h>
#include <stdint.h>

enum { maxParams = 64, maxText = 512 };

typedef struct ptx_module ptx_module;
typedef struct ptx_entry ptx_entry;

typedef struct {
	uint32_t grid[3], block[3];
	uint32_t shared; // dynamic bytes
	const unsigned char *params; // of ptx_params bytes
	int reverse; // threads run last to first
} ptx_launch;

// Where global memory is: the host's address of n bytes, or NULL.
typedef void *(*ptx_memory)(uint64_t addr, size_t n);
// Makes memory for a variable of a module: returns the host's address and gives
// the device's.
typedef void *(*ptx_variable)(size_t n, uint64_t *addr);

// ptx_parse returns NULL and fills in log when the text is not understood.
ptx_module *ptx_parse(const char *text, ptx_variable make, char *log, size_t loglen);
void ptx_free(ptx_module *m);
ptx_entry *ptx_find(ptx_module *m, const char *name);
int ptx_global(ptx_module *m, const char *name, uint64_t *addr, size_t *bytes);
// ptx_params gives offset and size of each parameter and returns their number.
int ptx_params(ptx_entry *e, int offset[maxParams], int size[maxParams]);
// ptx_run returns a CUresult.
int ptx_run(ptx_entry *e, const ptx_launch *l, ptx_memory memory);
