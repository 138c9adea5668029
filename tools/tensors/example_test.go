package tensors_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"math"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run/npy"
	"github.com/irc-lang/irc/tools/tensors"
)

// The sums of the rows of a matrix, after a function on each element.
func Example() {
	ctx := context.Background()
	p, err := tensors.Compile(ctx, []tensors.Type{tensors.Of(ir.I64, 2, 3)}, func(x ...tensors.Tensor) []tensors.Tensor {
		return []tensors.Tensor{x[0].Mul(x[0]).Sum(1)}
	})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	matrix := &npy.Array{Elem: ir.I64, Shape: []int64{2, 3}, Data: make([]byte, 6*8)}
	for i := range 6 {
		matrix.Data[8*i] = byte(i) // little endian
	}
	out, err := p.Run(ctx, matrix)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out[0].Shape, out[0].Bits(0, 8), out[0].Bits(1, 8))
	// Output:
	// [2] 5 50
}

// A step down the gradient of a network's loss, the sum of the squares of x w - y: by x, by w and by y.
func ExampleGrad() {
	ctx := context.Background()
	types := []tensors.Type{tensors.Of(ir.F64, 2, 2), tensors.Of(ir.F64, 2, 1), tensors.Of(ir.F64, 2, 1)}
	p, err := tensors.Grad(ctx, engine.Auto, types, func(x ...tensors.Tensor) []tensors.Tensor {
		d := x[0].Einsum("ij,jk->ik", x[1]).Sub(x[2])
		return []tensors.Tensor{d.Mul(d).Sum(0, 1)}
	})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	array := func(rows, columns int64, data ...float64) *npy.Array {
		a := &npy.Array{Elem: ir.F64, Shape: []int64{rows, columns}}
		for _, x := range data {
			a.Data = binary.LittleEndian.AppendUint64(a.Data, math.Float64bits(x))
		}
		return a
	}
	out, err := p.Run(ctx, array(2, 2, 1, 2, 3, 4), array(2, 1, 0.5, 0.25), array(2, 1, 1, 2))
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range out {
		for i := range len(a.Data) / 8 {
			fmt.Print(math.Float64frombits(a.Bits(i, 8)), " ")
		}
		fmt.Println(a.Shape)
	}
	// Output:
	// 0.25 []
	// 0 0 0.5 0.25 [2 2]
	// 3 4 [2 1]
	// -0 -1 [2 1]
}
