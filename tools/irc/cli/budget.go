package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
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
func (s *Session) Fuel() int64 {
	n, _ := strconv.ParseInt(s.Str("fuel"), 10, 64)
	return n
}

// seed is where everything random starts.
func (s *Session) seed() uint64 {
	n, _ := strconv.ParseUint(s.Str("seed"), 10, 64)
	return n
}

// lockedWriter is a writer that can be closed: a command that was given up must
// not write after the end.
type lockedWriter struct {
	mu     sync.Mutex
	w      io.Writer
	closed bool
	failed error // the first error of writing
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return len(p), nil
	}
	n, err := l.w.Write(p)
	if l.failed == nil {
		l.failed = err
	}
	return n, err
}

// lost is an error of writing that nobody has looked at.
func (l *lockedWriter) lost() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

func (l *lockedWriter) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

// isTerminal reports whether someone is watching.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// progress shows a line that the next one overwrites, on a terminal only.
func (s *Session) progress(format string, args ...any) {
	if s.progressOn {
		fmt.Fprintf(s.Stderr, "\r\x1b[K"+format, args...)
	}
}

// progressEnd clears the line.
func (s *Session) progressEnd() {
	if s.progressOn {
		fmt.Fprint(s.Stderr, "\r\x1b[K")
	}
}
