package cli

import "syscall"

// outside returns memory that the collector knows nothing of, or nil. It is never given
// back.
func outside(size int) []byte {
	data, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil
	}
	syscall.Madvise(data, syscall.MADV_HUGEPAGE) // fewer faults; it is as good without
	return data
}
