package model

// A Change says what an order does with a part of the program.
type Change uint8

// The changes.
const (
	Kept     Change = iota // a loop of the program runs as it stands
	Moved                  // a statement or loop runs later than in the text
	Reversed               // a loop runs backward
	Split                  // a loop is taken apart
	Fused                  // loops of the program run as one
	Turned                 // statements of several loops take turns in one
	Leveled                // instances run by level, in an order from the data
)

func (c Change) String() string {
	return [...]string{"kept", "moved", "reversed", "split", "fused", "turns", "levels"}[c]
}

// A Why is one decision about the order of a model.
type Why struct {
	Change Change
	Level  int           // of the loop that it is about, 0 is outermost
	Stmts  []*Statement  // what it is about
	Text   string        // a sentence
	Deps   []*Dependence // those that asked for it; of a loop that is kept, those in it
}
