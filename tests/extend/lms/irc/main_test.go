package main

import (
	"testing"

	"github.com/irc-lang/irc/tools/irc/product"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	product.ServeIfChild() // of the command below
	testscript.Main(m, map[string]func(){"irc": main})
}

// The levels of the dialect, by the command line.
func TestScripts(t *testing.T) { testscript.Run(t, testscript.Params{Dir: "testdata"}) }
