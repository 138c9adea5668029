package stage

// What was found is checked: the function is run along more paths, where paths have met on ways that none took together. What
// it does there must be what was found.

// fork is a branch that an execution comes to, after another one and the way from that.
type fork struct {
	before Value
	way    uint8
	at     Value
}

// A checker chooses paths.
type checker struct {
	taken map[fork]*[2]int32
	fresh bool // the path has a pair of ways that no other had
	coin  uint64
}

// choose is the way on from a branch: the one that fewer took who came from where this one comes from.
func (c *checker) choose(f fork) uint8 {
	t := c.taken[f]
	if t == nil {
		t = &[2]int32{}
		c.taken[f] = t
	}
	c.coin ^= c.coin << 13
	c.coin ^= c.coin >> 7
	c.coin ^= c.coin << 17
	way := uint8(c.coin >> 63)
	if t[0] != t[1] {
		way = 0
		if t[1] < t[0] {
			way = 1
		}
	}
	c.fresh = c.fresh || t[way] == 0
	t[way]++
	return way
}

// check runs the function along paths; it reports that there is more to find.
func (s *Session) check() (again bool, err error) {
	c := &checker{taken: map[fork]*[2]int32{}, coin: 0x9e3779b97f4a7c15}
	steps := 2*s.Stats.Steps + 100_000
	for n := 0; n < s.opts.Checks && s.Stats.Steps < steps; n++ {
		s.Stats.Checks++
		c.fresh = false
		if err := s.execute(s.newRun(c)); err != nil {
			return false, err
		}
		if len(s.todo) > 0 {
			return true, nil
		}
		if !c.fresh && (n >= 3 || len(c.taken) == 0) {
			break
		}
	}
	return false, nil
}
