//go:build race

package irtest

// raceCost is how much longer the race detector makes programs take, at most.
const raceCost = 20
