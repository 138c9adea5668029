package cli

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

// A large file is read as a small one is, and is counted where it lies outside of the heap.
func TestReadLargeFile(t *testing.T) {
	for _, size := range []int{0, largeFile - 1, largeFile, largeFile + 4097} {
		want := strings.Repeat("a line\n", size/7+1)[:size]
		path := t.TempDir() + "/in.mlir"
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		var s session
		if got, err := s.read(path); err != nil || got != want {
			t.Errorf("%d bytes: %d are read, %v", size, len(got), err)
		}
		if out := s.outside.Load(); runtime.GOOS == "linux" && (out == int64(size)) != (size >= largeFile) && size > 0 {
			t.Errorf("%d bytes: %d are counted", size, out)
		}
	}
}
