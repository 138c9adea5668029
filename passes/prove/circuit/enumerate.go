package circuit

import "context"

// lanes of a word are as many assignments, looked at together.
const lanes = 64

// patterns are the values of the first six inputs in the lanes of a word: each is true in half of them.
var patterns = [6]uint64{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000}

// A step computes a slot from two others, each negated by a mask.
type step struct {
	a, b       uint32
	notA, notB uint64
}

// A simulation is the cone of a bit as straight-line code on words.
type simulation struct {
	words []uint64 // slot 0 is false; behind it the cone
	steps []step
	first int // slot of the first step
	goal  int
	not   uint64
}

// Enumerate looks at all values of the inputs in free for ones where a bit is true whatever the inputs in every are; all
// others are false. The work is the gates below the bit, times 2^(free+every), by 64.
func (c *Circuit) Enumerate(ctx context.Context, goal Bit, free, every []Bit) (m Model, ok bool, err error) {
	s, slot := c.simulate(goal, append(append([]Bit{}, free...), every...))
	n := len(free)
	valid := ^uint64(0)
	if n < len(patterns) {
		valid = 1<<(1<<n) - 1
	}
	for i, b := range free[:min(n, len(patterns))] {
		s.words[slot[b]] = patterns[i]
	}
	for block := range uint64(1) << max(0, n-len(patterns)) {
		if block%(1<<10) == 0 && ctx.Err() != nil {
			return nil, false, context.Cause(ctx)
		}
		for i := len(patterns); i < n; i++ {
			s.words[slot[free[i]]] = -(block >> (i - len(patterns)) & 1)
		}
		if hits := s.forAll(slot, every, valid); hits != 0 {
			return assignment(free, block, hits), true, nil
		}
	}
	return nil, false, nil
}

// forAll are the lanes in which the goal holds for all values of some inputs.
func (s *simulation) forAll(slot map[Bit]int, every []Bit, hits uint64) uint64 {
	for k := range uint64(1) << len(every) {
		for i, b := range every {
			s.words[slot[b]] = -(k >> i & 1)
		}
		if hits &= s.run(); hits == 0 {
			break
		}
	}
	return hits
}

// assignment is that of the first lane that is set.
func assignment(free []Bit, block, hits uint64) Model {
	m, lane := Model{}, 0
	for hits>>lane&1 == 0 {
		lane++
	}
	at := block*lanes + uint64(lane)
	for i, b := range free {
		m[b] = at>>i&1 == 1
	}
	return m
}

func (c *Circuit) simulate(goal Bit, inputs []Bit) (*simulation, map[Bit]int) {
	slot := map[Bit]int{}
	place := make([]uint32, max(len(c.gates), int(goal>>1)+1))
	s := &simulation{words: make([]uint64, 1, 1+len(inputs)), not: mask(goal)}
	for _, b := range inputs {
		slot[b], place[b>>1] = len(s.words), uint32(len(s.words))
		s.words = append(s.words, 0)
	}
	s.first = len(s.words)
	for _, i := range c.cone(goal) {
		if g := c.gates[i]; (g != gate{}) {
			place[i] = uint32(len(s.words))
			s.steps = append(s.steps, step{place[g.a>>1], place[g.b>>1], mask(g.a), mask(g.b)})
			s.words = append(s.words, 0)
		}
	}
	s.goal = int(place[goal>>1])
	return s, slot
}

func mask(b Bit) uint64 { return -uint64(b & 1) }

// run computes the goal in all lanes.
func (s *simulation) run() uint64 {
	words, at := s.words, s.first
	for i := range s.steps {
		x := &s.steps[i]
		words[at] = (words[x.a] ^ x.notA) & (words[x.b] ^ x.notB)
		at++
	}
	return words[s.goal] ^ s.not
}
