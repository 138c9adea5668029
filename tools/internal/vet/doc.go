// Package vet finds what authors of dialects and passes get wrong, by what their tables say: no program is run but the
// examples of passes. `irc dialects -check` and `irc passes -check` show what it finds, and the kit for tests
// (tools/irctest) fails with it.
//
// A check is a row: a sentence that says what is right, and a function that finds the opposite. Start has those that
// every run of a command makes.
package vet
