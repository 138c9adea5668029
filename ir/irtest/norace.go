//go:build !race

package irtest

const raceCost = 1
