package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"
)

// A budgetError ends a run that takes more than it was given.
type budgetError struct{ msg, flag string }

func (e *budgetError) Error() string { return e.msg }

// Flag is the option that sets the limit.
func (e *budgetError) Flag() string { return e.flag }

// budgets starts the clock and the watch over memory, which call end.
func (s *Session) budgets(end context.CancelCauseFunc) (stop func()) {
	var timer *time.Timer
	if d, _ := time.ParseDuration(s.Str("timeout")); d > 0 {
		timer = time.AfterFunc(d, func() {
			end(&budgetError{fmt.Sprintf("gave up after %v (-timeout=%s)", d, s.Str("timeout")), "-timeout"})
		})
	}
	ticker := s.watchMemory(end)
	return func() {
		if timer != nil {
			timer.Stop()
		}
		ticker()
	}
}

// watchMemory ends the run when the heap is larger than -mem-limit. The collector
// is told the same limit, so that garbage alone does not end a run.
func (s *Session) watchMemory(end context.CancelCauseFunc) (stop func()) {
	limit, _ := BytesOf(s.Str("mem-limit"))
	if limit <= 0 {
		return func() {}
	}
	old := debug.SetMemoryLimit(limit)
	done := make(chan struct{})
	go func() {
		var m runtime.MemStats
		fits := func() bool {
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc) <= limit
		}
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
			if fits() {
				continue
			}
			runtime.GC() // on a busy machine the collector falls behind
			if !fits() {
				end(&budgetError{fmt.Sprintf("gave up: more memory is needed than %s (-mem-limit)", s.Str("mem-limit")), "-mem-limit"})
				return
			}
		}
	}()
	return func() { close(done); debug.SetMemoryLimit(old) }
}

// Fuel is the number of ops that may be interpreted; 0 is no limit.
func (l *commandLine) Fuel() int64 {
	n, _ := strconv.ParseInt(l.Str("fuel"), 10, 64)
	return n
}

// Seed is where everything random starts.
func (l *commandLine) Seed() uint64 {
	n, _ := strconv.ParseUint(l.Str("seed"), 10, 64)
	return n
}
