//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"bufio"
	_ "embed"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/irc-lang/irc/backends/sandbox"
)

//go:embed runtime.ll
var runtimeIR string

// In a child the main goroutine stays on the main thread, whose stack grows up
// to the limit that setLimits sets; that of other threads is fixed. Descriptors
// that the parent inherited are none of the child's, and Go has made none yet.
func init() {
	if os.Getenv(childEnv) == "" {
		return
	}
	runtime.LockOSThread()
	// Said by us, the number of processors is not asked for again: Go would read it,
	// each second, from a file of the control group that is closed here.
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	if err := sandbox.CloseFiles(fdPrints + 1 + sandbox.Supervised()); err != nil {
		fmt.Fprintln(os.Stderr, "irc child:", err)
		os.Exit(1)
	}
}

// hooked holds, once ServeIfChild has run, the names of what a child of this
// program serves: then Start may re-execute it and be sure to get a child, not a
// second irc. The empty name is native code.
var hooked map[string]bool

// ServeIfChild must be called first in main, and in TestMain of tests that use
// Start. In a process made by Start it serves requests and never returns; in any
// other it returns at once. The services are those that Start may be asked for.
func ServeIfChild(services ...Service) {
	hooked = map[string]bool{"": true}
	s := &server{modules: map[uint32]*Code{}}
	for _, v := range services {
		hooked[v.Name] = true
		if v.Name == os.Getenv(serviceEnv) {
			s.service = v.Open
		}
	}
	if os.Getenv(childEnv) == "" {
		return
	}
	os.Unsetenv(childEnv)
	os.Unsetenv(serviceEnv)
	if err := s.serve(); err != nil {
		fmt.Fprintln(os.Stderr, "irc child:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// server is the child's state.
type server struct {
	lib     *Library
	page    *[noteWords]uint64
	rt      *Code
	symbols map[string]uintptr // of the runtime, for user modules
	log     struct{ data, len, dropped, max unsafe.Pointer }
	logMax  uint64 // bytes of print records of one request
	logSeen uint64 // length of the log when the running call began
	repeat  uintptr
	flush   uintptr
	free    uintptr
	modules map[uint32]*Code
	last    uint32
	threads int  // that a parallel loop runs on
	pool    bool // it is there

	service func() (ask func([]byte) ([]byte, error)) // instead of native code
	ask     func([]byte) ([]byte, error)
}

// serve says hello and answers requests until the parent closes the pipe.
func (s *server) serve() error {
	for _, fd := range []int{fdRequest, fdReply, fdArena} {
		syscall.CloseOnExec(fd)
	}
	in := gob.NewDecoder(bufio.NewReader(eager{os.NewFile(fdRequest, "requests")}))
	w := bufio.NewWriter(os.NewFile(fdReply, "replies"))
	out := gob.NewEncoder(w)
	go exitWithParent()
	hello := s.start()
	hello.Protocol = protocolVersion
	for r := hello; ; {
		if err := out.Encode(r); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
		q := new(request)
		if err := in.Decode(q); err != nil {
			return nil // the parent is done with us, or dead
		}
		r = s.answer(q)
	}
}

// exitWithParent waits until the request pipe has no writer any more. Polling
// for nothing still reports that, and works while native code runs.
func exitWithParent() {
	p := []pollfd{{fd: fdRequest}}
	for {
		n, _, errno := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p[0])), 1, 0, 0, 0, 0)
		if errno == 0 && n > 0 {
			// A parent that closed in good order expects the main loop to end us; the
			// delay lets it.
			time.Sleep(100 * time.Millisecond)
			os.Exit(0)
		}
		if errno != 0 && errno != syscall.EINTR {
			return
		}
	}
}

