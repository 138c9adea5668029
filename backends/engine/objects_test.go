package engine

import (
	"bytes"
	"debug/elf"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
)

// Objects of whatever is done with bf16 and f16 need functions of the C library and of
// libm, and none of a compiler's own library, which not every compiler has.
func TestNarrowObjects(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("this test is of x86-64")
	}
	lib, err := jit.Find()
	if errors.Is(err, jit.ErrMissing) {
		t.Skipf("this test needs libLLVM: %v", err)
	}
	for _, typ := range []string{"bf16", "f16"} {
		var src strings.Builder
		for _, k := range narrowCases(typ) {
			src.WriteString(k.source(typ))
		}
		ll, err := llvm.Text(parse(t, src.String()), llvm.Options{})
		if err != nil {
			t.Fatal(err)
		}
		object, err := lib.Emit(ll, jit.Object, jit.Options{CPU: "x86-64", Level: jit.O1})
		if err != nil {
			t.Fatal(err)
		}
		f, err := elf.NewFile(bytes.NewReader(object))
		if err != nil {
			t.Fatal(err)
		}
		symbols, err := f.Symbols()
		if err != nil || len(symbols) < 20 {
			t.Fatalf("%d symbols, %v", len(symbols), err)
		}
		for _, s := range symbols {
			if s.Section == elf.SHN_UNDEF && strings.HasPrefix(s.Name, "__") {
				t.Errorf("%s: the object needs %s", typ, s.Name)
			}
		}
	}
}
