package target

// Costs are what a target expects of programs and pays for what it does; times are in
// operations on floats. A pass that has an option for one of them takes it from here
// where the option does not say.
type Costs struct {
	Trips         float64 `json:"trips"`  // rounds of a loop of which nothing is known
	Branch        float64 `json:"branch"` // how often a branch runs for each run of its op
	ColdFrequency float64 `json:"rare"`   // for each run of what is around it, how often a region runs at most that gets its own copy of what is computed for it and others
	Access        float64 `json:"access"` // of a load or a store that is in the innermost cache
	Stream        float64 `json:"stream"` // of a load or a store, one after the other, of what is in no cache
	Miss          float64 `json:"miss"`   // of a load or a store of what is in no cache, at a place that was not known before

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

// usual are the costs of machines of today.
var usual = Costs{
	Trips: 1000, Branch: 0.5, ColdFrequency: 0.75, Access: 1, Stream: 3, Miss: 20,
	MinTable: 8, MinRounds: 16, MinFloats: 12, MinOuter: 24, MaxInner: 8, MaxSplit: 16, MaxStack: 512 << 10,
	MaxInline: 200, MaxFull: 1024, MaxApart: 64, MaxStraight: 4000, MaxLate: 1 << 26, Unroll: 4, MinParallel: 50000, MinChunk: 10000,
}

// A bounded is a number of a target by its key, and the most that it may be.
type bounded struct {
	key         string
	value, most float64
}

// What a number of a target may be at most. That of an option of a pass is the same: a pass that takes the number from the
// target makes as much of it. unbounded is of those that make no program larger: they are compared with.
const (
	MostLanes    = 256      // of a vector
	MostUnroll   = 1024     // iterations of a loop in a row
	MostCode     = 1 << 16  // iterations, elements or operations that one decision makes code of
	MostTile     = 1 << 20  // iterations of a tile in one loop
	MostStack    = 32 << 20 // bytes on the stack, which has 64 MiB
	MostCores    = 1 << 12  // of a machine, and threads
	mostStraight = 1 << 20  // operations of a function that superwords are looked for in
	unbounded    = 1e15 - 1
)

// all lists the costs by their keys; all are positive.
func (c *Costs) all() []bounded {
	n := func(key string, x int, most float64) bounded { return bounded{"costs." + key, float64(x), most} }
	f := func(key string, x float64) bounded { return bounded{"costs." + key, x, unbounded} }
	return []bounded{
		f("trips", c.Trips), f("branch", c.Branch), f("rare", c.ColdFrequency), f("access", c.Access), f("stream", c.Stream), f("miss", c.Miss),
		n("min_table", c.MinTable, unbounded), n("min_rounds", c.MinRounds, unbounded), n("min_floats", c.MinFloats, unbounded), n("min_outer", c.MinOuter, unbounded),
		n("max_inner", c.MaxInner, MostUnroll), n("max_split", c.MaxSplit, MostCode), n("max_stack", c.MaxStack, MostStack), n("max_inline", c.MaxInline, MostCode),
		n("max_full", c.MaxFull, MostCode), n("max_apart", c.MaxApart, MostCode), n("max_straight", c.MaxStraight, mostStraight), n("max_late", c.MaxLate, unbounded),
		n("unroll", c.Unroll, MostUnroll), n("min_parallel", c.MinParallel, unbounded), n("min_chunk", c.MinChunk, unbounded),
	}
}