// start loads LLVM, compiles the runtime and installs the fault handler.
func (s *server) start() *reply {
	page, err := mapFile(fdArena, 0, pageSize)
	if err != nil {
		return &reply{Err: err.Error()}
	}
	s.page = words(page)
	if s.service != nil {
		s.page[noteState] = stateService
		s.ask = s.service()
		s.page[noteState] = stateIdle
		return &reply{}
	}
	if s.lib, err = Find(); err != nil {
		r := &reply{Err: err.Error()}
		errors.As(err, &r.Missing)
		return r
	}
	// O0: this is a good part of what a child takes to start.
	if s.rt, err = s.lib.Compile(runtimeIR, Options{Level: O0, Externs: []string{"_exit", "signal"}}); err != nil {
		return &reply{Err: "the runtime module: " + err.Error()}
	}
	if err := s.bindRuntime(); err != nil {
		return &reply{Err: err.Error()}
	}
	return &reply{Info: Info{Found: true, Path: s.lib.Path(), Version: s.lib.Version()}}
}

// bindRuntime looks up what the server and user modules need.
func (s *server) bindRuntime() error {
	s.symbols = map[string]uintptr{}
	for _, name := range s.rt.Symbols() {
		addr, err := s.rt.Lookup(name)
		if err != nil {
			return err
		}
		s.symbols[name] = addr
	}
	s.repeat = s.symbols["irc_repeat"]
	handler, denied := s.symbols["irc_on_fault"], s.symbols["irc_on_denied"]
	for _, name := range []string{"irc_repeat", "irc_on_fault", "irc_on_denied"} {
		delete(s.symbols, name)
	}
	var note, sp, pc, result unsafe.Pointer
	for name, p := range map[string]*unsafe.Pointer{
		"irc_log_data": &s.log.data, "irc_log_len": &s.log.len, "irc_log_dropped": &s.log.dropped, "irc_log_max": &s.log.max,
		"irc_fault_note": &note, "irc_fault_sp_at": &sp, "irc_fault_pc_at": &pc, "irc_result_at": &result,
	} {
		addr, err := s.rt.Lookup(name)
		if err != nil {
			return err
		}
		*p = pointer(addr)
	}
	// Offsets into ucontext_t of the kernel's ABI.
	at := [3]uint64{160, 168, 144} // uc_mcontext.gregs[RSP], [RIP], [RAX]
	if runtime.GOARCH == "arm64" {
		at = [3]uint64{432, 440, 184} // uc_mcontext.sp, .pc, .regs[0]
	}
	*(*uint64)(sp), *(*uint64)(pc), *(*uint64)(result) = at[0], at[1], at[2]
	*(*uintptr)(note) = uintptr(unsafe.Pointer(s.page)) // not in Go's heap
	prints, err := mapLog(fdPrints)
	if err != nil {
		return err
	}
	*(*uintptr)(s.log.len) = uintptr(unsafe.Pointer(unsafe.SliceData(prints))) // not in Go's heap
	*(*uintptr)(s.log.data) = uintptr(unsafe.Pointer(&prints[logStart]))
	s.log.len = unsafe.Pointer(unsafe.SliceData(prints))
	if s.flush, err = purego.Dlsym(purego.RTLD_DEFAULT, "fflush"); err != nil {
		return err
	}
	if s.free, err = purego.Dlsym(purego.RTLD_DEFAULT, "free"); err != nil {
		return err
	}
	return catchFaults(handler, denied)
}

// faults are the signals of native code's own doing.
var faults = []syscall.Signal{syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGABRT}

