//go:build nojit || !linux || !(amd64 || arm64)

package jit

import (
	"context"
	"time"
)

// errStub is why nothing works here. Attempted is empty: installing libLLVM would
// not help.
var errStub = &MissingError{Reason: "this irc was built without it (build tag nojit, or not linux/amd64 or linux/arm64); the interpreter runs everything"}

// Library is a loaded libLLVM; in this build there is none.
type Library struct{}

// Find always fails in this build.
func Find() (*Library, error) { return nil, errStub }

// Path is empty.
func (*Library) Path() string { return "" }

// Version is empty.
func (*Library) Version() string { return "" }

// Host is empty.
func (*Library) Host() (triple, cpu, features string) { return "", "", "" }

// Processors fails.
func Processors(context.Context, string) ([]string, error) { return nil, errStub }

// VectorBytes fails.
func (*Library) VectorBytes(Options) (int, error) { return 0, errStub }

// Optimize fails.
func (*Library) Optimize(string, Options) (string, error) { return "", errStub }

// Emit fails.
func (*Library) Emit(string, Kind, Options) ([]byte, error) { return nil, errStub }

// Compile fails.
func (*Library) Compile(string, Options) (*Code, error) { return nil, errStub }

// Code is native code; in this build there is none.
type Code struct{}

// Lookup fails.
func (*Code) Lookup(string) (uintptr, error) { return 0, errStub }

// Symbols is empty.
func (*Code) Symbols() []string { return nil }

// Timing is zero.
func (*Code) Timing() Timing { return Timing{} }

// Close does nothing.
func (*Code) Close() error { return nil }

// CallSlots fails.
func CallSlots(uintptr, []uint64, []uint64) (int32, error) { return 0, errStub }

// ServeIfChild does nothing: no child is ever started.
func ServeIfChild(...Service) {}

// Child is a child process; in this build there is none.
type Child struct{}

// Start always fails in this build.
func Start(context.Context, ChildOptions) (*Child, error) { return nil, errStub }

// Info is empty.
func (*Child) Info() Info { return Info{Reason: errStub.Error()} }

// Ask fails.
func (*Child) Ask(context.Context, []byte) ([]byte, error) { return nil, errStub }

// Compile fails.
func (*Child) Compile(context.Context, string, Options) (*Module, error) { return nil, errStub }

func (*Child) emit(context.Context, string, int64, Options) ([]byte, error) { return nil, errStub }

// Alloc fails.
func (*Child) Alloc(context.Context, int) (*Buffer, error) { return nil, errStub }

// Read fails.
func (*Child) Read(context.Context, uint64, []byte) error { return errStub }

// Write fails.
func (*Child) Write(context.Context, uint64, []byte) error { return errStub }

// Take fails.
func (*Child) Take(context.Context, uint64, []byte) error { return errStub }

// FreeNative fails.
func (*Child) FreeNative(context.Context, ...uint64) error { return errStub }

// Close does nothing.
func (*Child) Close() error { return nil }

// Module is code in a child; in this build there is none.
type Module struct{}

// Symbols is empty.
func (*Module) Symbols() []string { return nil }

// Timing is zero.
func (*Module) Timing() Timing { return Timing{} }

// Call fails.
func (*Module) Call(context.Context, string, []uint64, int) (Result, error) {
	return Result{}, errStub
}

// Batch fails.
func (*Module) Batch(context.Context, []Call) ([]Result, error) { return nil, errStub }

// CallMany fails.
func (*Module) CallMany(context.Context, Call, int) (Result, time.Duration, error) {
	return Result{}, 0, errStub
}

// Close does nothing.
func (*Module) Close() error { return nil }

// Ended is true.
func (*Child) Ended() bool { return true }

// Pid is 0.
func (*Child) Pid() int { return 0 }

// Shared is memory for children; in this build there is none.
type Shared struct{}

// NewShared fails.
func NewShared() (*Shared, error) { return nil, errStub }

// Close does nothing.
func (*Shared) Close() {}

// Buffer is shared memory; in this build there is none.
type Buffer struct{}

// Addr is 0.
func (*Buffer) Addr() uint64 { return 0 }

// Bytes is empty.
func (*Buffer) Bytes() []byte { return nil }

// Free does nothing.
func (*Buffer) Free() {}

// UseHugePages does nothing.
func (*Buffer) UseHugePages() {}
