package derivatives

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The arguments of all programs: numbers, memory, and a number of rounds.
const (
	numbers  = 3
	arrays   = 2
	elements = 4
)

// A program is the text of a function @f of three numbers, two arrays of four, an index and a half, which
// gives one number. The half is an argument, and none that programs are derived by: no function of it is folded, and so rounded.
type program struct {
	*rand.Rand
	b      strings.Builder
	next   int
	depth  int
	floats []string // values in sight
	ivs    []string // indices in sight, from 0 to 3
	counts []string // numbers of rounds in sight that were found on the way, from 0 to 3
	arrays []string
	stores bool
	called int  // how many functions there are to call
	lends  bool // memory of a computed size is in sight
	recursion
}

// random writes a program.
func random(seed uint64) string {
	p := &program{Rand: rand.New(rand.NewPCG(seed, 1))}
	p.stores = p.IntN(3) > 0
	for range p.IntN(3) {
		p.function()
	}
	if callsItself(seed) {
		p.recursive()
	}
	p.line(`func.func @f(%%x0: f64, %%x1: f64, %%x2: f64, %%a0: memref<4xf64>%s, %%a1: memref<4xf64>%s, %%n: index, %%half: f64) -> f64 {`, p.own(), p.own())
	p.floats, p.arrays, p.counts = []string{"%x0", "%x1", "%x2"}, []string{"%a0", "%a1"}, nil
	p.constants()
	if p.IntN(2) == 0 {
		p.local()
	}
	if p.recursives > 0 {
		p.descend()
	}
	for range 2 + p.IntN(5) {
		p.statement()
	}
	p.line("  return %s : f64", p.sum(0))
	p.line("}")
	return p.b.String()
}

func (p *program) constants() {
	for c := range elements + 1 {
		p.line("  %%c%d = arith.constant %d : index", c, c)
	}
	p.line("  %%zero = arith.constant 0.0 : f64")
	p.floats = append(p.floats, "%half")
}

// function writes one that others call: of two numbers and an array, which it may write.
func (p *program) function() {
	p.line(`func.func private @h%d(%%x0: f64, %%x1: f64, %%a0: memref<4xf64>, %%half: f64) -> (f64, f64) {`, p.called)
	p.floats, p.arrays, p.counts = []string{"%x0", "%x1"}, []string{"%a0"}, nil
	p.constants()
	p.line("  %%n = arith.constant 3 : index")
	p.depth = 1
	for range 1 + p.IntN(4) {
		p.statement()
	}
	p.depth = 0
	p.line("  return %s, %s : f64, f64", p.sum(0), p.float())
	p.line("}")
	p.called++
}

// call calls one of the functions before.
func (p *program) call() {
	v := p.name()
	p.line("  %s:2 = func.call @h%d(%s, %s, %s, %%half) : (f64, f64, memref<4xf64>, f64) -> (f64, f64)", v, p.IntN(p.called), p.float(), p.float(), p.arrays[p.IntN(len(p.arrays))])
	p.small(v+"#0", v+"#1")
}

// while runs until a number is large enough, or a count has come to its end.
func (p *program) while() {
	v, k, x, y := p.name(), p.name(), p.name(), p.float()
	most := fmt.Sprintf("%%c%d", p.IntN(4))
	p.line("  %s:3 = scf.while (%s = %%c0, %s = %s) : (index, f64) -> (index, f64, f64) {", v, k, x, p.float())
	p.within(func() {
		p.floats = append(p.floats, x)
		p.compute()
		if p.stores && p.IntN(3) == 0 {
			p.line("  memref.store %s, %s[%s] : memref<4xf64>", p.float(), p.arrays[p.IntN(len(p.arrays))], p.index())
		}
		less, small, both := p.name(), p.name(), p.name()
		p.line("  %s = arith.cmpi slt, %s, %s : index", less, k, most)
		p.line("  %s = arith.cmpf olt, %s, %s : f64", small, p.float(), y)
		p.line("  %s = arith.andi %s, %s : i1", both, less, small)
		p.line("  scf.condition(%s) %s, %s, %s : index, f64, f64", both, k, x, p.float())
	})
	j, a, b := p.name(), p.name(), p.name()
	p.line("  } do {")
	p.line("  ^bb0(%s: index, %s: f64, %s: f64):", j, a, b)
	p.within(func() {
		p.floats, p.ivs = append(p.floats, a, b), append(p.ivs, j)
		if p.stores && p.IntN(4) == 0 {
			p.local()
		}
		for range 1 + p.IntN(3) {
			p.statement()
		}
		next := p.name()
		p.line("  %s = arith.addi %s, %%c1 : index", next, j)
		p.line("  scf.yield %s, %s : index, f64", next, p.all(len(p.floats)-2))
	})
	p.line("  }")
	p.counts = append(p.counts, v+"#0")
	p.small(v+"#1", v+"#2")
}