// catchFaults replaces Go's handlers of the signals that faulty native code
// raises, by way of libc, which knows the kernel's struct. The handler runs on
// the signal stack that Go gives every thread, so it also sees stack overflows.
func catchFaults(handler, denied uintptr) error {
	sigaction, err := purego.Dlsym(purego.RTLD_DEFAULT, "sigaction")
	if err != nil {
		return err
	}
	const siginfo, onStack, resetHand = 4, 0x08000000, 0x80000000
	var act struct { // struct sigaction of glibc, 64 bits
		handler  uintptr
		mask     [16]uint64
		flags    uint32
		restorer uintptr
	}
	install := func(sig syscall.Signal, handler uintptr, flags uint32) error {
		act.handler, act.flags = handler, siginfo|onStack|flags
		if r, _, _ := purego.SyscallN(sigaction, uintptr(sig), uintptr(unsafe.Pointer(&act)), 0); int32(r) != 0 {
			return fmt.Errorf("cannot handle %v", sig)
		}
		return nil
	}
	for _, sig := range faults {
		if err := install(sig, handler, 0); err != nil {
			return err
		}
	}
	for _, sig := range []syscall.Signal{syscall.SIGXFSZ, syscall.SIGPIPE} {
		if err := install(sig, 0, resetHand); err != nil { // the default: it kills
			return err
		}
	}
	return install(syscall.SIGSYS, denied, 0) // the filter's; it may be called again
}

// answer handles one request.
func (s *server) answer(q *request) *reply {
	s.page[noteSeen] = 1
	r := new(reply)
	var err error
	switch q.Op {
	case opLimits:
		s.logMax = uint64(q.Prints)
		err = s.closeIn(q, r)
	case opCompile:
		if s.lib == nil {
			return &reply{Err: "this child has no libLLVM"}
		}
		err = s.compile(q, r)
	case opDrop:
		if code := s.modules[q.Module]; code != nil {
			delete(s.modules, q.Module)
			err = code.Close()
		}
	case opMap:
		var mem []byte
		if mem, err = mapAligned(fdArena, q.Off, q.Size); err == nil {
			r.Addr = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(mem))))
		}
	case opRead:
		r.Data = make([]byte, q.Size)
		err = copyMemory(sysProcessVMReadv, r.Data, q.Addr)
		s.freeAll(q.Slots)
	case opWrite:
		err = copyMemory(sysProcessVMWritev, q.Data, q.Addr)
	case opFree:
		s.freeAll(q.Slots)
	case opCalls:
		err = s.calls(q)
	case opRepeat:
		err = s.callMany(q, r)
	case opAsk:
		s.page[noteState] = stateService
		if s.ask == nil {
			return &reply{Err: "this child serves native code only"}
		}
		r.Data, err = s.ask(q.Data)
	case opEmit:
		err = s.emit(q, r)
	default:
		err = fmt.Errorf("unknown request %d", q.Op)
	}
	s.page[noteState] = stateIdle
	if err != nil {
		r = &reply{Err: err.Error()}
		errors.As(err, &r.Compile)
	}
	return r
}

// freeAll gives memory that native code got from malloc back to libc.
func (s *server) freeAll(addrs []uint64) {
	if len(addrs) > 0 {
		s.page[noteState] = stateCall
	}
	for _, addr := range addrs {
		purego.SyscallN(s.free, uintptr(addr))
	}
}

// closeIn sets the limits of the process and, unless it serves a Service, closes the
// sandbox. What is to be loaded from files or asked of the system comes first.
func (s *server) closeIn(q *request, r *reply) error {
	native := s.service == nil
	s.threads = max(1, q.Threads)
	o := ChildOptions{Threads: s.threads}
	var err error
	if r.Size, err = (sandbox.Limits{Memory: q.Size, Output: q.Output, Stacks: o.stacks(), Hard: native}).Set(); err != nil || !native {
		return err
	}
	for _, lib := range q.Links {
		if _, err := purego.Dlopen(lib, purego.RTLD_NOW|purego.RTLD_GLOBAL); err != nil {
			return fmt.Errorf("-link: %w", err)
		}
	}
	s.lib.Host()
	r.Info.Sandbox = sandbox.Close()
	return nil
}

