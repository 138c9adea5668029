package model

import "github.com/irc-lang/irc/ir/lists"

// An Item of an order is one of: a statement, a loop of the program, statements of
// several loops that take turns, or instances of statements by level.
type Item struct {
	Stmt         *Statement
	Loop         *Block
	Interleaving *Interleaving
	Wavefronts   *Wavefronts

	Data DataPart // of a statement
}

// Interleaving is a loop that is not in the program: in each round, statements of several
// loops take turns.
type Interleaving struct {
	Level  int // of the loops that it stands for
	Lo, Hi int // the rounds
	Body   []Interleaved
}

// Wavefronts are instances of statements by level: those of a level need only those of
// the levels before it. It is a loop over the levels and in it one for each
// statement, so the code is as long as the statements, whatever they run over.
type Wavefronts struct {
	Levels int
	Parts  []Wavefront
}

// DataPart says which of the nodes that a statement defines at a place are data.
type DataPart uint8

// A Block is a loop of the sequential program. All statements in it run over the
// same values at this level, under names of their own.
type Block struct {
	Level   int        // 0 is outermost
	Of      *Statement // one of the statements in it
	Reverse bool       // from the last value to the first
	Part    *[2]int    // an index set: only these values, from the first to the second
	Body    []Item
}

// An Interleaved gives the variable of the loop at the level of its Interleaving the value
// Scale*round + Shift. Without a loop at that level (Once) it gives none.
type Interleaved struct {
	Scale, Shift int
	Once         bool
	Body         []Item
}

// A Wavefront holds the instances of a statement, the levels in order. Those of level w,
// counted from 1, are from Start[w] to Start[w+1]-1, and At[d] holds the values of
// loop variable d, all counted from 1.
type Wavefront struct {
	Stmt  *Statement
	Start *Var
	At    []*Var
}

const (
	SomeData DataPart = iota // an element says it
	AllData
	NoData
)

// EachStatement calls f for every statement of the items, in order; one that has several
// turns is met several times.
func EachStatement(items []Item, f func(s *Statement)) {
	for _, it := range items {
		switch {
		case it.Stmt != nil:
			f(it.Stmt)
		case it.Loop != nil:
			EachStatement(it.Loop.Body, f)
		case it.Interleaving != nil:
			for _, t := range it.Interleaving.Body {
				EachStatement(t.Body, f)
			}
		case it.Wavefronts != nil:
			for _, w := range it.Wavefronts.Parts {
				f(w.Stmt)
			}
		}
	}
}

// Runs reports that a statement is left for run time: it has iterations, and data
// alone do not give all that it defines.
func (s *Statement) Runs() bool { return s.Iterations > 0 && !(s.Assign != nil && s.Pending == 0) }

// Running lists the statements that are left for run time.
func (m *Model) Running() []*Statement {
	return lists.Filter(m.Statements, func(s *Statement) bool { return s.Runs() })
}