// parallel adds up what its rounds compute, and may write an element in each.
func (p *program) parallel() {
	v, i := p.name(), p.name()
	to := ""
	if p.stores {
		to = p.arrays[p.IntN(len(p.arrays))]
	}
	p.line("  %s = scf.parallel (%s) = (%%c0) to (%%c%d) step (%%c1) init (%s) -> f64 {", v, i, 1+p.IntN(elements), p.float())
	p.within(func() {
		n := len(p.floats)
		p.ivs = append(p.ivs, i)
		if to != "" {
			w, x := p.name(), p.name()
			p.line("  %s = memref.load %s[%s] : memref<4xf64>", w, to, i)
			p.line("  %s = arith.mulf %s, %s : f64", x, w, p.float())
			p.line("  memref.store %s, %s[%s] : memref<4xf64>", x, to, i)
			p.floats = append(p.floats, w, x)
		}
		for range 1 + p.IntN(3) {
			p.compute()
		}
		l, r, sum := p.name(), p.name(), p.name()
		p.line("  scf.reduce(%s : f64) {", p.all(n))
		p.line("  ^bb0(%s: f64, %s: f64):", l, r)
		p.line("    %s = arith.addf %s, %s : f64", sum, l, r)
		p.line("    scf.reduce.return %s : f64", sum)
		p.line("  }")
	})
	p.line("  }")
	p.floats = append(p.floats, v)
}

// view reads, and may write, two elements of a part of an array.
func (p *program) view() {
	m, offset, stride := p.name(), p.IntN(2), 1+p.IntN(2)
	t := fmt.Sprintf("memref<2xf64, strided<[%d], offset: %d>>", stride, offset)
	p.line("  %s = memref.subview %s[%d] [2] [%d] : memref<4xf64> to %s", m, p.arrays[p.IntN(len(p.arrays))], offset, stride, t)
	v := p.name()
	p.line("  %s = memref.load %s[%%c%d] : %s", v, m, p.IntN(2), t)
	p.floats = append(p.floats, v)
	if p.stores {
		p.line("  memref.store %s, %s[%%c%d] : %s", p.float(), m, p.IntN(2), t)
	}
}

// scratch copies an array into memory that is given back, and may copy it into another one.
func (p *program) scratch() {
	m := p.name()
	p.line("  %s = memref.alloc() : memref<4xf64>", m)
	p.line("  memref.copy %s, %s : memref<4xf64> to memref<4xf64>", p.arrays[p.IntN(len(p.arrays))], m)
	v := p.name()
	p.line("  %s = memref.load %s[%s] : memref<4xf64>", v, m, p.index())
	if p.stores {
		p.line("  memref.store %s, %s[%s] : memref<4xf64>", p.float(), m, p.index())
		p.line("  memref.copy %s, %s : memref<4xf64> to memref<4xf64>", m, p.arrays[p.IntN(len(p.arrays))])
	}
	p.line("  memref.dealloc %s : memref<4xf64>", m)
	p.floats = append(p.floats, v)
}

func (p *program) own() string {
	return []string{"", " {llvm.noalias}"}[p.IntN(2)]
}

func (p *program) line(format string, args ...any) {
	fmt.Fprintf(&p.b, format+"\n", args...)
}

func (p *program) name() string {
	p.next++
	return fmt.Sprintf("%%v%d", p.next)
}

// float is a value in sight, a recent one more often.
func (p *program) float() string {
	n := len(p.floats)
	if p.IntN(2) == 0 {
		return p.floats[n-1-p.IntN(min(3, n))]
	}
	return p.floats[p.IntN(n)]
}

// index is an index of an array.
func (p *program) index() string {
	if len(p.ivs) > 0 && p.IntN(4) > 0 {
		return p.ivs[p.IntN(len(p.ivs))]
	}
	return fmt.Sprintf("%%c%d", p.IntN(elements))
}

// local is memory of the function's own, filled.
func (p *program) local() {
	m := p.name()
	p.line("  %s = memref.alloc() {memref.owned} : memref<4xf64>", m)
	for i := range elements {
		p.line("  memref.store %s, %s[%%c%d] : memref<4xf64>", p.float(), m, i)
	}
	p.arrays = append(p.arrays, m)
}

