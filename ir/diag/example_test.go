package diag_test

import (
	"fmt"

	"github.com/irc-lang/irc/ir/diag"
)

// What is wrong is told at its place, with a way out.
func Example() {
	src := diag.NewSource("prices.csv", "apple,12\npear,1x\n")
	fmt.Println(diag.Errorf(src.Span(14, 16), "%q is no number", "1x").WithFix("leave the unit out"))
	// Output:
	// prices.csv:2:6: error: "1x" is no number
	//   pear,1x
	//        ^~
	// help: leave the unit out
}

// Nearest is for a name that nobody knows.
func ExampleNearest() {
	fmt.Println(diag.Nearest("colour", []string{"width", "color", "height"}))
	// Output:
	// color
}
