package text

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
)

// manyOps is a module of functions with n ops in all.
func manyOps(n int) string {
	var b strings.Builder
	const each = 1000
	for f := 0; f < n/each; f++ {
		fmt.Fprintf(&b, "func.func @f%d(%%a: i32) -> i32 {\n  %%0 = arith.addi %%a, %%a : i32\n", f)
		for i := 1; i < each-1; i++ {
			fmt.Fprintf(&b, "  %%%d = \"t_.x\"(%%%d, %%a) {n = %d : i32} : (i32, i32) -> i32\n", i, i-1, i)
		}
		fmt.Fprintf(&b, "  return %%%d : i32\n}\n", each-2)
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	src := manyOps(100000)
	b.SetBytes(int64(len(src)))
	for range b.N {
		if _, errs := Parse(miniContext(), diag.NewSource("in", src), verbatim); errs != nil {
			b.Fatal(errs)
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	for _, form := range []PrintOptions{{Generic: true}, {}} {
		b.Run(fmt.Sprintf("generic=%v", form.Generic), func(b *testing.B) {
			src := manyOps(100000)
			g := parse(b, src, verbatim)
			b.SetBytes(int64(len(src)))
			b.ResetTimer()
			for range b.N {
				if err := Print(io.Discard, g, form); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
