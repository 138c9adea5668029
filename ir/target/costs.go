package target

import "github.com/irc-lang/irc/ir/target/tuning"

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

	tuning.Limits // of this repository's passes: they may change at any time, and no other code should ask for them
}

// usual are the costs of machines of today.
var usual = Costs{
	Trips: 1000, Branch: 0.5, ColdFrequency: 0.75, Access: 1, Stream: 3, Miss: 20,
	Limits: tuning.Usual,
}

// A bounded is a number of a target by its key, and the most that it may be.
type bounded struct {
	key         string
	value, most float64
}

// all lists the costs by their keys; all are positive.
func (c *Costs) all() []bounded {
	n := func(key string, x int, most float64) bounded { return bounded{"costs." + key, float64(x), most} }
	f := func(key string, x float64) bounded { return bounded{"costs." + key, x, tuning.Unbounded} }
	return []bounded{
		f("trips", c.Trips), f("branch", c.Branch), f("rare", c.ColdFrequency), f("access", c.Access), f("stream", c.Stream), f("miss", c.Miss),
		n("min_table", c.MinTable, tuning.Unbounded), n("min_rounds", c.MinRounds, tuning.Unbounded), n("min_floats", c.MinFloats, tuning.Unbounded), n("min_outer", c.MinOuter, tuning.Unbounded),
		n("max_inner", c.MaxInner, tuning.MostUnroll), n("max_split", c.MaxSplit, tuning.MostCode), n("max_stack", c.MaxStack, tuning.MostStack), n("max_inline", c.MaxInline, tuning.MostCode),
		n("max_full", c.MaxFull, tuning.MostCode), n("max_apart", c.MaxApart, tuning.MostCode), n("max_straight", c.MaxStraight, tuning.MostStraight), n("max_late", c.MaxLate, tuning.Unbounded),
		n("unroll", c.Unroll, tuning.MostUnroll), n("min_parallel", c.MinParallel, tuning.Unbounded), n("min_chunk", c.MinChunk, tuning.Unbounded),
	}
}
