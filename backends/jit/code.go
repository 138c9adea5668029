//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Code is a module compiled into this process. Addresses that Lookup gave are
// valid until Close. Its methods may be used from several goroutines.
type Code struct {
	l       *Library
	mu      sync.Mutex
	jit     ref      // 0 once closed
	names   []string // functions
	vars    []string
	addrs   map[string]uintptr
	timing  Timing
	session func() []string
	drop    func()
}

// Compile makes the functions of a module callable in this process. They may
// use o.Symbols, what LLVM makes calls of, and of what else the process exports
// o.Externs; another name is an error here, not at the call. Errors are
// *CompileError.
func (l *Library) Compile(ll string, o Options) (*Code, error) {
	m, err := l.prepare(ll, o, true)
	if err != nil {
		return nil, err
	}
	defer m.close()
	if err := m.guard("link", func() error { return m.undefined(o) }); err != nil {
		return nil, err
	}
	if err := m.checkHost(o); err != nil {
		return nil, err
	}
	if err := m.optimize(o); err != nil {
		return nil, err
	}
	code := &Code{l: l, addrs: map[string]uintptr{}}
	code.names, code.vars = m.symbols()
	buf, err := m.emit(Object)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	err = m.guard("link", func() error {
		if err := code.link(buf, o.Symbols); err != nil {
			return m.fail("link", err.Error())
		}
		return nil
	})
	if err != nil {
		if !m.dead {
			code.Close() // its own failure would only repeat this one
		}
		return nil, err
	}
	code.timing = m.timing
	code.timing.Link = time.Since(start)
	return code, nil
}

// link loads the object file, which it consumes, and resolves its first symbol:
// this links the whole object.
func (c *Code) link(obj ref, symbols map[string]uintptr) error {
	api := c.l.c
	if msg := c.l.failure(api.OrcCreateLLJIT(&c.jit, 0)); msg != "" {
		api.DisposeMemoryBuffer(obj)
		return errors.New(msg)
	}
	id, session, drop := newSink()
	c.session, c.drop = session, drop
	api.OrcExecutionSessionSetErrorReporter(api.OrcLLJITGetExecutionSession(c.jit), handlers().session, id)
	dylib := api.OrcLLJITGetMainJITDylib(c.jit)
	if err := c.define(dylib, symbols); err != nil {
		api.DisposeMemoryBuffer(obj)
		return err
	}
	var gen ref
	if msg := c.l.failure(api.OrcCreateDynamicLibrarySearchGeneratorForProcess(&gen, api.OrcLLJITGetGlobalPrefix(c.jit), 0, 0)); msg != "" {
		api.DisposeMemoryBuffer(obj)
		return errors.New(msg)
	}
	api.OrcJITDylibAddGenerator(dylib, gen)
	if msg := c.l.failure(api.OrcLLJITAddObjectFile(c.jit, dylib, obj)); msg != "" {
		return errors.New(msg)
	}
	if all := slices.Concat(c.names, c.vars); len(all) > 0 {
		_, err := c.Lookup(all[0])
		return err
	}
	return nil
}

// symbolPair is LLVMOrcCSymbolMapPair: a name, an address, two bytes of flags.
type symbolPair struct {
	name            ref
	addr            uint64
	generic, target uint8
}

const flagExported, flagCallable = 1, 4

// define gives the code its absolute symbols, but for those it defines itself.
func (c *Code) define(dylib ref, symbols map[string]uintptr) error {
	pairs := make([]symbolPair, 0, len(symbols))
	for name, addr := range symbols {
		if !slices.Contains(c.names, name) && !slices.Contains(c.vars, name) {
			pairs = append(pairs, symbolPair{c.l.c.OrcLLJITMangleAndIntern(c.jit, name), uint64(addr), flagExported | flagCallable, 0})
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	unit := c.l.c.OrcAbsoluteSymbols(unsafe.Pointer(&pairs[0]), uintptr(len(pairs)))
	runtime.KeepAlive(pairs)
	if msg := c.l.failure(c.l.c.OrcJITDylibDefine(dylib, unit)); msg != "" {
		c.l.c.OrcDisposeMaterializationUnit(unit)
		return errors.New(msg)
	}
	return nil
}

// Lookup is the address of a function or variable that the module defines.
func (c *Code) Lookup(name string) (uintptr, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.jit == 0 {
		return 0, errors.New("jit: Lookup of " + name + " in closed code")
	}
	if addr, ok := c.addrs[name]; ok {
		return addr, nil
	}
	if !slices.Contains(c.names, name) && !slices.Contains(c.vars, name) {
		// LLJIT would go on to the process and find C's functions.
		return 0, fmt.Errorf("no function @%s in the compiled module (it has %s)", name, list(c.names))
	}
	var addr uint64
	if msg := c.l.failure(c.l.c.OrcLLJITLookup(c.jit, &addr, name)); msg != "" {
		if more := c.session(); len(more) > 0 { // the cause, where LLVM told it
			msg = strings.Join(more, "; ")
		}
		return 0, errors.New(msg)
	}
	c.addrs[name] = uintptr(addr)
	return uintptr(addr), nil
}

// list names some functions for an error.
func list(names []string) string {
	const most = 8 // a longer list is no help
	if len(names) == 0 {
		return "none"
	}
	s := "@" + strings.Join(names[:min(len(names), most)], ", @")
	if len(names) > most {
		s += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return s
}

// Symbols are the functions that the module defines with external linkage.
func (c *Code) Symbols() []string { return slices.Clone(c.names) }

// Timing is what compiling cost.
func (c *Code) Timing() Timing { return c.timing }

// Close frees the code. No function of it may be running.
func (c *Code) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.jit == 0 {
		return nil
	}
	msg := c.l.failure(c.l.c.OrcDisposeLLJIT(c.jit))
	c.jit = 0
	if c.drop != nil {
		c.drop()
	}
	if msg != "" {
		return errors.New("jit: close: " + msg)
	}
	return nil
}

// CallSlots calls a thunk: i32 fn(ptr args, ptr results). The slices are passed
// as they are; the code must not keep the pointers. The status is the thunk's.
func CallSlots(fn uintptr, args, results []uint64) (status int32, err error) {
	if fn == 0 {
		return 0, errors.New("jit: call of address 0")
	}
	r, _, _ := purego.SyscallN(fn, uintptr(unsafe.Pointer(unsafe.SliceData(args))), uintptr(unsafe.Pointer(unsafe.SliceData(results))))
	runtime.KeepAlive(args)
	runtime.KeepAlive(results)
	return int32(r), nil
}
