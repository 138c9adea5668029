//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"errors"
	"os/exec"
)

const why = "this system has none that irc knows"

// Close closes nothing here.
func Close() State { return State{Missing: why} }

// ReadOnly does nothing here.
func ReadOnly() (version int, err error) { return 0, nil }

// CloseFiles does nothing here.
func CloseFiles(first int) error { return errors.New(why) }

// CallName is the name of a system call.
func CallName(number uint64) string { return "" }

// Supervised is 0 here.
func Supervised() int { return 0 }

// Limits are what a process may take up.
type Limits struct {
	Memory, Output, Stacks int64
	Hard                   bool
}

// Set sets nothing here.
func (Limits) Set() (space int64, err error) { return 0, nil }

// Allowance is memory with what a process needs for itself.
func Allowance(memory int64) int64 { return memory }

// An Outside is how a process is held in from outside.
type Outside struct {
	Memory        int64
	Threads       int
	NoGroup, Free bool
	Ended         func()
}

// A Process is one that was started.
type Process struct{}

// Start starts a command, which nothing holds in here.
func Start(cmd *exec.Cmd, o Outside) (*Process, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		cmd.Wait() // the state is in cmd.ProcessState
		if o.Ended != nil {
			o.Ended()
		}
	}()
	return &Process{}, nil
}

// Allow allows nothing here.
func (*Process) Allow(n, space int64) int64 { return space }

// State is what the process says.
func (*Process) State(s State) State { return s }

// OutOfMemory is false here.
func (*Process) OutOfMemory() bool { return false }

// Close does nothing here.
func (*Process) Close() {}