// lent is memory that is given back, and what is done with it until then. Its size may be computed; then no loop uses it, since one that
// runs again would have to know the size before.
func (p *program) lent() {
	size, raw, m, arrays, depth, lends := "%c4", p.name(), p.name(), len(p.arrays), p.depth, p.lends
	p.depth++
	if p.IntN(2) == 0 {
		size, p.lends, p.depth = p.name(), true, 3
		p.line("  %s = arith.maxsi %s, %%c4 : index", size, p.index())
	}
	p.line("  %s = memref.alloc(%s) : memref<?xf64>", raw, size)
	p.line("  %s = memref.cast %s : memref<?xf64> to memref<4xf64>", m, raw)
	for i := range elements {
		p.line("  memref.store %s, %s[%%c%d] : memref<4xf64>", p.float(), m, i)
	}
	p.arrays = append(p.arrays, m)
	for range 1 + p.IntN(3) {
		p.statement()
	}
	p.arrays, p.depth, p.lends = p.arrays[:arrays:arrays], depth, lends
	p.line("  memref.dealloc %s : memref<?xf64>", raw)
}

func (p *program) statement() {
	if p.recursives > 0 && p.IntN(5) == 0 {
		p.recur()
		return
	}
	switch k := p.IntN(19); {
	case k == 18 && p.depth < 3:
		p.stencil()
	case k == 17 && p.depth < 3:
		p.lent()
	case k == 16:
		p.guarded()
	case k == 12 && p.called > 0 && !p.lends:
		p.call()
	case k == 13 && p.depth < 3:
		p.while()
	case k == 14 && p.depth < 3:
		p.parallel()
	case k == 15:
		if p.IntN(2) == 0 {
			p.view()
		} else {
			p.scratch()
		}
	case k < 5:
		p.compute()
	case k < 7:
		v := p.name()
		p.line("  %s = memref.load %s[%s] : memref<4xf64>", v, p.arrays[p.IntN(len(p.arrays))], p.index())
		p.floats = append(p.floats, v)
	case k < 9 && p.stores:
		p.line("  memref.store %s, %s[%s] : memref<4xf64>", p.float(), p.arrays[p.IntN(len(p.arrays))], p.index())
	case k < 11 && p.depth < 3:
		p.loop()
	case p.depth < 3:
		p.branch()
	default:
		p.compute()
	}
}

// compute makes a number that stays small, and smooth but where branches and choices change.
func (p *program) compute() {
	v, x, y := p.name(), p.float(), p.float()
	bounded := func(format string, args ...any) {
		w := p.name()
		p.line("  %s = %s", w, fmt.Sprintf(format, args...))
		p.line("  %s = math.sin %s : f64", v, w)
	}
	switch p.IntN(17) {
	case 0:
		bounded("arith.mulf %s, %s : f64", x, y)
	case 1:
		bounded("arith.addf %s, %s fastmath<reassoc> : f64", x, y)
	case 2:
		bounded("arith.subf %s, %s : f64", x, y)
	case 3:
		p.line("  %s = math.tanh %s : f64", v, x)
	case 4:
		bounded("math.exp %s : f64", x)
	case 5:
		bounded("arith.divf %s, %s : f64", x, p.positive(y))
	case 6:
		p.line("  %s = special.ilogit %s : f64", v, x)
	case 7:
		p.line("  %s = special.log1pexp %s : f64", v, x)
	case 8:
		c := p.name()
		p.line("  %s = arith.cmpf olt, %s, %s : f64", c, x, y)
		p.line("  %s = arith.select %s, %s, %s : f64", v, c, p.float(), p.float())
	case 9:
		p.line("  %s = arith.%s %s, %s : f64", v, []string{"maximumf", "minimumf", "maxnumf", "minnumf"}[p.IntN(4)], x, y)
	case 10:
		p.line("  %s = math.absf %s : f64", v, x)
	case 11:
		bounded("math.fma %s, %s, %s : f64", x, y, p.float())
	case 12:
		bounded("arith.negf %s : f64", x)
	case 13, 14, 15:
		p.elementary(v, x, y)
	default:
		p.line("  %s = math.cos %s : f64", v, x)
	}
	p.floats = append(p.floats, v)
}

// within writes what stands in a region, and forgets it.
func (p *program) within(f func()) {
	floats, ivs, arrays, counts := len(p.floats), len(p.ivs), len(p.arrays), len(p.counts)
	p.depth++
	f()
	p.depth--
	p.floats, p.ivs, p.arrays = p.floats[:floats:floats], p.ivs[:ivs:ivs], p.arrays[:arrays:arrays]
	p.counts = p.counts[:counts:counts]
}

