package derivatives

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/differentiate"
	"github.com/irc-lang/irc/passes/pass"
)

var (
	programs  = flag.Int("programs", 1000, "how many random programs are differentiated")
	firstSeed = flag.Uint64("seed", 0, "the first seed")
)

// The derivatives of random programs by differentiate are those by differences of 256 bits, and rounding makes of them no more than it must.
func TestRandom(t *testing.T) {
	t.Parallel()
	n, next := *programs, atomic.Int64{}
	var count [refused + 1]atomic.Int64
	t.Run("programs", func(t *testing.T) {
		for worker := range runtime.GOMAXPROCS(0) {
			t.Run(fmt.Sprint(worker), func(t *testing.T) {
				t.Parallel()
				for i := next.Add(1); i <= int64(n) && !t.Failed(); i = next.Add(1) {
					count[same(t, *firstSeed+uint64(i)-1)].Add(1)
				}
			})
		}
	})
	edges, none := count[edge].Load(), count[refused].Load()
	t.Logf("%d agree, %d have no derivative where they were asked for one, %d no way back", count[agrees].Load(), edges, none)
	if edges > int64(n)/20 || none > int64(n)/50 {
		t.Errorf("of %d programs %d have no derivative where they were asked for one, and %d no way back", n, edges, none)
	}
}

// outcome is what became of the comparison of a program.
type outcome uint8

const (
	agrees  outcome = iota
	edge            // it has no derivative at any of a few points
	refused         // it has no way back: only forward mode is compared
)

// point is where a program is asked.
type point struct {
	x     [numbers]float64
	a     [arrays][elements]float64
	n     int64
	alias bool // both arrays are the first one
}

// arrays is how many there are.
func (p *point) arrays() int {
	if p.alias {
		return 1
	}
	return arrays
}

// coordinates is how many numbers there are that one may derive by.
func (p *point) coordinates() int { return numbers + p.arrays()*elements }

func parsed(t *testing.T, src string) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("p.mlir", "module {\n"+src+"}\n"), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return g
}

func through(g *ir.Graph, pipeline string) (*ir.Graph, error) {
	p, err := pass.Parse(pipeline, lowering.AllPasses())
	if err != nil {
		return nil, err
	}
	m := &pass.Manager{VerifyEach: true}
	return m.Run(context.Background(), g, p)
}

func machine(t *testing.T, g *ir.Graph) *interp.Machine {
	t.Helper()
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func somewhere(r *rand.Rand) (p point) {
	for i := range p.x {
		p.x[i] = r.Float64()*3 - 1.5
	}
	for i := range p.a {
		for k := range p.a[i] {
			p.a[i][k] = r.Float64()*3 - 1.5
		}
	}
	p.n = r.Int64N(elements + 1)
	return p
}

// seeds are the adjoints of the result, and of what the arrays hold at the end.
func seeds(r *rand.Rand) (s [1 + arrays*elements]float64) {
	for i := range s {
		s[i] = r.Float64()*2 - 1
	}
	return s
}

// coordinate of a point.
func (p *point) coordinate(i int) *float64 {
	if i < numbers {
		return &p.x[i]
	}
	return &p.a[(i-numbers)/elements][(i-numbers)%elements]
}

// array is memory of numbers, and what it holds.
func array(x [elements]float64) (ir.Val, []float64) {
	buf := interp.Floats(append([]float64(nil), x[:]...))
	return (&interp.MemRef{Buf: buf, Sizes: []int64{elements}, Strides: []int64{1}}).Val(), buf.Floats()
}

// tangents lists the arguments that the last arguments of a function are tangents of.
func tangents(g *ir.Graph, name string) (of []int) {
	c := g.Ctx
	for n := range g.All() {
		if c.AttrInfo(n.Attr("sym_name")).Str != name {
			continue
		}
		for _, a := range c.AttrInfo(n.Attr("arg_attrs")).List {
			if k := c.Get(a, differentiate.Tangent); k != 0 {
				of = append(of, int(c.AttrInfo(k).Int))
			}
		}
	}
	return of
}
