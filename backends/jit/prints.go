//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// printLog is the parent's side of the log that native code prints to: a shared
// file with the length in its first word and the records from logStart on.
type printLog struct {
	file *os.File
	mem  []byte
}

const logStart = 64

func newPrintLog(most int64) (*printLog, error) {
	f, err := memfile("irc-jit-prints")
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(logStart + most); err != nil {
		f.Close()
		return nil, fmt.Errorf("shared memory: %w", err)
	}
	mem, err := mapLog(f.Fd())
	if err != nil {
		f.Close()
		return nil, err
	}
	return &printLog{file: f, mem: mem}, nil
}

// mapLog maps all of the log's file.
func mapLog(fd uintptr) ([]byte, error) {
	var info syscall.Stat_t
	if err := syscall.Fstat(int(fd), &info); err != nil {
		return nil, fmt.Errorf("shared memory: %w", err)
	}
	return mapFile(fd, 0, info.Size)
}

func (l *printLog) length() *atomic.Uint64 {
	return (*atomic.Uint64)(unsafe.Pointer(unsafe.SliceData(l.mem)))
}

func (l *printLog) reset() { l.length().Store(0) }

// bytes are the whole records from a place on, as of now. Native code may have
// spoilt the length.
func (l *printLog) bytes(from uint64) []byte {
	end := min(l.length().Load(), uint64(len(l.mem)-logStart))
	return l.mem[logStart+min(from, end) : logStart+end]
}

func (l *printLog) close() {
	syscall.Munmap(l.mem) // cannot fail for a mapping of ours
	l.file.Close()
}

// showEvery is how often what native code prints is handed on.
const showEvery = 20 * time.Millisecond

// showPrints hands on what calls print from now on until the function that it returns is
// called, and the rest then.
func (c *Child) showPrints(q *request) (stop func()) {
	if c.o.Printed == nil || q == nil || q.Op != opCalls {
		return func() {}
	}
	seen := uint64(0)
	more := func() {
		if data := c.prints.bytes(seen); len(data) > 0 {
			seen += uint64(len(data))
			c.o.Printed(decodeLog(data))
		}
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(showEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				more()
			case <-quit:
				more()
				return
			}
		}
	}()
	return func() { close(quit); <-done }
}
