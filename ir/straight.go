package ir

// StraightOps counts the ops of a graph that stand in no loop, nor in what is called: each call of
// the graph runs them once at most. Constants are none.
func StraightOps(g *Graph) int { return straightOps.Of(g) }

var straightOps = NewAnalysis("straight ops", func(g *Graph) (n int) {
	s := ScheduleOf(g)
	var count func(r Region)
	count = func(r Region) {
		for _, v := range s.Body(r) {
			if !g.Def(v).Has(ConstantLike) {
				n++
			}
			for _, in := range g.Regions(v) {
				if k := g.KindOf(in); k != Loop && k != Lambda {
					count(in)
				}
			}
		}
	}
	count(Root)
	return n
})
