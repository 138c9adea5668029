//go:build unix

package intern

import "syscall"

// mapBytes is memory of the system, all zero, or nil if there is none.
func mapBytes(n int) []byte {
	data, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return data
}

// UnmapBytes gives memory of mapBytes back.
func UnmapBytes(data []byte) {
	if err := syscall.Munmap(data); err != nil {
		panic("ir: memory of a blob cannot be given back: " + err.Error())
	}
}
