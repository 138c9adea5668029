package stage

// A Value is the result of a node; 0 is none.
type Value int32

// A Var is a variable of the program: a place that declares it, and what statics held then; numbered from 1.
type Var int32

// A Kind tells ops apart as far as this package has to.
type Kind uint8

// The kinds of ops.
const (
	Plain   Kind = iota
	Declare      // makes a variable that holds Args[0], if there is one
	Read         // gives what the variable Var holds
	Write        // makes it hold Args[0]
	Branch       // asks for Args[0]
	Leave        // returns Args
)

// An Op is what a function stages.
type Op struct {
	Kind Kind
	Code any     // what it does; comparable, and holds its constants
	Args []Value // of this run
	Var  Var     // of Declare, Read and Write
	Sub  int     // tells ops apart that one call makes
}

// same reports the same op on the same values.
func (o *Op) same(p *Op) bool {
	if o.Kind != p.Kind || o.Var != p.Var || len(o.Args) != len(p.Args) || o.Code != p.Code {
		return false
	}
	for i, a := range o.Args {
		if a != p.Args[i] {
			return false
		}
	}
	return true
}

// A Node is an op of the program that was found. A branch has two ways on, if true and if false; what leaves has none.
type Node struct {
	Op
	Stack int32 // where it was made: Session.Frames
	Next  [2]Value

	tag    tag
	from   Value // the node before, on the first path here, and which way from there
	way    uint8
	gone   bool
	run    int32 // in which run it was last met
	branch int32 // after so many branches
}

// successors is how many ways on a node has.
func (n *Node) successors() int {
	switch n.Kind {
	case Branch:
		return 2
	case Leave:
		return 0
	}
	return 1
}

// A tag says which node an op is.
type tag struct {
	stack, state int32
	sub          int32
	made         int32  // the variables of sites that are told apart
	leave        string // of Leave: what is returned stands for the place
}

// A site is a place in the host that declared different variables, or gave different values, with different host state.
type site struct {
	stack, sub int32
	value      bool
}
