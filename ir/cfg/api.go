package cfg

// Leave is where an edge goes that leaves the graph.
const Leave = -1

type (
	// Graph is a control-flow graph. Block 0 is the entry and may be the target of edges too.
	Graph struct {
		Blocks  []Block
		Results []int // the variables that are read when control leaves
	}
	// Block is straight-line code and a branch at its end.
	Block struct {
		Reads  []int  // variables read before the block has written them; what the branch reads is among them
		Writes []int  // variables that the block writes
		Succs  []Edge // none: control never comes to the end; one: goes on; two: if true, if false; more: a switch
		Cost   int    // what a copy of it costs, in ops, where its ops may be made several times; 0: it is not to be copied
	}
	// Edge goes to a block, or leaves, and assigns its moves in parallel on the way.
	Edge struct {
		To    int
		Moves []Move
	}
	// Move is To := From.
	Move struct{ To, From int }
)

type (
	// Tree is a structured program.
	Tree struct {
		Body []Node
		// Guards are the variables that structuring added. Guards[i] is variable FirstGuard + i.
		FirstGuard int
		Guards     []Guard
		// Undefined are the results that have no value when control leaves.
		Undefined []int
	}
	// Guard is a variable that holds one of the numbers 0 to Values-1; with two values, a client may make it an i1.
	Guard struct{ Values int }
	// Node is one of *Run, *Assign, *Set, *If and *Loop.
	Node interface{ node() }

	// Run is a block without its branch.
	Run struct{ Block int }
	// Assign are parallel assignments of variables.
	Assign struct{ Moves []Move }
	// Set gives a guard a constant.
	Set struct{ Guard, Value int }
	// If takes one of its arms and goes on after it.
	If struct {
		Test   Test
		Arms   []Arm // at least two; those of a block's branch in the order of its successors
		Yields []int // ascending
	}
	// Arm is one way through an If.
	Arm struct {
		Body      []Node
		Undefined []int // those of the If's Yields that have no value at the end of this arm
		Dead      bool  // control never comes to the end of this arm
	}
	// Loop runs Before, then ends or runs After and starts again.
	Loop struct {
		Before    []Node
		Test      Test // for how long
		After     []Node
		Carries   []int // ascending: what is written in the loop and read in a later round before it is written
		Undefined []int // those of Carries that have no value when the loop starts
		Passes    []int // ascending: what is written in Before and read in After or after the loop, or carried unchanged
	}
	// Test is a decision.
	Test struct {
		Kind Kind
		// Of is the block whose branch decides, which is the last Run before the test in the same list; or the guard.
		Of int
		// Cases are for a guard: arm i is taken where the guard equals Cases[i], the last arm otherwise (there is one case
		// fewer than there are arms). A loop goes on where the guard equals Cases[0].
		Cases []int
		// Negated is for a loop that goes on where the condition of the block is false.
		Negated bool
	}
	// Kind says what a test looks at.
	Kind int
)

// The kinds of tests.
const (
	Branch  Kind = iota // the branch of block Of
	OnGuard             // the value of guard Of
	Always              // of loops that do not end
)

func (*Run) node()    {}
func (*Assign) node() {}
func (*Set) node()    {}
func (*If) node()     {}
func (*Loop) node()   {}
