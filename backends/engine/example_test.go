package engine_test

import (
	"context"
	"fmt"
	"log"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
)

// Two functions on the same arrays.
const decay = `
func.func @scale(%x: memref<?xf64>, %y: memref<?xf64>, %a: f64) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = memref.dim %x, %0 : memref<?xf64>
  scf.for %i = %0 to %n step %1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = arith.mulf %v, %a : f64
    memref.store %w, %y[%i] : memref<?xf64>
  }
  return
}
func.func @at(%y: memref<?xf64>, %i: index) -> f64 {
  %v = memref.load %y[%i] : memref<?xf64>
  return %v : f64
}
`

// vector makes a memref of numbers, over their memory.
func vector(xs []float64) *interp.MemRef {
	return &interp.MemRef{Buf: interp.Floats(xs), Sizes: []int64{int64(len(xs))}, Strides: []int64{1}}
}

func Example() {
	ctx := context.Background()
	e, _, err := engine.Auto.Start(ctx, engine.Options{Lower: lowering.Compile})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("decay.mlir", decay), text.Options{})
	if err := list.Err(); err != nil {
		log.Fatal(err)
	}
	programs, err := e.Prepare(ctx, g)
	if err != nil {
		log.Fatal(err)
	}
	p := programs[0]

	x, y := vector([]float64{1, 2, 3}), vector(make([]float64, 3))
	b, err := run.Bind(ctx, p, x.Val(), y.Val(), ir.F64Val(10), ir.IntVal(2, 64))
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close(ctx)

	call := func(c run.BoundCall) []ir.Val {
		out, err := b.Batch(ctx, []run.BoundCall{c})
		if err != nil {
			log.Fatal(err)
		}
		if ir.IsTrap(out[0].Err) {
			fmt.Println("it trapped")
		}
		return out[0].Values
	}

	// @scale takes the first three of what is bound, @at the second and the fourth.
	call(run.BoundCall{Name: "scale"})
	at := run.BoundCall{Name: "at", Args: []int{1, 3}}
	fmt.Println(call(at)[0].F64())

	// The host writes to x; the factor is another from here on.
	x.Buf.Store(2, ir.F64Val(5))
	call(run.BoundCall{Name: "scale", Changes: []run.Change{run.Wrote(0), run.Set(2, ir.F64Val(100))}})
	fmt.Println(call(at)[0].F64())

	// A trap ends the call, and nothing else.
	call(run.BoundCall{Name: "at", Args: []int{1, 3}, Changes: []run.Change{run.Set(3, ir.IntVal(7, 64))}})

	// What the calls have written is read after Fetch.
	if err := b.Fetch(ctx, 1); err != nil {
		log.Fatal(err)
	}
	fmt.Println(y.Buf.Load(0).F64(), y.Buf.Load(1).F64(), y.Buf.Load(2).F64())

	// Output:
	// 30
	// 500
	// it trapped
	// 100 200 500
}
