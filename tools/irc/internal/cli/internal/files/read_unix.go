//go:build unix

package files

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// manyBytes is how large a file is that is mapped: most of it are constants, of which a copy is enough.
const manyBytes = 16 << 20

// ReadFile is os.ReadFile, with large files mapped if maps says so: their pages are no memory of the process's own. Whoever
// cuts a mapped file off ends the process.
func ReadFile(path string, maps bool) (data []byte, mapped bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if info, err := f.Stat(); maps && err == nil && info.Mode().IsRegular() && info.Size() >= manyBytes {
		data, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
		if err == nil {
			return data, true, nil
		}
	}
	data, err = io.ReadAll(f)
	return data, false, err
}

// Forget gives the pages of a mapped file back; who looks at them reads them again.
func Forget(data []byte) {
	_ = unix.Madvise(data, unix.MADV_DONTNEED) // a hint
}
