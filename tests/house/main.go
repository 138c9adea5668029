// Command house draws the folders of this repository as rooms of a house: a storey a
// layer, each room with the first sentence of its package, and at the side what each
// storey uses of those below. It is made from the sources, so it is what is there.
//
//	go run ./tests/house docs/architecture.svg
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: house FILE.svg (in the root of the repository)")
		os.Exit(2)
	}
	rooms, err := read(".")
	if err == nil {
		err = os.WriteFile(os.Args[1], []byte(draw(rooms)), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}
