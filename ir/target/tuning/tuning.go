// Package tuning has the numbers by which this repository's passes decide what pays on a machine. It has the bounds
// of numbers in options and targets, too. They change as the passes do.
package tuning

// Limits are the numbers of passes. A pass that has an option for one of them takes it from the target where the option
// does not say. All are positive.
type Limits struct {
	MinTable    int `json:"min_table"`    // fewest values for which a table of a function pays
	MinRounds   int `json:"min_rounds"`   // fewest rounds of a loop for which vectors pay
	MinFloats   int `json:"min_floats"`   // fewest operations of a round for which LLVM is told to use them
	MinOuter    int `json:"min_outer"`    // fewest rounds of a loop for whose vectors an inner one becomes straight-line code
	MaxInner    int `json:"max_inner"`    // most rounds of such an inner loop
	MaxSplit    int `json:"max_split"`    // most elements of an array that are worth a register each
	MaxStack    int `json:"max_stack"`    // most bytes of an array on the stack; larger ones come from the heap
	MaxInline   int `json:"max_inline"`   // most operations of a function that is put in the place of its calls
	MaxFull     int `json:"max_full"`     // most rounds of a loop that full unrolling makes straight-line code of
	MaxApart    int `json:"max_apart"`    // most operations between two conditionals that become one
	MaxStraight int `json:"max_straight"` // most operations of a function outside of loops for which speed is worth more code
	MaxLate     int `json:"max_late"`     // most rounds of a loop that tells at its end that an index was wrong
	Unroll      int `json:"unroll"`       // rounds of a loop that unrolling puts in a row

	MinParallel int `json:"min_parallel"` // fewest operations of a loop whose rounds the cores share
	MinChunk    int `json:"min_chunk"`    // and of what a core takes of it at a time
}

// Usual are the limits for machines of today.
var Usual = Limits{
	MinTable: 8, MinRounds: 16, MinFloats: 12, MinOuter: 24, MaxInner: 8, MaxSplit: 16, MaxStack: 512 << 10,
	MaxInline: 200, MaxFull: 1024, MaxApart: 64, MaxStraight: 4000, MaxLate: 1 << 26, Unroll: 4, MinParallel: 50000, MinChunk: 10000,
}

// What a number of a target may be at most. That of an option of a pass is the same: a pass that takes the number from the
// target makes as much of it. Unbounded is of those that make no program larger: they are compared with.
const (
	MostLanes    = 256      // of a vector
	MostUnroll   = 1024     // iterations of a loop in a row
	MostCode     = 1 << 16  // iterations, elements or operations that one decision makes code of
	MostTile     = 1 << 20  // iterations of a tile in one loop
	MostStack    = 32 << 20 // bytes on the stack, which has 64 MiB
	MostCores    = 1 << 12  // of a machine, and threads
	MostStraight = 1 << 20  // operations of a function that superwords are looked for in
	Unbounded    = 1e15 - 1
)
