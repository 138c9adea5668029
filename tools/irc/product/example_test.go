package product_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/irc-lang/irc/tools/irc/product"
)

// An irc of one's own: all of irc's, and what is appended to its lists.
func ExampleAll() {
	irc := product.All()
	status := irc.Main([]string{"-passes=canonicalize", "-"}, strings.NewReader("func.func @f() {\n  return\n}\n"), os.Stdout, os.Stderr)
	fmt.Println(status)
	// Output:
	// module {
	//   func.func @f() {
	//     return
	//   }
	// }
	// 0
}
