//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Shared memory has small pages unless it is asked for others, and native code that reads all
// of a large buffer waits for their tables. Both sides map large segments so that large pages
// are possible, and the parent asks for them.

// hugePage is the size of a large page, where pages have 4 KiB; elsewhere none is asked for.
const hugePage = 2 << 20

// hugePossible reports that large pages are of the size hugePage.
func hugePossible() bool { return os.Getpagesize() == 4096 }

// mapAligned maps a part of the shared file, for unmap, at an address that is as far from a large
// page's beginning as the offset is in the file.
func mapAligned(fd uintptr, off, size int64) ([]byte, error) {
	const readWrite = unix.PROT_READ | unix.PROT_WRITE
	flags := unix.MAP_SHARED | unix.MAP_NORESERVE
	var at unsafe.Pointer // anywhere
	if size >= hugePage && off%hugePage == 0 && hugePossible() {
		room := uintptr(size + hugePage)
		if all, err := unix.MmapPtr(-1, 0, nil, room, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE); err == nil {
			before := -uintptr(all) % hugePage
			at, flags = unsafe.Add(all, before), flags|unix.MAP_FIXED
			if before > 0 {
				unix.MunmapPtr(all, before) // cannot fail for a mapping of ours
			}
			unix.MunmapPtr(unsafe.Add(at, size), hugePage-before)
		}
	}
	mem, err := unix.MmapPtr(int(fd), off, at, uintptr(size), readWrite, flags)
	if err != nil {
		if at != nil {
			unix.MunmapPtr(at, uintptr(size))
		}
		return nil, fmt.Errorf("cannot map %d bytes of shared memory: %w", size, err)
	}
	return unsafe.Slice((*byte)(mem), size), nil
}

// unmap ends what mapAligned made.
func unmap(mem []byte) {
	unix.MunmapPtr(unsafe.Pointer(unsafe.SliceData(mem)), uintptr(len(mem))) // cannot fail for a mapping of ours
}

// UseHugePages gathers the pages of a buffer into large ones, as far as the system has them. It
// takes about as long as to copy the buffer, which may be used, and freed, at the same time.
func (b *Buffer) UseHugePages() {
	for at := roundUp(b.span.off, hugePage); b.gather(at); at += hugePage {
	}
}

// gather makes one large page, at an offset in the segment, if it can; false if there are no more.
func (b *Buffer) gather(at int) bool {
	a := b.shared
	a.mu.Lock()
	defer a.mu.Unlock()
	mem := b.seg.mem
	if mem == nil || b.span.size == 0 || at+hugePage > b.span.off+b.span.size || !hugePossible() {
		return false
	}
	return unix.Madvise(mem[at:at+hugePage], unix.MADV_COLLAPSE) != unix.EINVAL // which says that there are none; others may do
}
