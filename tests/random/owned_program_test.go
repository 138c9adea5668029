package random

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/irtest"
)

// ownedProgram is the text of a random program of functions that allocate and never free.
func ownedProgram(seed uint64) string {
	p := &owners{Writer: irtest.NewWriter(seed, 11), helpers: int(seed % 4)}
	p.results = p.IntN(3)
	p.Line("func.func @f(%%n: index, %%x: memref<?xindex>) -> (index%s) {", strings.Repeat(", memref<?xindex>", p.results))
	p.constants()
	p.mems, p.nums = []string{"%x"}, []string{"%n", "%c1", "%c2"}
	p.alloc()
	p.body(4+p.IntN(10), 3)
	sum := p.num()
	for range 2 {
		p.read(p.mem())
		sum = p.Def("arith.addi %s, %s : index", sum, p.nums[len(p.nums)-1])
	}
	var rest string
	for range p.results {
		rest += ", " + p.mem()
	}
	p.Line("return %s%s : index%s", sum, rest, strings.Repeat(", memref<?xindex>", p.results))
	p.Line("}")
	for i := range p.helpers {
		p.helper(i)
	}
	for _, name := range slices.Sorted(maps.Keys(ownedHelpers)) {
		if strings.Contains(p.String(), "@"+name+"(") {
			p.WriteString(ownedHelpers[name])
		}
	}
	return p.String()
}

func (p *owners) constants() {
	for i := range 3 {
		p.Line("%%c%d = arith.constant %d : index", i, i)
	}
}

// results is how many memories a helper returns.
func results(i int) int { return 1 + i%2 }

// helper prints a function of a number and two memories that returns memory: what it is
// given, what it makes, what others return, itself among them, or what a condition chooses.
func (p *owners) helper(i int) {
	p.Line("func.func %s@h%d(%%n: index, %%x: memref<?xindex>, %%y: memref<?xindex>) -> (%s) {", []string{"private ", ""}[p.IntN(2)], i, types(results(i)))
	p.constants()
	p.mems, p.nums, p.within = []string{"%x", "%y"}, []string{"%n", "%c1", "%c2"}, true
	p.body(1+p.IntN(4), 2)
	if p.IntN(2) == 0 {
		p.again()
	}
	p.Line("return %s : %s", irtest.List(results(i), func(int) string { return p.mem() }), types(results(i)))
	p.Line("}")
}

// again prints a call of a helper in a helper, which ends as its number grows less.
func (p *owners) again() {
	c, v, i := p.Def("arith.cmpi ugt, %%n, %%c0 : index"), p.Name(), p.IntN(p.helpers)
	n := results(i)
	p.Line("%s:%d = scf.if %s -> (%s) {", v, n, c, types(n))
	p.scoped(func() {
		d, w := p.Def("arith.subi %%n, %%c1 : index"), p.Name()
		p.Line("%s:%d = func.call @h%d(%s, %s, %s) : (index, memref<?xindex>, memref<?xindex>) -> (%s)", w, n, i, d, p.mem(), p.mem(), types(n))
		p.addResults(w, n)
		p.Line("scf.yield %s : %s", irtest.List(n, func(int) string { return p.mem() }), types(n))
	})
	p.Line("} else {\nscf.yield %s : %s\n}", irtest.List(n, func(int) string { return p.mem() }), types(n))
	p.addResults(v, n)
}

// ownedHelpers borrow memory, return new memory, what they are given, or one of both.
var ownedHelpers = map[string]string{"sum": `
func.func private @sum(%m: memref<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %m[%c0] : memref<?xindex>
  memref.store %a, %m[%c1] : memref<?xindex>
  return %a : index
}
`, "new": `
func.func private @new(%v: index) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = memref.alloc(%c2) {memref.owned} : memref<?xindex>
  memref.store %v, %t[%c0] : memref<?xindex>
  memref.store %c1, %t[%c1] : memref<?xindex>
  return %t : memref<?xindex>
}
`, "same": `
func.func private @same(%m: memref<?xindex>) -> memref<?xindex> {
  return %m : memref<?xindex>
}
`, "either": `
func.func private @either(%c: i1, %m: memref<?xindex>, %v: index) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %r = scf.if %c -> (memref<?xindex>) {
    %t = memref.alloc(%c2) {memref.owned} : memref<?xindex>
    memref.copy %m, %t : memref<?xindex> to memref<?xindex>
    memref.store %v, %t[%c0] : memref<?xindex>
    scf.yield %t : memref<?xindex>
  } else {
    scf.yield %m : memref<?xindex>
  }
  return %r : memref<?xindex>
}
`}

// owners prints a program.
type owners struct {
	*irtest.Writer
	mems, nums []string // in scope
	results    int      // memories that it returns
	helpers    int      // functions that it may call
	within     bool     // one of them is printed
}

func (p *owners) num() string { return p.nums[p.IntN(len(p.nums))] }

// mem picks memory, that of late rather than the first.
func (p *owners) mem() string {
	if n := len(p.mems); p.IntN(2) == 0 {
		return p.mems[n-1-p.IntN(min(n, 2))]
	}
	return p.mems[p.IntN(len(p.mems))]
}

func (p *owners) cond() string { return p.Def("arith.cmpi ult, %s, %s : index", p.num(), p.num()) }

func (p *owners) add(m string) { p.mems = append(p.mems, m) }

func (p *owners) alloc() {
	v := p.num()
	m := p.Def("memref.alloc(%%c2) {memref.owned} : memref<?xindex>")
	p.Line("memref.store %s, %s[%%c0] : memref<?xindex>", v, m)
	p.Line("memref.store %s, %s[%%c1] : memref<?xindex>", p.num(), m)
	p.add(m)
}

