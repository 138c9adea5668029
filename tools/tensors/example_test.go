package tensors_test

import (
	"context"
	"fmt"
	"log"

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
