//go:build !nojit && linux

package jit

// oldWays are calls that newer processors have others for: this is one.
var oldWays []way
