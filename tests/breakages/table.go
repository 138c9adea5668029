package main

import "slices"

// A breakage is one change that makes the program wrong.
type breakage struct {
	Name     string
	File     string
	Old, New string   // Old is there exactly once
	Breaks   string   // what goes wrong
	In       []string // asked after the tests of the file's own package: "package", or "package test|test -flag"
}

// table lists the breakages, those of the core first. The five design errors of
// the core's architecture have names that begin with "design".
var table = slices.Concat(core, dialects, loops, polyhedra, tensors, staging, laws, backends, limits, derivatives, samplers)
