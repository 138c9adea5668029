// Package status has what a function returns that a trap leaves: numbers whose texts are found at run time, the same
// in object files and in code for other compilers.
//
// A public function NAME has a twin NAME_checked whose result is a status, an int32_t: 0, or the Code of a text. The
// texts of a file are a table of rows {int32_t, const char *} in Section. The linker joins the tables of a program, and
// TextOf looks a status up in all of them. docs/abi.md says what callers may rely on.
package status

import "hash/fnv"

// The names that a program has at run time.
const (
	Suffix  = "_checked"      // of the twin of a public function
	Section = "irc_traps"     // of the tables
	TextOf  = "irc_trap_text" // of the function that looks a status up
)

// NameConflict is the format of what is said of a public function, and the name of its twin, where something else has that name.
const NameConflict = "is @%s, whose form with a status is called @%s, and something else has that name; rename one of them"

// Code is the status of a trap with a text: a hash, above 0.
func Code(text string) int32 {
	h := fnv.New32a()
	h.Write([]byte(text))
	return int32(h.Sum32()>>1 | 1)
}
