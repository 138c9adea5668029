package elf_test

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"strings"
	"testing"

	irelf "github.com/irc-lang/irc/backends/elf"
	"github.com/irc-lang/irc/backends/jit"
)

// What is appended is what a reader of ELF finds, of 32 and of 64 bits, and all else is as it was.
func TestAppend(t *testing.T) {
	lib, err := jit.Find()
	if errors.Is(err, jit.ErrMissing) {
		t.Skipf("this test needs libLLVM: %v", err)
	}
	const text = `target triple = "%s"
@first = external hidden constant [100000 x i8], align 16
@second = external hidden constant [7 x i8], align 16
define i8 @f(i64 %%i) {
  %%p = getelementptr i8, ptr @first, i64 %%i
  %%q = getelementptr i8, ptr @second, i64 %%i
  %%x = load i8, ptr %%p
  %%y = load i8, ptr %%q
  %%s = add i8 %%x, %%y
  ret i8 %%s
}
`
	data := []irelf.Constant{{"first", strings.Repeat("0123456789", 10000), 64}, {"none", "unused", 16}, {"second", "abcdefg", 16}}
	tried := 0
	for _, triple := range []string{"x86_64-unknown-linux-gnu", "i386-unknown-linux-gnu"} {
		object, err := lib.Emit(fmt.Sprintf(text, triple), jit.Object, jit.Options{Triple: triple, CPU: "generic"})
		if err != nil {
			t.Log(triple, err) // this LLVM does not have the machine
			continue
		}
		tried++
		before, err := elf.NewFile(bytes.NewReader(object))
		if err != nil {
			t.Fatal(err)
		}
		code, err := before.Section(".text").Data()
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := irelf.Append(&out, bytes.Clone(object), data); err != nil {
			t.Fatal(err)
		}
		f, err := elf.NewFile(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if now, err := f.Section(".text").Data(); err != nil || !bytes.Equal(now, code) {
			t.Errorf("%s: the code changed: %v", triple, err)
		}
		if n := len(f.Sections) - len(before.Sections); n != 2 {
			t.Errorf("%s: %d sections more", triple, n)
		}
		check(t, f, data[0])
		check(t, f, data[2])
	}
	if tried == 0 {
		t.Error("no machine was tried")
	}
}

// check reads a constant as a linker does.
func check(t *testing.T, f *elf.File, c irelf.Constant) {
	t.Helper()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range symbols {
		if s.Name != c.Symbol {
			continue
		}
		if elf.ST_BIND(s.Info) != elf.STB_WEAK || elf.ST_VISIBILITY(s.Other) != elf.STV_HIDDEN || int(s.Section) >= len(f.Sections) {
			t.Fatalf("symbol %+v", s)
		}
		section := f.Sections[s.Section]
		data, err := section.Data()
		if err != nil || string(data) != c.Data || section.Flags != elf.SHF_ALLOC || section.Addralign != uint64(c.Align) || section.Offset%uint64(c.Align) != 0 {
			t.Errorf("section %+v, %d bytes, %v", section.SectionHeader, len(data), err)
		}
		return
	}
	t.Errorf("there is no symbol %s", c.Symbol)
}

// What is no object file is refused.
func TestAppendRefuses(t *testing.T) {
	for _, text := range []string{"", "!<arch>\n", "\x7fELF" + strings.Repeat("\x00", 100), "\x7fELF\x02\x01\x01" + strings.Repeat("\xff", 100)} {
		if err := irelf.Append(&bytes.Buffer{}, []byte(text), nil); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
