package models

import "github.com/irc-lang/irc/tools/irc/cli"

// BUGS is the kind of input that models are.
var BUGS = &cli.Input{Name: "bugs", What: "a BUGS model", Extensions: []string{".bug", ".bugs"},
	Others: []string{".stan"}, // whose reader says what that is
	Model:  Frontend{}, Dialects: []string{"bugs", "jags"}, Comment: "#"}

// Inputs are all kinds of input of this repository.
var Inputs = []*cli.Input{cli.TextIR, BUGS, cli.Equations}
