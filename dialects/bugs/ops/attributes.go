package ops

// Attributes of the function that a model is lowered to.
const (
	NodesAttr    = "bugs.nodes"    // names of the variables, one for each element of the argument for sums
	ObservedAttr = "bugs.observed" // for each of these, whether it is the part that is data
	NameAttr     = "bugs.name"     // of an argument: the variable it holds

	// LinkedAttr is of data that a link may have made of data: probabilities whose digits
	// are lost next to 0 and 1.
	LinkedAttr = "bugs.linked"

	// CarefulSuffix makes the name of the function for large counts and shapes, which
	// the other one calls.
	CarefulSuffix = "_careful"
)

// What the compiled density says of a point besides its value.
const (
	StatusOK      = 0 // no node is named (-1)
	StatusInvalid = 1 // a parameter of a distribution of the named sum has no meaning
)
