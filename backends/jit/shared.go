//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"unsafe"
)

// Numbers of system calls that package syscall does not have.
var sysMemfdCreate, sysProcessVMReadv, sysProcessVMWritev = func() (memfd, readv, writev uintptr) {
	if runtime.GOARCH == "arm64" {
		return 279, 270, 271
	}
	return 319, 310, 311
}()

// memfile makes a file that is only in memory.
func memfile(name string) (*os.File, error) {
	const cloexec, allowSealing = 1, 2
	p, err := syscall.BytePtrFromString(name)
	if err != nil {
		return nil, err
	}
	fd, _, errno := syscall.Syscall(sysMemfdCreate, uintptr(unsafe.Pointer(p)), cloexec|allowSealing, 0)
	if errno != 0 {
		return nil, fmt.Errorf("memory file: %w", errno)
	}
	return os.NewFile(fd, name), nil
}

// The control page, in words. The first five are written by @irc_on_fault.
const (
	noteSignal = iota
	noteCode
	noteAddr
	noteSP
	notePC
	noteState // what the child is doing: one of the states
	noteCall  // index of the running call
	noteLog   // length of the log when it began
	noteSeen  // that the request has arrived
	noteWords
)

// States of the child.
const (
	stateIdle = iota
	stateCompile
	stateCall
	stateService
)

const pageSize = 1 << 16 // a multiple of the page size of every Linux we run on

// words views the control page.
func words(page []byte) *[noteWords]uint64 {
	return (*[noteWords]uint64)(unsafe.Pointer(unsafe.SliceData(page)))
}

// mapFile maps a part of the shared file.
func mapFile(fd uintptr, off, size int64) ([]byte, error) {
	mem, err := syscall.Mmap(int(fd), off, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("cannot map %d bytes of shared memory: %w", size, err)
	}
	return mem, nil
}

// Shared is memory that this process and one child at a time see: a file with the
// control page and segments from which buffers are cut. It outlives a child that is
// started with it (ChildOptions.Shared), and so do the contents of its buffers.
type Shared struct {
	file *os.File
	page []byte

	mu       sync.Mutex
	size     int64 // of the file
	used     int64 // of its buffers
	segments []*segment
}

// segment is a part of the file that both sides map.
type segment struct {
	off  int64  // in the file
	mem  []byte // the parent's mapping
	addr uint64 // the child's, anew for each
	free []span // sorted, no two touch
	used int    // from here on nothing was ever cut, and all is zero
}

type span struct{ off, size int }

const (
	bufferAlign    = 64      // a cache line, and the widest vector
	segmentMinimum = 4 << 20 // bytes that a child maps at once: each is a question to the system
)

// NewShared makes memory for children; Close frees it.
func NewShared() (*Shared, error) {
	f, err := memfile("irc-jit-buffers")
	if err != nil {
		return nil, err
	}
	a := &Shared{file: f}
	if err := a.grow(pageSize); err != nil {
		f.Close()
		return nil, err
	}
	// Sealed against shrinking: else native code could pull the memory from under
	// the parent's feet.
	const addSeals, sealShrink = 1033, 2
	if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, f.Fd(), addSeals, sealShrink); errno != 0 {
		f.Close()
		return nil, fmt.Errorf("memory file: %w", errno)
	}
	if a.page, err = mapFile(f.Fd(), 0, pageSize); err != nil {
		f.Close()
		return nil, err
	}
	return a, nil
}

// grow lengthens the file by n bytes, a multiple of pageSize.
func (a *Shared) grow(n int64) error {
	if err := a.file.Truncate(a.size + n); err != nil {
		return fmt.Errorf("shared memory: %w", err)
	}
	a.size += n
	return nil
}

// cut takes n bytes from the first segment that has them.
func (a *Shared) cut(n int) *Buffer {
	n = max(roundUp(n, bufferAlign), bufferAlign)
	for _, s := range a.segments {
		for i, f := range s.free {
			if f.size < n {
				continue
			}
			s.free[i] = span{f.off + n, f.size - n}
			if f.size == n {
				s.free = slices.Delete(s.free, i, i+1)
			}
			clear(s.mem[f.off:max(f.off, min(f.off+n, s.used))])
			s.used = max(s.used, f.off+n)
			a.used += int64(n)
			return &Buffer{shared: a, seg: s, span: span{f.off, n}}
		}
	}
	return nil
}

// release gives a span back and joins it with its neighbours.
func (s *segment) release(p span) {
	i, _ := slices.BinarySearchFunc(s.free, p, func(a, b span) int { return a.off - b.off })
	s.free = slices.Insert(s.free, i, p)
	for i = max(i-1, 0); i+1 < len(s.free) && s.free[i].off <= p.off; {
		if s.free[i].off+s.free[i].size == s.free[i+1].off {
			s.free[i].size += s.free[i+1].size
			s.free = slices.Delete(s.free, i+1, i+2)
		} else {
			i++
		}
	}
}

// Close frees the memory: no Bytes of a buffer may be used any more.
func (a *Shared) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.segments {
		if s.mem != nil {
			unmap(s.mem)
			s.mem = nil
		}
	}
	if a.page != nil {
		syscall.Munmap(a.page)
		a.page = nil
	}
	a.file.Close()
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// Buffer is memory that the parent and native code share, aligned to 64 bytes.
type Buffer struct {
	shared *Shared
	seg    *segment
	span   span
	size   int // as asked for
}

// Addr is the buffer's address in the child that lives: what to put into a slot.
func (b *Buffer) Addr() uint64 { return b.seg.addr + uint64(b.span.off) }

// Bytes is the buffer's memory in this process. It must not be used after Free
// or after the Close of what it is part of, a Shared or a child; it may be after a Fault.
func (b *Buffer) Bytes() []byte {
	if b.seg.mem == nil {
		return nil
	}
	return b.seg.mem[b.span.off : b.span.off+b.size : b.span.off+b.size]
}

// Free makes the memory available to Alloc again. A second Free does nothing.
func (b *Buffer) Free() {
	a := b.shared
	a.mu.Lock()
	defer a.mu.Unlock()
	if b.span.size == 0 {
		return
	}
	if mem := b.seg.mem; mem != nil && b.span.size >= returned {
		from, to := roundUp(b.span.off, pageSize), (b.span.off+b.span.size)/pageSize*pageSize
		syscall.Madvise(mem[from:to], madvRemove) // what does not give them back keeps them
	}
	b.seg.release(b.span)
	a.used -= int64(b.span.size)
	b.span.size, b.size = 0, 0
}

// returned is the size from which on the pages of a buffer go back to the system when
// it is freed; their addresses stay for others.
const (
	returned   = 1 << 20
	madvRemove = 9
)
