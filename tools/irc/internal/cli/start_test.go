package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkSmallFile is a whole run on a file of a few ops, without the start of
// the process.
func BenchmarkSmallFile(b *testing.B) {
	dir := b.TempDir()
	in, out := filepath.Join(dir, "in.mlir"), filepath.Join(dir, "out.mlir")
	const text = `func.func @f(%x: i32, %m: memref<8xi32>, %i: index) -> i32 {
  %c1 = arith.constant 1 : i32
  %a = arith.addi %x, %c1 : i32
  %v = memref.load %m[%i] : memref<8xi32>
  %s = arith.muli %a, %v : i32
  memref.store %s, %m[%i] : memref<8xi32>
  return %s : i32
}
`
	if err := os.WriteFile(in, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for range b.N {
		var stdout, stderr bytes.Buffer
		if status := Everything().Main([]string{"-emit=generic", in, "-o", out}, nil, &stdout, &stderr); status != 0 {
			b.Fatal(stderr.String())
		}
	}
}
