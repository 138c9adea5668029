// Package cases holds programs of which it is known what the compiler has to make of them: those
// of the papers and systems that came before, sections 6 to 10 of a collection of cases, and more
// of each kind. Each is judged on four axes, never on its text: what it prints and gives (V),
// how many ops of a kind there are (S), on which level they stand (P), how often they run (D).
package cases
