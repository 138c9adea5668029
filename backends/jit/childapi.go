package jit

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"syscall"
	"time"
)

// ChildOptions say how to run the child process. The zero value is usable.
type ChildOptions struct {
	Executable string          // empty: this program; its main must call ServeIfChild
	Stdout     io.Writer       // what native code writes to standard output; nil drops it
	Stderr     io.Writer       // and to standard error
	Memory     int64           // bytes the child may allocate once started; 0 is 4 GiB, negative no limit
	Output     int64           // bytes one request may write to standard output; 0 is 64 MiB
	Prints     int64           // bytes of print records (9 each, and strings) of one request; 0 is 64 MiB
	StartLimit time.Duration   // how long loading LLVM may take; 0 is 30 s
	Service    string          // the name of the Service to run instead of native code
	Printed    func([]Printed) // gets what calls print while they run; their Results have none of it then
	Env        []string        // "NAME=value" for a Service, of what the environment of this process does not set
	Threads    int             // on which a parallel loop runs; 0 is 1
	MustHold   bool            // fail unless the sandbox and the limits hold
	NoGroup    bool            // make no control group for the child: what else there is holds its limits
	Link       []string        // shared libraries to load before the sandbox closes, for Options.Externs
	Shared     *Shared         // what buffers are cut from, of children before this one too; nil: memory of its own
}

// A Service answers requests of its own in a child process, for another library
// that may crash or hang: the CUDA driver. Its child has no libLLVM: it serves
// Ask, and Alloc, Read and Write, but not Compile, and it is in no sandbox: a driver
// opens devices.
type Service struct {
	Name string // as faults call it: "the CUDA driver"
	// Open runs in the child, on its main thread, as do all calls of what it gives.
	Open func() (ask func(request []byte) ([]byte, error))
}

// A Fault is the end of a child by something other than Close. The child is
// gone; its buffers are still readable until Close.
type Fault struct {
	Signal syscall.Signal // what killed the child; 0 if it exited by itself
	Detail string         // one sentence
	Symbol string         // the function that was running, if known
	Call   int            // its index in the batch, or -1
	Addr   uint64         // the faulting address, where the signal has one
	Err    error          // the context's error, if that ended the child
	Memory bool           // it was killed because it took more memory than it may have

	Printed    []Printed // what the call that was running had printed, unless ChildOptions.Printed got it
	Unreceived bool      // the request had not arrived: another child may be asked the same

	log []byte // of all calls
}

func (f *Fault) Error() string {
	if f.Symbol == "" {
		return f.Detail
	}
	return fmt.Sprintf("@%s: %s", f.Symbol, f.Detail)
}

// Unwrap gives context.DeadlineExceeded or context.Canceled for a timeout.
func (f *Fault) Unwrap() error { return f.Err }

// Malloc is the environment in which native code allocates memory. A page of fresh
// memory costs a fault, 0.25 to 1.5 us, and of random accesses to small pages each is a
// walk of their table: so pages are huge where the system allows (glibc.malloc.hugetlb). A gigabyte that was
// freed stays for the next call (no mmap for large blocks, and a threshold for giving back the rest). The
// number of arenas is given, since libc would ask a file for that of processors when a ninth thread
// allocates, and a file is nothing that the sandbox has.
const Malloc = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=1073741824:glibc.malloc.arena_max=8"

// A Call asks for one run of a thunk.
type Call struct {
	Symbol  string
	Args    []uint64
	Results int // number of result slots
}

// A Result is what one Call gave.
type Result struct {
	Status  int32 // 0 is success, else the thunk's trap code
	Results []uint64
	Printed []Printed
	Dropped uint64 // print records beyond ChildOptions.Prints
	Wall    time.Duration
}

// A PrintKind tells how to read Printed.Bits.
type PrintKind uint8

// The kinds that runtime.ll records. irc_print_bits may record others.
const (
	PrintNewline PrintKind = iota
	PrintI1
	PrintI64
	PrintU64
	PrintF32
	PrintF64
	PrintStr
)

// Printed is one thing that native code printed.
type Printed struct {
	Kind PrintKind
	Bits uint64 // the value's bits; for PrintStr the length
	Text string // for PrintStr
}

// String formats the value: floats as the shortest text that reads back as the
// same value, a newline as "\n", an unknown kind as hexadecimal bits.
func (p Printed) String() string {
	switch p.Kind {
	case PrintNewline:
		return "\n"
	case PrintI1:
		return strconv.FormatBool(p.Bits&1 != 0)
	case PrintI64:
		return strconv.FormatInt(int64(p.Bits), 10)
	case PrintU64:
		return strconv.FormatUint(p.Bits, 10)
	case PrintF32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(p.Bits))), 'g', -1, 32)
	case PrintF64:
		return strconv.FormatFloat(math.Float64frombits(p.Bits), 'g', -1, 64)
	case PrintStr:
		return p.Text
	}
	return "0x" + strconv.FormatUint(p.Bits, 16)
}
