package main

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
	Name: "stagecheck",
	Doc:  "find what staged functions must not do: aliases of variables, state of the host under dynamic conditions, and what differs from run to run",
	Run:  run,
}

func main() { unitchecker.Main(Analyzer) }
