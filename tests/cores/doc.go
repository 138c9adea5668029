// Package cores tests parallel loops: that the interpreter finds their races, and none where there are none, and that
// programs do the same on one core, on several and in the interpreter.
package cores
