package lowering_test

import (
	"context"
	"fmt"
	"log"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
)

// A program is lowered to what a C compiler is given: no op of affine is left.
func ExampleCompile() {
	c := ir.NewContext(dialects.All...)
	g, list := text.Parse(c, diag.NewSource("f.mlir", `
func.func @f(%m: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %m[%i] : memref<?xf64>
    %y = math.exp %x : f64
    affine.store %y, %m[%i] : memref<?xf64>
  }
  return
}`), text.Options{})
	if err := list.Err(); err != nil {
		log.Fatal(err)
	}
	low, err := lowering.Compile(context.Background(), g, target.C())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text.String(low, text.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: memref<?xf64>, %arg1: index) {
	//     %c0 = arith.constant 0 : index
	//     %c1 = arith.constant 1 : index
	//     scf.for %arg2 = %c0 to %arg1 step %c1 {
	//       %0 = memref.load %arg0[%arg2] : memref<?xf64>
	//       %1 = math.exp %0 : f64
	//       memref.store %1, %arg0[%arg2] : memref<?xf64>
	//     }
	//     return
	//   }
	// }
}