func (p *owners) read(m string) {
	p.nums = append(p.nums, p.Def("memref.load %s[%s] : memref<?xindex>", m, []string{"%c0", "%c1"}[p.IntN(2)]))
}

// scoped runs f and forgets what it defined.
func (p *owners) scoped(f func()) {
	m, n := len(p.mems), len(p.nums)
	f()
	p.mems, p.nums = p.mems[:m], p.nums[:n]
}

func (p *owners) body(n, depth int) {
	for range n {
		p.statement(depth)
	}
}

func (p *owners) statement(depth int) {
	switch k := p.IntN(20); {
	case k >= 16:
		p.elements(k >= 18)
	case k < 2:
		p.alloc()
	case k < 4:
		p.read(p.mem())
	case k < 5:
		v := p.num()
		p.Line("memref.store %s, %s[%%c0] : memref<?xindex>", v, p.mem())
	case k < 6:
		m := p.Def("memref.reinterpret_cast %s to offset: [0], sizes: [2], strides: [1] : memref<?xindex> to memref<2xindex>", p.mem())
		p.add(p.Def("memref.cast %s : memref<2xindex> to memref<?xindex>", m))
	case k < 7:
		c := p.cond()
		p.add(p.Def("arith.select %s, %s, %s : memref<?xindex>", c, p.mem(), p.mem()))
	case k < 9:
		p.call()
	case depth == 0:
	case k < 10:
		p.others(depth - 1)
	case k < 12:
		p.conditional(depth - 1)
	case k < 15:
		p.loop(depth - 1)
	default:
		p.while(depth - 1)
	}
}

// elements prints a loop that makes new memory of old, element by element: of those that
// follow, mostly, or of others; of all, or of those that pass a filter.
func (p *owners) elements(filter bool) {
	from := p.mem()
	if p.IntN(2) == 0 {
		p.alloc()
		from = p.mems[len(p.mems)-1]
	}
	to := p.Def("memref.alloc(%%c2) {memref.owned} : memref<?xindex>")
	if p.IntN(8) > 0 || filter {
		p.Line("memref.store %s, %s[%%c0] : memref<?xindex>", p.num(), to)
		p.Line("memref.store %s, %s[%%c1] : memref<?xindex>", p.num(), to)
	}
	if p.IntN(3) > 0 && !filter {
		to = p.Def("memref.alloc(%%c2) {memref.owned} : memref<?xindex>")
	}
	i, j, v := p.Name(), p.Name(), p.Name()
	lower := []string{"%c0", "%c1"}[p.IntN(2)]
	p.Line("%s = scf.for %s = %s to %%c2 step %%c1 iter_args(%s = %%c0) -> (index) {", v, i, lower, j)
	read := func() string {
		at := []string{i, i, i, i, "%c0", "%c1"}[p.IntN(6)]
		switch k := p.IntN(6); {
		case k == 0 && lower == "%c1":
			at = p.Def("arith.subi %s, %%c1 : index", i)
		case k == 1: // the one after it, or the first
			at = p.Def("arith.addi %s, %%c1 : index", i)
			at = p.Def("arith.remui %s, %%c2 : index", at)
		}
		return p.Def("memref.load %s[%s] : memref<?xindex>", from, at)
	}
	x := read()
	y := p.Def("arith.addi %s, %s : index", x, i)
	if filter {
		c := p.Def("arith.cmpi ult, %s, %s : index", x, p.num())
		p.Line("%s = scf.if %s -> (index) {", j+"n", c)
		p.Line("memref.store %s, %s[%s] : memref<?xindex>", y, to, j)
		p.Line("%s = arith.addi %s, %%c1 : index", j+"p", j)
		p.Line("scf.yield %s : index\n} else {\nscf.yield %s : index\n}", j+"p", j)
		p.Line("scf.yield %s : index", j+"n")
	} else {
		p.Line("memref.store %s, %s[%s] : memref<?xindex>", y, to, i)
		if p.IntN(3) == 0 {
			z := read()
			p.Line("memref.store %s, %s[%s] : memref<?xindex>", z, to, i)
		}
		p.Line("scf.yield %s : index", j)
	}
	p.Line("}")
	if lower == "%c1" {
		p.Line("memref.store %s, %s[%%c0] : memref<?xindex>", p.num(), to)
	}
	p.add(to)
}

func (p *owners) call() {
	switch k := p.IntN(16); {
	case k >= 12 && p.helpers > 0 && !p.within:
		i, v := p.IntN(p.helpers), p.Name()
		p.Line("%s:%d = func.call @h%d(%s, %s, %s) : (index, memref<?xindex>, memref<?xindex>) -> (%s)", v, results(i), i,
			[]string{"%c1", "%c2"}[p.IntN(2)], p.mem(), p.mem(), types(results(i)))
		p.addResults(v, results(i))
	case k < 6:
		p.add(p.Def("func.call @new(%s) : (index) -> memref<?xindex>", p.num()))
	case k == 6:
		p.add(p.Def("func.call @same(%s) : (memref<?xindex>) -> memref<?xindex>", p.mem()))
	case k == 7:
		c := p.cond()
		p.add(p.Def("func.call @either(%s, %s, %s) : (i1, memref<?xindex>, index) -> memref<?xindex>", c, p.mem(), p.num()))
	default:
		p.nums = append(p.nums, p.Def("func.call @sum(%s) : (memref<?xindex>) -> index", p.mem()))
	}
}

// addResults names the results of an op of n memories and adds them.
func (p *owners) addResults(v string, n int) {
	for i := range n {
		if n == 1 {
			p.add(v)
		} else {
			p.add(fmt.Sprintf("%s#%d", v, i))
		}
	}
}

func types(n int) string { return irtest.List(n, func(int) string { return "memref<?xindex>" }) }
