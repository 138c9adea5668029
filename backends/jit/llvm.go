//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// ref is any opaque pointer of the C API.
type ref = uintptr

// capi is the part of LLVM-C that is used. The field X is bound to the symbol
// LLVMX. Everything here exists in every version from 16 on; calls that newer
// versions dropped (LLVMOrcThreadSafeContextGetContext) are avoided by giving
// the JIT object files, not modules.
type capi struct {
	GetVersion func(major, minor, patch *uint32)

	ContextCreate               func() ref
	ContextDispose              func(ctx ref)
	ContextSetDiagnosticHandler func(ctx ref, handler, arg uintptr)
	GetDiagInfoDescription      func(info ref) uintptr
	GetDiagInfoSeverity         func(info ref) int32
	InstallFatalErrorHandler    func(handler uintptr)
	DisposeMessage              func(msg uintptr)
	GetErrorMessage             func(err ref) uintptr
	DisposeErrorMessage         func(msg uintptr)

	CreateMemoryBufferWithMemoryRangeCopy func(data unsafe.Pointer, n uintptr, name string) ref
	GetBufferStart                        func(buf ref) uintptr
	GetBufferSize                         func(buf ref) uintptr
	DisposeMemoryBuffer                   func(buf ref)
	ParseIRInContext                      func(ctx, buf ref, mod *ref, msg *uintptr) int32
	VerifyModule                          func(mod ref, action int32, msg *uintptr) int32
	DisposeModule                         func(mod ref)
	PrintModuleToString                   func(mod ref) uintptr
	GetTarget                             func(mod ref) string
	SetTarget                             func(mod ref, triple string)
	GetDataLayoutStr                      func(mod ref) string
	SetModuleDataLayout                   func(mod, layout ref)
	GetFirstFunction                      func(mod ref) ref
	GetNextFunction                       func(fn ref) ref
	GetFirstGlobal                        func(mod ref) ref
	GetNextGlobal                         func(v ref) ref
	IsDeclaration                         func(v ref) int32
	GetLinkage                            func(v ref) int32
	GetValueName2                         func(v ref, n *uintptr) uintptr

	ParseCommandLineOptions         func(n int32, args unsafe.Pointer, overview uintptr)
	GetDefaultTargetTriple          func() uintptr
	NormalizeTargetTriple           func(triple string) uintptr
	GetHostCPUName                  func() uintptr
	GetHostCPUFeatures              func() uintptr
	GetTargetFromTriple             func(triple string, target *ref, msg *uintptr) int32
	CreateTargetMachine             func(t ref, triple, cpu, features string, level, reloc, model int32) ref
	DisposeTargetMachine            func(tm ref)
	CreateTargetDataLayout          func(tm ref) ref
	DisposeTargetData               func(td ref)
	CopyStringRepOfTargetData       func(td ref) uintptr
	TargetMachineEmitToMemoryBuffer func(tm, mod ref, kind int32, msg *uintptr, out *ref) int32

	CreatePassBuilderOptions                         func() ref
	DisposePassBuilderOptions                        func(o ref)
	PassBuilderOptionsSetLoopVectorization           func(o ref, on int32)
	PassBuilderOptionsSetSLPVectorization            func(o ref, on int32)
	PassBuilderOptionsSetLoopInterleaving            func(o ref, on int32)
	RunPasses                                        func(mod ref, passes string, tm, o ref) ref
	OrcCreateLLJIT                                   func(jit *ref, builder ref) ref
	OrcDisposeLLJIT                                  func(jit ref) ref
	OrcLLJITGetExecutionSession                      func(jit ref) ref
	OrcLLJITGetMainJITDylib                          func(jit ref) ref
	OrcLLJITGetGlobalPrefix                          func(jit ref) int8
	OrcLLJITMangleAndIntern                          func(jit ref, name string) ref
	OrcLLJITAddObjectFile                            func(jit, dylib, buf ref) ref
	OrcLLJITLookup                                   func(jit ref, addr *uint64, name string) ref
	OrcExecutionSessionSetErrorReporter              func(es ref, handler, arg uintptr)
	OrcJITDylibAddGenerator                          func(dylib, gen ref)
	OrcJITDylibDefine                                func(dylib, unit ref) ref
	OrcAbsoluteSymbols                               func(pairs unsafe.Pointer, n uintptr) ref
	OrcDisposeMaterializationUnit                    func(unit ref)
	OrcCreateDynamicLibrarySearchGeneratorForProcess func(gen *ref, prefix int8, filter, arg uintptr) ref
}

// bind fills the table from a loaded library.
func (c *capi) bind(handle uintptr) error {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		name := "LLVM" + v.Type().Field(i).Name
		addr, err := purego.Dlsym(handle, name)
		if err != nil {
			return fmt.Errorf("it lacks %s (irc needs LLVM 16 or newer)", name)
		}
		purego.RegisterFunc(v.Field(i).Addr().Interface(), addr)
	}
	return nil
}

// options are settings that LLVM has no function for.
var options = []string{
	// Of a nest LLVM would check once, before it, that the rounds of inner loops are independent. That fails if those of
	// one inner loop are not: row i of P[i, j] = P[i, k] + P[k, j] is row k in one round of i. So each loop has its check.
	"-hoist-runtime-checks=false",
}

