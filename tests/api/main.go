// Command api lists what outsiders may depend on: the exported names of the stable packages, a file for each
// package in docs/api, as Go lists its own. docs/compatibility.md says what is promised of them.
//
//	go run ./tests/api           # how many names each package exports
//	go run ./tests/api -write    # writes docs/api and the sum in docs/changelog.md
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	write := flag.Bool("write", false, "write docs/api and the sum in docs/changelog.md")
	flag.Parse()
	if err := run(*write); err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		os.Exit(1)
	}
}

func run(write bool) error {
	s, err := read(".")
	if err != nil {
		return err
	}
	if write {
		return s.write("docs")
	}
	var total counts
	for _, p := range Stable {
		n := count(s[p])
		fmt.Printf("%-20s %4d names, %3d ops, %3d builders\n", p, n.names, n.ops, n.builders)
		total.names, total.ops, total.builders = total.names+n.names, total.ops+n.ops, total.builders+n.builders
	}
	fmt.Printf("%-20s %4d names, %3d ops, %3d builders\n", "all", total.names, total.ops, total.builders)
	return nil
}
