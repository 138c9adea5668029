package jit

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/backends/sandbox"
)

// ErrMissing is matched (errors.Is) by every error that means: native code
// cannot be had here. Callers fall back to the interpreter on it.
var ErrMissing = errors.New("libLLVM is missing")

// A MissingError says why there is no libLLVM and how to get one.
type MissingError struct {
	Reason    string   // what went wrong, one clause
	Attempted []string // names and paths that were tried, in order
}

func (e *MissingError) Error() string {
	s := "libLLVM is missing: " + e.Reason
	if len(e.Attempted) > 0 {
		s += "; install it (Debian, Ubuntu: apt-get install libllvm19) or set IRC_LIBLLVM to the path of a libLLVM.so, version 16 or newer"
	}
	return s
}

// Is makes errors.Is(err, ErrMissing) hold.
func (e *MissingError) Is(target error) bool { return target == ErrMissing }

// A Level is an optimisation level; the zero Level is O3.
type Level = contract.Level

// The levels of LLVM's default<On> pipelines.
const (
	LevelDefault = contract.LevelDefault
	O0           = contract.O0
	O1           = contract.O1
	O2           = contract.O2
	O3           = contract.O3
)

// LevelOf returns the level numbered n.
func LevelOf(n int) Level { return contract.LevelOf(n) }

// Options say for what machine and how hard to compile. The zero value is the
// host's own processor at O3.
type Options struct {
	Level    Level
	Passes   string // a pass pipeline in opt's syntax, instead of default<On>
	Triple   string // target triple; empty: the one in the IR, else the host's
	CPU      string // empty: the host's for the host's triple, else the target's default
	Features string // "+avx2,-fma"; empty: as for CPU
	// Externs are names of libc, libm and ChildOptions.Link that the code may refer to,
	// besides what LLVM makes calls of (Compile only).
	Externs []string
	// Symbols are absolute addresses that the code may refer to (Compile only).
	Symbols map[string]uintptr
}

// Kind is what Emit makes.
type Kind uint8

// The kinds of output.
const (
	Assembly Kind = iota
	Object
)

// Timing is what a compilation spent where.
type Timing struct {
	Parse    time.Duration // text to module, and its verification
	Optimize time.Duration
	Codegen  time.Duration
	Link     time.Duration // making the code callable
}

// Total is the sum of the parts.
func (t Timing) Total() time.Duration { return t.Parse + t.Optimize + t.Codegen + t.Link }

// Info is what irc doctor shows.
type Info struct {
	Found         bool
	Path, Version string
	Reason        string // why not, when not Found

	Sandbox sandbox.State // of a child
}

// Doctor reports on libLLVM, loading it.
func Doctor() Info {
	lib, err := Find()
	if err != nil {
		return Info{Reason: err.Error()}
	}
	return Info{Found: true, Path: lib.Path(), Version: lib.Version()}
}

// A CompileError is LLVM's refusal of some IR.
type CompileError struct {
	Phase   string // "parse", "verify", "target", "optimize", "codegen", "link"
	Message string // LLVM's words
	Line    int    // line of the IR text, from 1; 0 when LLVM does not say
	Source  string // that line
}

// NoProcessor says why LLVM compiles for no processor as it was asked for, if that is so.
func (e *CompileError) NoProcessor() (why string, is bool) { return e.Message, e.Phase == "target" }

func (e *CompileError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "LLVM (%s): %s", e.Phase, e.Message)
	if e.Line > 0 {
		fmt.Fprintf(&b, "\nline %d: %s", e.Line, e.Source)
	}
	return b.String()
}
