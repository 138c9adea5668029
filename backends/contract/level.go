package contract

// A Level is an optimisation level of LLVM's; the zero Level is O3.
type Level uint8

// The levels of LLVM's default<On> pipelines.
const (
	LevelDefault Level = iota
	O0
	O1
	O2
	O3
)

// LevelOf returns the level numbered n, 0 to 3; larger numbers are O3 as in
// LLVM's tools, negative ones O0.
func LevelOf(n int) Level { return O0 + Level(max(0, min(n, 3))) }
