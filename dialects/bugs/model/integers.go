package model

// integerRange is the range of the values of a variable all of which are known
// integers.
type integerRange struct {
	Done, Known bool
	Lo, Hi      int
}
