//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"fmt"
	"os"
	"runtime"
	"slices"
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

// arena is the parent's side of the shared file: the control page and segments
// from which buffers are cut.
type arena struct {
	file     *os.File
	page     []byte
	size     int64 // of the file
	segments []*segment
}

// segment is a part of the file that both sides map.
type segment struct {
	mem  []byte // the parent's mapping
	addr uint64 // the child's
	free []span // sorted, no two touch
}

type span struct{ off, size int }

const (
	bufferAlign    = 64 // a cache line, and the widest vector
	segmentMinimum = 4 << 20
)

func newArena() (*arena, error) {
	f, err := memfile("irc-jit-buffers")
	if err != nil {
		return nil, err
	}
	a := &arena{file: f}
	if err := a.grow(pageSize); err != nil {
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
func (a *arena) grow(n int64) error {
	if err := a.file.Truncate(a.size + n); err != nil {
		return fmt.Errorf("shared memory: %w", err)
	}
	a.size += n
	return nil
}

// cut takes n bytes from the first segment that has them.
func (a *arena) cut(n int) *Buffer {
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
			clear(s.mem[f.off : f.off+n])
			return &Buffer{seg: s, span: span{f.off, n}}
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

func (a *arena) close() {
	for _, s := range a.segments {
		if s.mem != nil {
			syscall.Munmap(s.mem) // cannot fail for a mapping of ours
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
	child *Child
	seg   *segment
	span  span
	size  int // as asked for
}

// Addr is the buffer's address in the child: what to put into a slot.
func (b *Buffer) Addr() uint64 { return b.seg.addr + uint64(b.span.off) }

// Bytes is the buffer's memory in this process. It must not be used after Free
// or after the child's Close; it may be after a Fault.
func (b *Buffer) Bytes() []byte {
	if b.seg.mem == nil {
		return nil
	}
	return b.seg.mem[b.span.off : b.span.off+b.size : b.span.off+b.size]
}

// Free makes the memory available to Alloc again. A second Free does nothing.
func (b *Buffer) Free() {
	b.child.mu.Lock()
	defer b.child.mu.Unlock()
	if b.span.size > 0 {
		b.seg.release(b.span)
		b.span.size, b.size = 0, 0
	}
}
