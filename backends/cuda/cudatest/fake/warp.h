// What run.c and warp.c share: threads, blocks and the memory that they see.
#include "machine.h"

typedef struct {
	const ptx_entry *e;
	const ptx_launch *l;
	ptx_memory memory;
	uint32_t id[3];
	unsigned char *shared;
	size_t nshared;
	int err;
} block;

enum { maxCopies = 256, warpSize = 32 };

// A copy to shared memory that is under way; group 0 is none.
typedef struct { uint64_t at; int n, group; unsigned char data[16]; } copy;

struct thread {
	block *b;
	uint64_t *r;
	unsigned char *local;
	uint32_t id[3], number;
	int pc;
	enum { RUNS, WAITS, MEETS, DONE } state;
	const insn *at; // where it meets the others of its warp
	copy copies[maxCopies];
	int ncopies, groups;
};

enum { illegalAddress = 700, misaligned = 716, launchFailed = 719 };

uint64_t get(const thread *t, const operand *o);
uint64_t address(const thread *t, const operand *o);
unsigned char *place(thread *t, enum space space, uint64_t addr, size_t n);

// half is an f16 as a float.
float half(uint32_t h);
// meets stops a thread until its warp is there.
void meets(thread *t, const insn *i);
// warp_runs has the warps run on that are whole at one instruction, and says whether there is one.
int warp_runs(block *b, thread *threads, int n);
// copy_async begins, groups and awaits copies.
void copy_async(thread *t, const insn *i);
