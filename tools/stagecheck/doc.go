// Command stagecheck finds, in Go functions that are staged (tools/stage), what Go lets one write and staging forbids, and says
// what to write instead:
//
//	go build -o stagecheck ./tools/stagecheck
//	go vet -vettool=$PWD/stagecheck ./...
//
// A function is staged if a parameter or its receiver is or has a *stage.S, or a parameter is a Dyn or a Slice; literals in it are part of it.
// What is under a condition that the program decides is what stands in an if or a for that asks s.If or s.While.
//
// Nothing is reported that is always right, but what is wrong only on some runs is; not everything that is wrong is seen: what a
// function does that is called is not looked at, unless it is staged itself.
package main
