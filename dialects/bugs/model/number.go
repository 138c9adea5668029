package model

// Compiled expressions are for walks over many iterations: a Go function of the
// loop variables for each node of the expression, without allocation.
type (
	Number    func(at []int32) (float64, Status)
	IntNumber func(at []int32) (int, Status)
)

// Status says how an evaluation ended.
type Status uint8

const (
	Valued  Status = iota
	NoValue        // an element has no value yet
	Failing        // something is wrong: the frame's evaluation has the words
)
