package simt

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Counts are what kernels did to memory.
type Counts struct {
	Launches      int
	Loads, Stores Global
	Shared        Shared
}

// Global are accesses of warps to global memory.
type Global struct {
	Requests, Sectors int   // by a warp at once; of 32 bytes each
	Bytes             int64 // that threads asked for, those that several ask for once
}

// Shared are accesses of warps to shared memory.
type Shared struct {
	Requests, Wavefronts int
	Conflicts            int // wavefronts more than there must be
}

// Moved is how many bytes go to and from global memory.
func (g Global) Moved() int64 { return sectorBytes * int64(g.Sectors) }

// Efficiency is how much of what moves was asked for, at most 1.
func (g Global) Efficiency() float64 {
	if g.Sectors == 0 {
		return 1
	}
	return float64(g.Bytes) / float64(g.Moved())
}

func (g Global) String() string {
	return fmt.Sprintf("%d requests for %d bytes in %d sectors (%.0f %% of them used)", g.Requests, g.Bytes, g.Sectors, 100*g.Efficiency())
}

func (n Counts) String() string {
	return fmt.Sprintf("kernels run: %d; global loads: %s; stores: %s; shared memory: %d requests, %d wavefronts, %d of them bank conflicts",
		n.Launches, n.Loads, n.Stores, n.Shared.Requests, n.Shared.Wavefronts, n.Shared.Conflicts)
}

const (
	sectorBytes = 32
	banks       = 32
	bankBytes   = 4
)

// A warp is the accesses of one between barriers.
type warp struct {
	block, number, passed int
	times                 [device.WarpSize]map[site]int // how often a lane was at an op
	requests              map[visit]*request
	order                 []visit // of the requests
	now                   visit   // of the access under way
}

// site is an op of a program.
type site struct {
	g *ir.Graph
	v ir.Value
}

// visit is the n-th time of the threads of a warp at an op.
type visit struct {
	site
	n int
}

// request is what the lanes of a warp ask for at once.
type request struct {
	kind  kind
	write bool
	lanes [device.WarpSize][]span
}

type span struct {
	memory *memory
	at, n  int
}

// enter notes that a thread comes to an op.
func (c *Checker) enter(o *interp.Op) {
	t := c.thread
	number, passed := t.Number()/device.WarpSize, t.Passed()
	if w := c.warp; w == nil || w.block != t.Block() || w.number != number || w.passed != passed {
		c.flush()
		c.warp = &warp{block: t.Block(), number: number, passed: passed, requests: map[visit]*request{}}
	}
	lane := t.Number() % device.WarpSize
	times := c.warp.times[lane]
	if times == nil {
		times = map[site]int{}
		c.warp.times[lane] = times
	}
	at := site{o.G, o.V}
	c.warp.now = visit{at, times[at]}
	times[at]++
}

// gather adds an access to those of the other lanes.
func (c *Checker) gather(m *memory, at, n int, write bool) {
	if m.kind == own {
		return
	}
	w := c.warp
	v := w.now
	if write {
		v.n = -1 - v.n // an op that reads and writes, or copies, makes two requests
	}
	r := w.requests[v]
	if r == nil {
		r = &request{kind: m.kind, write: write}
		w.requests[v] = r
		w.order = append(w.order, v)
	}
	lane := c.thread.Number() % device.WarpSize
	r.lanes[lane] = append(r.lanes[lane], span{m, at, n})
}

// flush counts the accesses of a warp.
func (c *Checker) flush() {
	if c.warp == nil {
		return
	}
	for _, v := range c.warp.order {
		r := c.warp.requests[v]
		switch {
		case r.kind == shared:
			c.counts.Shared.count(r)
		case r.write:
			c.counts.Stores.count(r)
		default:
			c.counts.Loads.count(r)
		}
	}
	c.warp = nil
}

// count adds a request: the sectors that it touches, and the bytes.
func (g *Global) count(r *request) {
	g.Requests++
	type place struct {
		m  *memory
		at int
	}
	sectors, bytes := map[place]bool{}, map[place]bool{}
	for _, lane := range r.lanes {
		for _, s := range lane {
			for k := s.at; k < s.at+s.n; k++ {
				sectors[place{s.memory, k / sectorBytes}] = true
				bytes[place{s.memory, k}] = true
			}
		}
	}
	g.Sectors += len(sectors)
	g.Bytes += int64(len(bytes))
}

// count adds a request: as many lanes at once as ask for 128 bytes together.
func (s *Shared) count(r *request) {
	s.Requests++
	most := 0
	for _, lane := range r.lanes {
		n := 0
		for _, x := range lane {
			n += x.n
		}
		most = max(most, n)
	}
	lanes := device.WarpSize
	for width := bankBytes; width < most && lanes > 1; width *= 2 {
		lanes /= 2
	}
	for part := range slices.Chunk(r.lanes[:], lanes) {
		n := wavefronts(part)
		s.Wavefronts += n
		s.Conflicts += max(n-1, 0)
	}
}

// wavefronts is how often the bank of the most different words is asked.
func wavefronts(lanes [][]span) (most int) {
	type word struct {
		m  *memory
		at int
	}
	seen := map[word]bool{}
	var asked [banks]int
	for _, lane := range lanes {
		for _, s := range lane {
			for k := s.at / bankBytes; k <= (s.at+s.n-1)/bankBytes; k++ {
				if w := (word{s.memory, k}); !seen[w] {
					seen[w] = true
					asked[k%banks]++
					most = max(most, asked[k%banks])
				}
			}
		}
	}
	return most
}

// String says what was counted up to now.
func (c *Checker) String() string { return c.Counts().String() }
