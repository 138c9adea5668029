//go:build !nojit && linux

package jit

import (
	"errors"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// oldWays are calls that newer processors have others for.
var oldWays = []systemCall{
	{"open", unix.SYS_OPEN, []uint64{path}},
	{"creat", unix.SYS_CREAT, []uint64{path, 0o666}},
	{"fork", unix.SYS_FORK, nil},
	{"vfork", unix.SYS_VFORK, nil},
	{"unlink", unix.SYS_UNLINK, []uint64{path}},
	{"stat", unix.SYS_STAT, []uint64{path}},
	{"rename", unix.SYS_RENAME, []uint64{path, path}},
	{"chmod", unix.SYS_CHMOD, []uint64{path}},
}

// The numbers of other conventions mean other calls: 20 is getpid in that of 32 bits.
func TestOtherConventions(t *testing.T) {
	library(t)
	for name, ir := range map[string]string{
		"x32": `declare i64 @syscall(i64, ...)
define i32 @f(ptr %a, ptr %r) {
  %x = call i64 (i64, ...) @syscall(i64 1073741863)
  ret i32 0
}`,
		"int 0x80": `define i32 @f(ptr %a, ptr %r) {
  %x = call i64 asm sideeffect "int $$0x80", "={ax},{ax},~{memory}"(i64 20)
  ret i32 0
}`,
	} {
		c, _ := escape(t, ChildOptions{})
		m, err := c.Compile(t.Context(), ir, Options{Level: O1, Externs: escapeNames})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Call(within(t), "f", nil, 0)
		var f *Fault
		// A kernel without 32-bit programs knows no interrupt 0x80.
		if !errors.As(err, &f) || f.Signal != syscall.SIGSYS && (name == "x32" || f.Signal != syscall.SIGSEGV) {
			t.Errorf("%s: %v", name, err)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}
