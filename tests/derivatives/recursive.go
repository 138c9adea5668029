package derivatives

import "fmt"

// recursion is what a program has of functions that call themselves.
type recursion struct {
	recursives int    // how many there are
	left       string // how deep the one that is being written may still go
	calls      int    // how many calls it may still make
}

// The most calls that a function makes of one that calls itself, and how deep the first one goes at most.
const (
	mostCalls = 2
	deepest   = 3
)

// callsItself reports a program with functions that do.
func callsItself(seed uint64) bool { return seed%7 == 1 }

// recursive writes one or two functions that call themselves and each other: of two numbers, two arrays, which they may write, and how deep
// they go.
func (p *program) recursive() {
	p.recursives = 1 + p.IntN(2)
	for k := range p.recursives {
		p.line(`func.func private @r%d(%%x0: f64, %%x1: f64, %%a0: memref<4xf64>, %%a1: memref<4xf64>, %%half: f64, %%left: index) -> (f64, f64) {`, k)
		p.floats, p.arrays, p.counts = []string{"%x0", "%x1"}, []string{"%a0", "%a1"}, nil
		p.constants()
		p.line("  %%n = arith.minsi %%left, %%c3 : index")
		p.left, p.calls, p.depth = "%left", mostCalls, 1
		for range p.IntN(3) {
			p.statement()
		}
		p.recur()
		for range p.IntN(3) {
			p.statement()
		}
		p.depth = 0
		p.line("  return %s, %s : f64, f64", p.sum(0), p.float())
		p.line("}")
	}
	p.left, p.calls = "", mostCalls
}

// recur calls a function that calls itself, within one that does unless that has gone deep enough. There are no more calls than a run has time for.
func (p *program) recur() {
	if p.calls == 0 || p.depth > 2 {
		p.compute()
		return
	}
	p.calls--
	if p.left == "" {
		p.descend()
		return
	}
	is, m := p.name(), p.name()
	p.line("  %s = arith.cmpi sgt, %s, %%c0 : index", is, p.left)
	before := len(p.floats)
	results := []string{p.name(), p.name()}
	p.results(results, "scf.if "+is+" -> (f64, f64) {")
	p.within(func() {
		if p.stores && p.IntN(3) == 0 {
			p.local()
		}
		p.line("  %s = arith.subi %s, %%c1 : index", m, p.left)
		v := p.callTo(m)
		p.line("  scf.yield %s#0, %s#1 : f64, f64", v, v)
	})
	p.line("  } else {")
	p.line("  scf.yield %s, %s : f64, f64", p.floats[p.IntN(before)], p.floats[p.IntN(before)])
	p.line("  }")
	p.small(results...)
}

// small puts the sines of numbers in sight that may be large.
func (p *program) small(of ...string) {
	for _, x := range of {
		v := p.name()
		p.line("  %s = math.sin %s : f64", v, x)
		p.floats = append(p.floats, v)
	}
}

// descend makes an outermost call.
func (p *program) descend() {
	v := p.callTo(fmt.Sprintf("%%c%d", p.IntN(deepest+1)))
	p.small(v+"#0", v+"#1")
}

// callTo calls a function that goes so deep at most. What it gives stays small.
func (p *program) callTo(left string) string {
	v := p.name()
	array := func() string { return p.arrays[p.IntN(len(p.arrays))] }
	x, y := p.name(), p.name()
	p.line("  %s = math.sin %s : f64", x, p.float())
	p.line("  %s = math.sin %s : f64", y, p.float())
	p.line("  %s:2 = func.call @r%d(%s, %s, %s, %s, %%half, %s) : (f64, f64, memref<4xf64>, memref<4xf64>, f64, index) -> (f64, f64)", v, p.IntN(p.recursives), x, y, array(), array(), left)
	return v
}
