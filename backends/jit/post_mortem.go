//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/irc-lang/irc/backends/sandbox"
)

// postMortem says why the child is dead, from its wait status, its note in the
// control page and what the caller wanted.
func (c *Child) postMortem(ctx context.Context, q *request, after time.Duration) *Fault {
	note := words(c.shared.page)
	status, _ := c.cmd.ProcessState.Sys().(syscall.WaitStatus)
	f := &Fault{Call: -1, Unreceived: note[noteSeen] == 0}
	what := "the child process"
	switch {
	case note[noteState] == stateCompile:
		what = "LLVM, while compiling,"
	case note[noteState] == stateService:
		what = c.o.Service
	case note[noteState] == stateCall:
		what = "native code"
		if i := note[noteCall]; q != nil && i < uint64(len(q.Fn)) {
			f.Call, f.Symbol = int(i), q.Symbols[q.Fn[i]]
		}
	}
	switch {
	case status.Exited() && syscall.Signal(note[noteSignal]) == syscall.SIGSYS:
		f.Signal = syscall.SIGSYS
		f.Detail = fmt.Sprintf("%s made the system call %s%s", what, sandbox.CallName(note[noteAddr]), mayCompute)
	case status.Exited():
		f.Detail = fmt.Sprintf("%s ended the process with exit status %d%s", what, status.ExitStatus(), c.lastWords())
	case status.Signal() == syscall.SIGKILL && c.held.OutOfMemory():
		f.Signal, f.Memory = syscall.SIGKILL, true
		f.Detail = fmt.Sprintf("%s took more memory than its limit of %d bytes allows (SIGKILL)", what, c.o.Memory)
	case status.Signal() == syscall.SIGKILL && ctx.Err() != nil:
		f.Signal, f.Err = syscall.SIGKILL, ctx.Err()
		f.Detail = fmt.Sprintf("%s was stopped after %v: %v", what, after.Round(time.Millisecond), ctx.Err())
	default:
		f.Signal = status.Signal()
		f.Detail = what + " " + c.cause(f, note)
	}
	return f
}

// mayCompute says what the sandbox leaves.
const mayCompute = ": it may compute, and has no files, network or processes (SIGSYS)"

// cause describes death by a signal.
func (c *Child) cause(f *Fault, note *[noteWords]uint64) string {
	noted := syscall.Signal(note[noteSignal]) == f.Signal
	if noted && (f.Signal == syscall.SIGSEGV || f.Signal == syscall.SIGBUS) {
		f.Addr = note[noteAddr]
	}
	switch f.Signal {
	case syscall.SIGSEGV:
		if noted {
			return segmentation(note)
		}
		return "accessed memory that it may not (SIGSEGV)"
	case syscall.SIGBUS:
		return fmt.Sprintf("accessed memory that is not there (SIGBUS at address %#x)", f.Addr)
	case syscall.SIGFPE:
		return "divided an integer by zero, or the smallest integer by -1 (SIGFPE)"
	case syscall.SIGILL:
		return "executed an illegal instruction, as llvm.trap and unreachable code do (SIGILL)"
	case syscall.SIGTRAP:
		return "executed a trap (SIGTRAP)"
	case syscall.SIGABRT:
		return "aborted (SIGABRT)" + c.lastWords()
	case syscall.SIGXFSZ:
		return fmt.Sprintf("wrote more than %d bytes of output (SIGXFSZ)", c.o.Output)
	case syscall.SIGSYS:
		return "made a system call" + mayCompute
	case syscall.SIGKILL:
		return "was killed from outside, perhaps for want of memory (SIGKILL)"
	}
	return fmt.Sprintf("was ended by signal %d (%v)", f.Signal, f.Signal) + c.lastWords()
}

// segmentation describes a segmentation fault. One next to the stack pointer is an
// overflow: memory that belongs to the stack does not fault.
func segmentation(note *[noteWords]uint64) string {
	const (
		siKernel   = 0x80    // the processor gave no address
		nearStack  = 8 << 20 // Linux keeps the space below the main stack free
		nullDeref  = 1 << 16
		accessMode = 2 // SEGV_ACCERR
	)
	addr, sp := note[noteAddr], note[noteSP]
	switch {
	case note[noteCode] == siKernel:
		return "accessed an address that no memory can have (SIGSEGV)"
	case addr+nearStack >= sp && addr < sp+nearStack:
		return fmt.Sprintf("overflowed its stack (SIGSEGV at address %#x)", addr)
	case addr < nullDeref:
		return fmt.Sprintf("dereferenced a null pointer (SIGSEGV at address %#x)", addr)
	case note[noteCode] == accessMode:
		return fmt.Sprintf("accessed protected memory (SIGSEGV at address %#x)", addr)
	}
	return fmt.Sprintf("accessed memory that is not there (SIGSEGV at address %#x)", addr)
}

// lastWords quotes the first line of what the child last wrote to standard
// error: for glibc and Go the reason; what follows is a trace.
func (c *Child) lastWords() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(c.stderr.tail)), "\n")
	if line == "" {
		return ""
	}
	return ": " + line
}
