//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	_ "embed"
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
)

//go:embed pool.ll
var poolIR string

// poolCall is what a module has that needs the pool.
const poolCall = "@irc_parallel_for("

// A thread of the pool has the stack of the thread that runs the program, and the gap below it.
const (
	poolStack = 64 << 20
	poolGuard = 1 << 20
)

// startPool compiles the pool and starts its threads, all but the one that runs the program.
// A thread that the system refuses is one fewer.
func (s *server) startPool() error {
	pause := "pause"
	if runtime.GOARCH == "arm64" {
		pause = "yield"
	}
	code, err := s.lib.Compile(strings.ReplaceAll(poolIR, "PAUSE", pause), Options{Level: O1,
		Externs: []string{"pthread_getspecific", "pthread_setspecific", "_setjmp", "longjmp", "syscall", "sigaltstack"}})
	if err != nil {
		return fmt.Errorf("the pool module: %w", err)
	}
	at := map[string]uintptr{}
	for _, name := range []string{"irc_parallel_for", "irc_jump_buffer", "irc_pool_thread", "irc_pool_threads", "irc_pool_futex", "irc_pool_key"} {
		if at[name], err = code.Lookup(name); err != nil {
			return err
		}
	}
	*(*uint64)(pointer(at["irc_pool_futex"])) = syscall.SYS_FUTEX
	libc, err := addresses("pthread_key_create", "pthread_attr_init", "pthread_attr_setstacksize", "pthread_attr_setguardsize", "pthread_create", "pthread_sigmask")
	if err != nil {
		return err
	}
	if r, _, _ := purego.SyscallN(libc["pthread_key_create"], at["irc_pool_key"], 0); r != 0 {
		return fmt.Errorf("a key for the threads: %w", syscall.Errno(r))
	}
	started := startThreads(libc, at["irc_pool_thread"], s.threads-1)
	*(*uint64)(pointer(at["irc_pool_threads"])) = uint64(started + 1)
	s.symbols["irc_parallel_for"], s.symbols["irc_jump_buffer"] = at["irc_parallel_for"], at["irc_jump_buffer"]
	return nil
}

// startThreads starts up to n threads that take no signal but those of their own faults.
func startThreads(libc map[string]uintptr, run uintptr, n int) (started int) {
	const setMask = 2 // SIG_SETMASK
	block, before := new([16]uint64), new([16]uint64)
	for i := range block {
		block[i] = ^uint64(0)
	}
	for _, sig := range append(faults, syscall.SIGSYS) {
		block[0] &^= 1 << (sig - 1)
	}
	attr := new([32]uint64) // larger than any pthread_attr_t
	purego.SyscallN(libc["pthread_attr_init"], uintptr(unsafe.Pointer(attr)))
	purego.SyscallN(libc["pthread_attr_setstacksize"], uintptr(unsafe.Pointer(attr)), poolStack)
	purego.SyscallN(libc["pthread_attr_setguardsize"], uintptr(unsafe.Pointer(attr)), poolGuard)
	purego.SyscallN(libc["pthread_sigmask"], setMask, uintptr(unsafe.Pointer(block)), uintptr(unsafe.Pointer(before)))
	for started < n {
		id := new(uint64)
		if r, _, _ := purego.SyscallN(libc["pthread_create"], uintptr(unsafe.Pointer(id)), uintptr(unsafe.Pointer(attr)), run, 0); r != 0 {
			break
		}
		started++
	}
	purego.SyscallN(libc["pthread_sigmask"], setMask, uintptr(unsafe.Pointer(before)), 0)
	return started
}

// addresses are those of functions of libc.
func addresses(names ...string) (map[string]uintptr, error) {
	out := map[string]uintptr{}
	for _, name := range names {
		addr, err := purego.Dlsym(purego.RTLD_DEFAULT, name)
		if err != nil {
			return nil, err
		}
		out[name] = addr
	}
	return out, nil
}
