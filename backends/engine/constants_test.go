package engine

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering"
)

// weights is a program that gives an element of n f32, which are its places, from the end of the file.
func weights(n int) string {
	var data []byte
	for i := range n {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i)))
	}
	return fmt.Sprintf(`func.func @at(%%i: index) -> f32 {
  %%w = arith.constant dense_resource<w> : tensor<%[1]dxf32>
  %%x = ten.extract %%w[%%i] : tensor<%[1]dxf32>
  return %%x : f32
}
func.func @sum(%%v: tensor<%[1]dxf32>) -> f32 {
  %%w = arith.constant dense_resource<w> : tensor<%[1]dxf32>
  %%x = ten.einsum "i,i->" %%v, %%w : tensor<%[1]dxf32>, tensor<%[1]dxf32> -> tensor<f32>
  %%y = ten.extract %%x[] : tensor<f32>
  return %%y : f32
}
{-# dialect_resources: { builtin: { w: "0x40000000%[2]s" } } #-}
`, n, hex.EncodeToString(data))
}

// LLVM sees no byte of a large constant; a child that follows another has it, too, and so has a program that is made later.
func TestLargeConstants(t *testing.T) {
	const n = 1 << 18
	src := weights(n)
	for _, e := range []Engine{native(t, Options{Lower: lowering.Compile}), eval(t)} {
		began := time.Now()
		p := prepare(t, e, parse(t, src))
		at := func(i int64) {
			t.Helper()
			out, _, err := p.Call(t.Context(), "at", []ir.Val{ir.IntVal(i, 64)})
			if err != nil || out[0].F32() != float32(i) {
				t.Errorf("%s: element %d is %v, %v", e.Name(), i, out, err)
			}
		}
		at(n - 1)
		t.Logf("%s: %d bytes to the first call in %v", e.Name(), 4*n, time.Since(began))
		if l, ok := e.(*llvmEngine); ok {
			if text, _ := Text(p); len(text) > 1<<16 || strings.Count(text, "@irc.blob.") == 0 {
				t.Errorf("the module has %d bytes", len(text))
			}
			if err := kill(l.child.Pid()); err != nil {
				t.Fatal(err)
			}
			at(3)
			p = prepare(t, e, parse(t, src))
			at(5)
			if len(l.blobs) != 1 {
				t.Errorf("%d blobs for two programs with one constant", len(l.blobs))
			}
		}
	}
}
