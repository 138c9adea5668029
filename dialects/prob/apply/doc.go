// Package apply computes with laws of probability: densities, masses between bounds, quantiles and draws, in Go and as
// ops. Package family says what a law is. What is said there of log densities holds of all that is computed here.
//
// Functions whose names begin with Joint are for laws with a Joint, whose node or parameters are arrays; the others are
// for laws of numbers. Parameters are valid ones: Law.Wrong and JointWrong say what is wrong with others. Functions
// whose names end in Ops build ops; the others compute.
package apply
