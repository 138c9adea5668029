//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"runtime"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/irc-lang/irc/ir/unwind"
)

// Values of LLVM-C enumerations.
const (
	returnStatus     = 2 // LLVMReturnStatusAction
	relocPIC         = 2 // LLVMRelocPIC
	codeModelDefault = 0
	linkageExternal  = 0
	linkageWeakAny   = 5 // LLVMWeakAnyLinkage
	linkageWeakODR   = 6
)

// number is the digit of a level.
func number(l Level) int {
	if l == LevelDefault {
		return 3
	}
	return int(min(l, O3) - O0)
}

// module is IR being compiled, in a context of its own.
type module struct {
	l        *Library
	ll       string
	ctx, mod ref
	tm       ref
	triple   string
	dead     bool // LLVM gave up in the middle of a change
	errors   func() []string
	drop     func()
	timing   Timing
}

// prepare parses and verifies the text and sets its target.
func (l *Library) prepare(ll string, o Options, jit bool) (m *module, err error) {
	start := time.Now()
	m = &module{l: l, ll: ll}
	id, errors, drop := newSink()
	m.errors, m.drop = errors, drop
	m.ctx = l.c.ContextCreate()
	l.c.ContextSetDiagnosticHandler(m.ctx, handlers().diagnostic, id)
	err = m.guard("parse", func() error {
		if err := m.parse(); err != nil {
			return err
		}
		var msg uintptr
		broken := l.c.VerifyModule(m.mod, returnStatus, &msg)
		if text := l.message(msg); broken != 0 {
			return m.fail("verify", text)
		}
		return m.setTarget(o, jit)
	})
	m.timing.Parse = time.Since(start)
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// parse reads the text. LLVM copies it (its lexer wants a NUL at the end) and
// owns the copy.
func (m *module) parse() error {
	buf := m.l.c.CreateMemoryBufferWithMemoryRangeCopy(unsafe.Pointer(unsafe.StringData(m.ll)), uintptr(len(m.ll)), bufferName)
	runtime.KeepAlive(m.ll)
	var msg uintptr
	failed := m.l.c.ParseIRInContext(m.ctx, buf, &m.mod, &msg)
	text := m.l.message(msg)
	if failed != 0 {
		m.mod = 0
		return m.fail("parse", text)
	}
	return nil
}

// setTarget chooses the triple (option, module, host in this order), makes the
// target machine and gives the module its data layout.
func (m *module) setTarget(o Options, jit bool) error {
	c := m.l.c
	host, cpu, features := m.l.Host()
	own := c.GetTarget(m.mod)
	m.triple = host
	switch {
	case o.Triple != "":
		m.triple = m.l.message(c.NormalizeTargetTriple(o.Triple))
	case own != "":
		m.triple = m.l.message(c.NormalizeTargetTriple(own))
	}
	native := processor(m.triple) == processor(host)
	if o.CPU != "" || !native {
		cpu, features = o.CPU, o.Features
	} else if o.Features != "" {
		features += "," + o.Features
	}
	if err := m.l.initTarget(archOf(m.triple)); err != nil {
		return m.fail("target", err.Error())
	}
	var target ref
	var msg uintptr
	failed := c.GetTargetFromTriple(m.triple, &target, &msg)
	if text := m.l.message(msg); failed != 0 {
		return m.fail("target", text)
	}
	m.tm = c.CreateTargetMachine(target, m.triple, cpu, features, int32(number(o.Level)), relocPIC, codeModelDefault)
	if m.tm == 0 {
		return m.fail("target", "no code generator for "+m.triple)
	}
	if jit && !native {
		return m.fail("target", "the code is for "+m.triple+", and this machine is "+host)
	}
	c.SetTarget(m.mod, m.triple)
	return m.setLayout()
}

// setLayout gives the module the target's data layout. One that the text states
// differently is refused: its offsets were computed for another machine.
func (m *module) setLayout() error {
	c := m.l.c
	td := c.CreateTargetDataLayout(m.tm)
	defer c.DisposeTargetData(td)
	want := m.l.message(c.CopyStringRepOfTargetData(td))
	if own := c.GetDataLayoutStr(m.mod); own != "" && own != want {
		return m.fail("target", "the module's data layout is \""+own+"\" and that of "+m.triple+" is \""+want+"\"; leave it out of the module")
	}
	c.SetModuleDataLayout(m.mod, td)
	return nil
}

// processor is the first part of a triple, under one name.
func processor(triple string) string {
	arch, _, _ := strings.Cut(triple, "-")
	switch arch {
	case "amd64":
		return "x86_64"
	case "arm64":
		return "aarch64"
	}
	return arch
}

// archOf names the LLVM target of a triple.
func archOf(triple string) string {
	arch := processor(triple)
	switch {
	case arch == "x86_64" || strings.HasPrefix(arch, "i") && strings.HasSuffix(arch, "86"):
		return "X86"
	case arch == "aarch64":
		return "AArch64"
	}
	for _, x := range targetNames {
		if strings.HasPrefix(arch, x.arch) {
			return x.target
		}
	}
	return arch
}

// targetNames are the names of LLVM's targets, by how the first part of a triple begins.
var targetNames = []struct{ arch, target string }{
	{"nvptx", "NVPTX"}, {"arm", "ARM"}, {"thumb", "ARM"}, {"riscv", "RISCV"}, {"powerpc", "PowerPC"}, {"ppc", "PowerPC"},
	{"mips", "Mips"}, {"s390x", "SystemZ"}, {"sparc", "Sparc"}, {"loongarch", "LoongArch"}, {"wasm", "WebAssembly"}, {"hexagon", "Hexagon"},
}

// optimize runs the pass pipeline. Both vectorisers are on, as in LLVM's own
// tools; the C API leaves the SLP one off.
func (m *module) optimize(o Options) error {
	start := time.Now()
	defer func() { m.timing.Optimize += time.Since(start) }()
	c := m.l.c
	passes := o.Passes
	if passes == "" {
		passes = "default<O" + string(rune('0'+number(o.Level))) + ">"
	}
	return m.guard("optimize", func() error {
		opts := c.CreatePassBuilderOptions()
		defer c.DisposePassBuilderOptions(opts)
		on := int32(min(1, number(o.Level)/2)) // from O2 on
		c.PassBuilderOptionsSetLoopVectorization(opts, on)
		c.PassBuilderOptionsSetSLPVectorization(opts, on)
		c.PassBuilderOptionsSetLoopInterleaving(opts, on)
		if text := m.l.failure(c.RunPasses(m.mod, passes, m.tm, opts)); text != "" {
			return m.fail("optimize", text)
		}
		return m.reported("optimize")
	})
}

// emit generates code into a memory buffer, which the caller owns.
func (m *module) emit(kind Kind) (buf ref, err error) {
	start := time.Now()
	defer func() { m.timing.Codegen += time.Since(start) }()
	err = m.guard("codegen", func() error {
		var msg uintptr
		failed := m.l.c.TargetMachineEmitToMemoryBuffer(m.tm, m.mod, int32(kind), &msg, &buf)
		if text := m.l.message(msg); failed != 0 {
			return m.fail("codegen", text)
		}
		if err := m.reported("codegen"); err != nil {
			m.l.c.DisposeMemoryBuffer(buf)
			return err
		}
		return nil
	})
	return buf, err
}

// symbols are the functions and variables that the module defines for others,
// in order.
func (m *module) symbols() (functions, variables []string) {
	c := m.l.c
	for f := c.GetFirstFunction(m.mod); f != 0; f = c.GetNextFunction(f) {
		functions = m.appendSymbol(functions, f)
	}
	for g := c.GetFirstGlobal(m.mod); g != 0; g = c.GetNextGlobal(g) {
		variables = m.appendSymbol(variables, g)
	}
	return functions, variables
}

func (m *module) appendSymbol(names []string, v ref) []string {
	c := m.l.c
	external := slices.Contains([]int32{linkageExternal, linkageWeakAny, linkageWeakODR}, c.GetLinkage(v))
	if c.IsDeclaration(v) != 0 || !external {
		return names
	}
	return append(names, m.nameOf(v))
}

func (m *module) nameOf(v ref) string {
	var n uintptr
	p := m.l.c.GetValueName2(v, &n)
	return string(unsafe.Slice((*byte)(pointer(p)), n))
}

// reported is the error that LLVM gave the diagnostic handler, if any.
func (m *module) reported(phase string) error {
	if list := m.errors(); len(list) > 0 {
		return m.fail(phase, strings.Join(list, "\n"))
	}
	return nil
}

func (m *module) fail(phase, msg string) error { return compileError(phase, msg, m.ll) }

// guard runs f and turns LLVM's fatal error, after which LLVM would abort the
// process, into an error. The panic unwinds over LLVM's frames, which is allowed
// for Go (as for cgo) but runs no destructors: what the compilation held leaks.
// The library itself stays usable, since LLVM calls the handler without a lock.
func (m *module) guard(phase string, f func() error) (err error) {
	if msg, died := unwind.Catch[fatal](func() { err = f() }); died {
		m.dead = true
		return m.fail(phase, string(msg))
	}
	return err
}

// close frees the module, or leaks it when dead: its lists may be half linked.
func (m *module) close() {
	m.drop()
	if m.dead {
		return
	}
	c := m.l.c
	if m.tm != 0 {
		c.DisposeTargetMachine(m.tm)
	}
	if m.mod != 0 {
		c.DisposeModule(m.mod)
	}
	c.ContextDispose(m.ctx)
}
