// Command irc is irc with the dialect lms, as its authors would make it: it adds a dialect to what there is.
package main

import (
	"os"

	"github.com/irc-lang/irc/tests/extend/lms"
	"github.com/irc-lang/irc/tools/irc/product"
)

func main() {
	product.ServeIfChild()
	irc := product.All()
	irc.Dialects = append(irc.Dialects, lms.Dialect)
	os.Exit(irc.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