func (s *server) compile(q *request, r *reply) error {
	s.page[noteState] = stateCompile
	if !s.pool && strings.Contains(q.IR, poolCall) {
		if err := s.startPool(); err != nil {
			return err
		}
		s.pool = true
	}
	symbols := s.symbols
	if len(q.Options.Symbols) > 0 {
		symbols = map[string]uintptr{}
		for name, addr := range s.symbols {
			symbols[name] = addr
		}
		for name, addr := range q.Options.Symbols {
			symbols[name] = addr
		}
	}
	q.Options.Symbols = symbols
	code, err := s.lib.Compile(q.IR, q.Options)
	if err != nil {
		return err
	}
	s.last++
	s.modules[s.last] = code
	r.Module, r.Names, r.Timing = s.last, code.Symbols(), code.Timing()
	return nil
}

// emit is Library.Emit, or Optimize.
func (s *server) emit(q *request, r *reply) (err error) {
	s.page[noteState] = stateCompile
	if s.lib == nil {
		return errors.New("this child has no libLLVM")
	}
	if q.Count >= 0 {
		r.Data, err = s.lib.Emit(q.IR, Kind(q.Count), q.Options)
		return err
	}
	text, err := s.lib.Optimize(q.IR, q.Options)
	r.Data = []byte(text)
	return err
}

// resolve finds the functions of a request.
func (s *server) resolve(q *request) ([]uintptr, error) {
	code := s.modules[q.Module]
	if code == nil {
		return nil, errors.New("the module is closed")
	}
	fns := make([]uintptr, len(q.Symbols))
	for i, name := range q.Symbols {
		var err error
		if fns[i], err = code.Lookup(name); err != nil {
			return nil, err
		}
	}
	return fns, nil
}

func (s *server) calls(q *request) error {
	fns, err := s.resolve(q)
	if err != nil {
		return err
	}
	args, area := q.Slots, unsafe.Slice((*uint64)(pointer(uintptr(q.Addr))), q.Size/8)
	*(*uint64)(s.log.max), s.logSeen = s.logMax, 0
	s.page[noteState] = stateCall
	for i := range q.Fn {
		na, nr := q.NArgs[i], q.NRes[i]
		head, results := area[:headWords], area[headWords:][:nr:nr]
		s.page[noteCall], s.page[noteLog] = uint64(i), s.logSeen
		start := time.Now()
		status, err := CallSlots(fns[q.Fn[i]], args[:na:na], results)
		if err != nil {
			return err
		}
		length, dropped := s.takeLog()
		head[headStatus], head[headWall] = uint64(status), uint64(time.Since(start))
		head[headLog], head[headDropped] = uint64(length), dropped
		args, area = args[na:], area[headWords+nr:]
	}
	purego.SyscallN(s.flush, 0) // what printf still holds
	return nil
}

// takeLog tells how much of the log is of the call that just ended.
func (s *server) takeLog() (n uint32, dropped uint64) {
	length, lost := *(*uint64)(s.log.len), (*uint64)(s.log.dropped)
	n, dropped = uint32(length-s.logSeen), *lost
	s.logSeen, *lost = length, 0
	return n, dropped
}

func (s *server) callMany(q *request, r *reply) error {
	fns, err := s.resolve(q)
	if err != nil {
		return err
	}
	head := unsafe.Slice((*uint64)(pointer(uintptr(q.Addr))), headWords)
	done := make([]uint64, 1)
	args := []uint64{uint64(fns[0]), uint64(uintptr(unsafe.Pointer(unsafe.SliceData(q.Slots)))), q.Addr + 8*headWords, uint64(q.Count)}
	*(*uint64)(s.log.max), s.logSeen = s.logMax, 0
	s.page[noteState], s.page[noteCall], s.page[noteLog] = stateCall, 0, 0
	start := time.Now()
	status, err := CallSlots(s.repeat, args, done)
	wall := time.Since(start)
	runtime.KeepAlive(q.Slots)
	if err != nil {
		return err
	}
	length, dropped := s.takeLog()
	head[headStatus], head[headWall] = uint64(status), uint64(wall)
	head[headLog], head[headDropped] = uint64(length), dropped
	r.Size = int64(done[0])
	purego.SyscallN(s.flush, 0)
	return nil
}