// loop has up to four rounds, none perhaps, and carries up to three numbers.
func (p *program) loop() {
	iv, n, before := p.name(), 1+p.IntN(3), len(p.floats)
	lower, upper := "%c0", fmt.Sprintf("%%c%d", 1+p.IntN(4))
	switch k := p.IntN(7); {
	case k == 0:
		upper = "%n"
	case k > 4 && len(p.counts) > 0:
		upper = p.counts[p.IntN(len(p.counts))]
	case k == 1 && len(p.ivs) > 0:
		upper = p.ivs[p.IntN(len(p.ivs))]
	case k == 2 && len(p.ivs) > 0:
		lower, upper = p.ivs[p.IntN(len(p.ivs))], "%c4"
	case k == 3:
		lower = "%c1"
	}
	step := fmt.Sprintf("%%c%d", 1+p.IntN(4)/3)
	var results, carried, inits, types []string
	for range n {
		results, carried = append(results, p.name()), append(carried, p.name())
	}
	for i := range n {
		inits, types = append(inits, carried[i]+" = "+p.float()), append(types, "f64")
	}
	p.results(results, fmt.Sprintf("scf.for %s = %s to %s step %s iter_args(%s) -> (%s) {", iv, lower, upper, step,
		strings.Join(inits, ", "), strings.Join(types, ", ")))
	p.within(func() {
		p.ivs = append(p.ivs, iv)
		p.floats = append(p.floats, carried...)
		if p.stores && p.IntN(4) == 0 {
			p.local()
		}
		for i, c := range carried {
			if i > 0 && p.IntN(3) == 0 { // a running sum, which what follows may use
				v := p.name()
				p.line("  %s = arith.addf %s, %s : f64", v, c, p.float())
				p.floats, carried[i] = append(p.floats, v), v
			}
		}
		for range 1 + p.IntN(4) {
			p.statement()
		}
		p.yield(carried, before+n)
	})
	p.line("  }")
	p.floats = append(p.floats, results...)
}

// results writes the first line of an op with regions, and a name for all that it gives.
func (p *program) results(names []string, open string) {
	switch len(names) {
	case 0:
		p.line("  %s", open)
	case 1:
		p.line("  %s = %s", names[0], open)
	default:
		all := p.name()
		p.line("  %s:%d = %s", all, len(names), open)
		for i := range names {
			names[i] = fmt.Sprintf("%s#%d", all, i)
		}
	}
}

// yield ends a loop: to the first number that it carries all that it computes is added.
func (p *program) yield(carried []string, but int) {
	sum := p.name()
	p.line("  %s = arith.addf %s, %s : f64", sum, carried[0], p.all(but))
	out, types := []string{sum}, []string{"f64"}
	for _, c := range carried[1:] {
		switch p.IntN(4) {
		case 0:
			v := p.name()
			p.line("  %s = arith.addf %s, %s : f64", v, c, p.float())
			out = append(out, v)
		case 1:
			v, w := p.name(), p.name()
			p.line("  %s = arith.mulf %s, %s : f64", w, c, p.float())
			p.line("  %s = math.sin %s : f64", v, w)
			out = append(out, v)
		case 2:
			out = append(out, c)
		default:
			out = append(out, p.float())
		}
		types = append(types, "f64")
	}
	p.line("  scf.yield %s : %s", strings.Join(out, ", "), strings.Join(types, ", "))
}

func (p *program) branch() {
	c := p.name()
	p.line("  %s = arith.cmpf ogt, %s, %s : f64", c, p.float(), p.float())
	results, before := []string{p.name()}, len(p.floats)
	p.results(results, "scf.if "+c+" -> (f64) {")
	arm := func() {
		p.within(func() {
			for range 1 + p.IntN(3) {
				p.statement()
			}
			p.line("  scf.yield %s : f64", p.all(before))
		})
	}
	arm()
	p.line("  } else {")
	arm()
	p.line("  }")
	p.floats = append(p.floats, results...)
}

// sum adds the numbers in sight but the first so many, so that nothing is computed for nobody.
func (p *program) sum(but int) string {
	s := "%half"
	for _, x := range p.floats[but:] {
		v := p.name()
		p.line("  %s = arith.addf %s, %s : f64", v, s, x)
		s = v
	}
	return s
}

// all is what a region hands on of what it computed.
func (p *program) all(but int) string {
	v := p.name()
	p.line("  %s = math.sin %s : f64", v, p.sum(but))
	return v
}