// setOptions sets the options of the version that irc is tested with: of others they are not known, and LLVM exits
// where it does not know one.
func (l *Library) setOptions() {
	if l.version[0] != uint32(versions[0]) {
		return
	}
	var list []unsafe.Pointer
	for _, o := range append([]string{"irc"}, options...) {
		list = append(list, unsafe.Pointer(unsafe.StringData(o+"\x00")))
	}
	l.c.ParseCommandLineOptions(int32(len(list)), unsafe.Pointer(unsafe.SliceData(list)), 0)
}

// Library is a loaded libLLVM. Its methods may be used from several goroutines.
type Library struct {
	c       *capi
	handle  uintptr
	path    string
	version [3]uint32

	targets sync.Map // architecture name -> error, for targets already initialised

	hostOnce                    sync.Once
	hostTriple, hostCPU, hostFS string
}

// Path is the name or path by which the library was loaded.
func (l *Library) Path() string { return l.path }

// Version is LLVM's version, as "19.1.7".
func (l *Library) Version() string {
	return fmt.Sprintf("%d.%d.%d", l.version[0], l.version[1], l.version[2])
}

// Host is the machine that code is compiled for unless Options say otherwise.
func (l *Library) Host() (triple, cpu, features string) {
	l.hostOnce.Do(func() {
		l.hostTriple = l.message(l.c.GetDefaultTargetTriple())
		l.hostCPU = l.message(l.c.GetHostCPUName())
		l.hostFS = l.message(l.c.GetHostCPUFeatures())
	})
	return l.hostTriple, l.hostCPU, l.hostFS
}

// message copies and frees a string that LLVM allocated.
func (l *Library) message(msg uintptr) string {
	if msg == 0 {
		return ""
	}
	defer l.c.DisposeMessage(msg)
	return cString(msg)
}

// failure makes Go's text of an LLVMErrorRef, which it consumes; "" is success.
func (l *Library) failure(err ref) string {
	if err == 0 {
		return ""
	}
	msg := l.c.GetErrorMessage(err)
	defer l.c.DisposeErrorMessage(msg)
	return cString(msg)
}

// A fatal is what the fatal error handler panics with.
type fatal string

// handlers are C entry points of Go functions, made once: purego never frees one.
var handlers = sync.OnceValue(func() (h struct{ fatal, diagnostic, session uintptr }) {
	h.fatal = purego.NewCallback(func(reason uintptr) { panic(fatal(cString(reason))) })
	h.diagnostic = purego.NewCallback(onDiagnostic)
	h.session = purego.NewCallback(onSessionError)
	return h
})

// sinks collects what LLVM reports to a handler, by the number given to it.
var sinks struct {
	sync.Mutex
	next uintptr
	text map[uintptr][]string
}

// newSink returns a number for a handler's argument and a function that returns
// the errors reported so far; drop forgets them.
func newSink() (id uintptr, errors func() []string, drop func()) {
	sinks.Lock()
	defer sinks.Unlock()
	if sinks.text == nil {
		sinks.text = map[uintptr][]string{}
	}
	sinks.next++
	id = sinks.next
	sinks.text[id] = nil
	errors = func() []string {
		sinks.Lock()
		defer sinks.Unlock()
		return sinks.text[id]
	}
	drop = func() {
		sinks.Lock()
		defer sinks.Unlock()
		delete(sinks.text, id)
	}
	return id, errors, drop
}

func report(id uintptr, text string) {
	sinks.Lock()
	defer sinks.Unlock()
	if old, ok := sinks.text[id]; ok {
		sinks.text[id] = append(old, text)
	}
}

// onDiagnostic keeps errors; warnings and remarks are dropped. Without a handler
// LLVM prints an error and exits.
func onDiagnostic(info, id uintptr) {
	l := loaded.Load()
	if l == nil || l.c.GetDiagInfoSeverity(info) != 0 {
		return
	}
	report(id, l.message(l.c.GetDiagInfoDescription(info)))
}

// onSessionError takes errors of the linker that no caller is waiting for.
func onSessionError(id, err uintptr) {
	if l := loaded.Load(); l != nil {
		report(id, l.failure(err))
	}
}

// pointer makes a pointer of an address outside Go's heap. The detour tells vet
// that no integer arithmetic on Go pointers is meant.
func pointer(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

// cString copies a NUL-terminated string.
func cString(addr uintptr) string {
	if addr == 0 {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(pointer(addr), n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(pointer(addr)), n))
}

// initTarget makes an architecture's code generator known to LLVM. The names are
// those of LLVM's initialisation functions.
func (l *Library) initTarget(arch string) error {
	if err, ok := l.targets.Load(arch); ok {
		e, _ := err.(error)
		return e
	}
	err := l.initTargetOnce(arch)
	l.targets.Store(arch, err)
	return err
}

func (l *Library) initTargetOnce(arch string) error {
	for _, part := range []string{"TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser"} {
		addr, err := purego.Dlsym(l.handle, "LLVMInitialize"+arch+part)
		switch {
		case err == nil:
			purego.SyscallN(addr)
		case part != "AsmParser": // NVPTX has none
			return fmt.Errorf("%s was built without the %s target", l.path, arch)
		}
	}
	return nil
}

// hostArch is LLVM's name of the architecture we run on.
func hostArch() string {
	if runtime.GOARCH == "arm64" {
		return "AArch64"
	}
	return "X86"
}
