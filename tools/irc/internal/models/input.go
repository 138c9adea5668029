package models

import (
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// BUGS is the kind of input that models are.
var BUGS = &cli.Input{Name: "bugs", What: "a BUGS model", Extensions: []string{".bug", ".bugs"},
	Others: []string{".stan"}, // whose reader says what that is
	Model:  Frontend{}, Dialects: []string{"bugs", "jags"}, Comment: "#",
	Examples: []string{"irc sample -warmup=100 -draws=100 rats.bug -data=rats-data.json",
		"irc rats.bug -data rats-data.json -passes='lower{to=scf}'",
		"irc run rats.bug -data rats-data.json -seed=7",
		"irc logdensity rats.bug -data rats-data.json -inits rats-inits.json",
		"irc logdensity rats.bug -data rats-data.json -inits rats-inits.json -json -engine=eval",
		"irc explain rats.bug -data rats-data.json",
		"irc explain -deps -emit=svg rats.bug -data rats-data.json -o deps.svg",
	}}
