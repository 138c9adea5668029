package cli_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/irc/cli"
	"github.com/irc-lang/irc/tools/irc/product"
)

// A small irc: three dialects, text, the interpreter. A main gives os.Args[1:] and the standard files.
func Example() {
	irc := &cli.Program{Dialects: []*ir.Dialect{builtin.Dialect, funcs.Dialect, arith.Dialect}}
	status := irc.Main([]string{"-"}, strings.NewReader(`
func.func @f(%x: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %y = arith.addi %x, %zero : i64
  return %y : i64
}`), os.Stdout, os.Stderr)
	fmt.Println(status)
	// Output:
	// module {
	//   func.func @f(%arg0: i64) -> i64 {
	//     return %arg0 : i64
	//   }
	// }
	// 0
}

// The irc of this repository with one more form of output.
func ExampleEmit() {
	irc := product.All()
	irc.Emits = append(irc.Emits, cli.Emit("ops", "the number of ops", func(w io.Writer, g *ir.Graph) error {
		n := 0
		for range g.All() {
			n++
		}
		_, err := fmt.Fprintln(w, n, "ops")
		return err
	}))
	irc.Main([]string{"-emit=ops", "-"}, strings.NewReader("func.func @f(%x: i64) -> i64 {\n  return %x : i64\n}"), os.Stdout, os.Stderr)
	// Output:
	// 3 ops
}
