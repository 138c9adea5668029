//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestHugePages: a large buffer lies where large pages may, on both sides, keeps its bytes when
// it gets them, and may be freed meanwhile.
func TestHugePages(t *testing.T) {
	if !hugePossible() {
		t.Skip("this test needs pages of 4 KiB")
	}
	c := start(t, ChildOptions{Shared: shared(t)})
	small, err := c.Alloc(within(t), 100)
	if err != nil {
		t.Fatal(err)
	}
	const size = 9<<20 + 5
	b, err := c.Alloc(within(t), size)
	if err != nil {
		t.Fatal(err)
	}
	for what, at := range map[string]uint64{"child": b.seg.addr, "file": uint64(b.seg.off)} {
		if at%hugePage != 0 {
			t.Errorf("%s: a segment at %#x", what, at)
		}
	}
	want := bytes.Repeat([]byte("some numbers "), size/13+1)[:size]
	copy(b.Bytes(), want)
	small.Bytes()[99] = 7
	b.UseHugePages()
	if !bytes.Equal(b.Bytes(), want) || small.Bytes()[99] != 7 {
		t.Error("the bytes are others")
	}
	got := make([]byte, size)
	if err := c.Read(within(t), b.Addr(), got); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the child sees other bytes: %v", err)
	}
	t.Logf("%d KiB of shared memory are in large pages", sharedHuge(t))

	done := make(chan bool)
	go func() { b.UseHugePages(); done <- true }()
	b.Free()
	<-done
	b.UseHugePages() // of nothing
	again, err := c.Alloc(within(t), size)
	if err != nil || bytes.Count(again.Bytes(), []byte{0}) != size {
		t.Errorf("memory that was freed is not zero: %v", err)
	}
}

// sharedHuge is how many KiB of shared memory the system has in large pages.
func sharedHuge(t *testing.T) (n int) {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(data)) {
		if _, err := fmt.Sscanf(line, "ShmemHugePages: %d", &n); err == nil {
			return n
		}
	}
	return 0
}
