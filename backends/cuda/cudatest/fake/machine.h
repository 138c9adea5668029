// What ptx.c (the parser) and run.c share.
#include "ptx.h"

enum type { NONE, PRED, B8, B16, B32, B64, U8, U16, U32, U64, S8, S16, S32, S64, F16, F32, F64 };
enum space { GENERIC, GLOBAL, SHARED, LOCAL, PARAM };
enum { sharedWindow = 0x1000000, windowSize = 0x1000000, localWindow = 0x2000000 };

typedef struct { char name[maxText]; uint64_t at; size_t size; enum space space; } symbol;

// An operand is a register, a value, or memory at register + value.
typedef struct {
	enum { NOTHING, REG, IMM, SREG, MEM, LIST } kind;
	int reg; // REG, SREG; of MEM: the base, or -1
	uint64_t imm;
	int negated;
	int list[4], n; // LIST: registers, -1 for _
} operand;

typedef struct thread thread;
typedef struct insn insn;

struct insn {
	void (*run)(thread *, const insn *);
	int guard, guardNot; // register or -1
	char op[maxText]; // all of it, for messages
	char root[32];
	char mods[12][16];
	int nmods;
	enum type type, from; // last and last but one type of the name
	enum space space;
	operand a[6];
	int n;
	int target; // of a branch
	char label[maxText];
	int line;
};

struct ptx_entry {
	char name[maxText];
	int nparams, offset[maxParams], size[maxParams], paramBytes;
	insn *code;
	int ncode, nregs;
	size_t shared, local;
};

enum { maxEntries = 64, maxSymbols = 256 };

struct ptx_module {
	ptx_entry entries[maxEntries];
	int nentries;
	symbol globals[maxSymbols];
	int nglobals;
	size_t shared; // of variables outside of functions
};

// ptx_decode finds what runs an instruction, or NULL.
void (*ptx_decode(const insn *i))(thread *, const insn *);
int type_size(enum type t);
int has_mod(const insn *i, const char *mod);
