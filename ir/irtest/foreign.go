package irtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// A Statement is what programs are to have besides the ops that the generator knows: an op of
// another dialect, or several of them.
type Statement struct {
	Weight            int
	Operands, Results []string // their types
	// Write writes it in generic form and returns the names of its results.
	Write func(w *Writer, operands []string) (results []string)
}

// ready leaves out statements of which some operand cannot be made, and finds for each type that is made by
// statements alone those that need the fewest others.
func (g *gen) ready(all []Statement) {
	g.makers = map[string][]*Statement{}
	left := make([]*Statement, len(all))
	for i := range all {
		left[i] = &all[i]
	}
	for found := true; found; { // a fixed point: each iteration finds what is one statement further
		found = false
		var later []*Statement
		made := map[string][]*Statement{}
		for _, s := range left {
			if slices.ContainsFunc(s.Operands, func(t string) bool { return !g.makes(t) }) {
				later = append(later, s)
				continue
			}
			found = true
			g.foreign = append(g.foreign, s)
			g.weights += s.Weight
			for _, t := range s.Results {
				if !g.makes(t) && !isMemory(t) {
					made[t] = append(made[t], s)
				}
			}
		}
		for t, list := range made {
			g.makers[t] = list
			g.exotic = append(g.exotic, t)
		}
		left = later
	}
	slices.Sort(g.exotic)
}

// makes reports a type of which there is always a value: a number, a vector or memory of numbers, or what a
// statement makes.
func (g *gen) makes(t string) bool {
	if g.makers[t] != nil || widths[t] > 0 || isFloat(t) {
		return true
	}
	dims, elem, ok := shapeOf(t)
	return ok && (widths[elem] > 0 || isFloat(elem)) && (isMemory(t) || !slices.Contains(dims, 0)) && ir.Elements(dims) <= mostElements
}

// mostElements is how many elements memory has at most that statements take: each is written by an op of its own.
const mostElements = 64

// shapeOf takes memref<2x4xT> or vector<4xT> apart; of an extent ? it gives 0.
func shapeOf(t string) (dims []int, elem string, ok bool) {
	_, inner, ok := strings.Cut(strings.TrimSuffix(t, ">"), "<")
	if !ok || !isMemory(t) && !strings.HasPrefix(t, "vector<") || strings.ContainsAny(inner, ",<") {
		return nil, "", false
	}
	parts := strings.Split(inner, "x")
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		switch {
		case p == "?":
			n = 0
		case err != nil || n <= 0:
			elem = strings.Join(parts[i:], "x") // index has an x
			return dims, elem, elem != ""
		}
		dims = append(dims, n)
	}
	return nil, "", false
}

// foreignOp writes one of the statements.
func (g *gen) foreignOp() {
	n := g.IntN(max(g.weights, 1))
	for _, s := range g.foreign {
		if n -= s.Weight; n < 0 {
			g.writeForeign(s)
			return
		}
	}
}

func (g *gen) writeForeign(s *Statement) {
	var operands []string
	memory := slices.ContainsFunc(s.Operands, isMemory)
	for _, t := range s.Operands {
		switch {
		case isMemory(t):
			operands = append(operands, g.memoryLike(t))
		case t == "index" && (memory || g.Chance(0.3)) && g.Chance(0.9): // a random number is out of bounds
			operands = append(operands, g.index(4))
		case (widths[t] > 0 || isFloat(t)) && g.Chance(g.cfg.Constants):
			operands = append(operands, g.common(t))
		default:
			operands = append(operands, g.value(t))
		}
	}
	for i, name := range s.Write(g.Writer, operands) {
		if !isMemory(s.Results[i]) {
			g.vals = append(g.vals, value{name, s.Results[i]})
		}
	}
}

// common prints a constant that rules ask for: most often 0, 1 or -1.
func (g *gen) common(t string) string {
	n := []int{0, 0, 0, 1, 1, -1, 2, 9, 9, 9}[g.IntN(10)]
	switch {
	case n == 9 || t == "i1":
		return g.constant(t)
	case isFloat(t):
		return g.def(t, `"arith.constant"() <{value = %d.0 : %s}> : () -> %s`, n, t, t)
	}
	return g.def(t, `"arith.constant"() <{value = %d : %s}> : () -> %s`, n, t, t)
}

// memoryLike is memory of a type, of which some is allocated if there is none.
func (g *gen) memoryLike(t string) string {
	for _, m := range g.mems {
		if m.typ() == t && g.Chance(0.7) {
			return m.name
		}
	}
	dims, elem, _ := shapeOf(t)
	sized := slices.Clone(dims)
	for i, d := range dims {
		if d == 0 {
			sized[i] = 4
		}
	}
	m := g.allocate(elem, sized...)
	usual := len(sized) == 1 || len(sized) == 2 // what other statements know to index
	for _, d := range sized {
		usual = usual && d&(d-1) == 0
	}
	if !usual {
		g.mems = g.mems[:len(g.mems)-1]
	}
	if m.typ() == t {
		return m.name
	}
	d := m
	d.name, d.dynamic, d.heap = g.Name(), true, false
	g.Line(`%s = "memref.cast"(%s) : (%s) -> %s`, d.name, m.name, m.typ(), t)
	if d.typ() == t && usual {
		g.mems = append(g.mems, d)
	}
	return d.name
}

// made is a value of a type of which no constant is written: of another dialect, or a vector of any size.
func (g *gen) made(t string) string {
	if list := g.makers[t]; list != nil {
		have := len(g.vals)
		g.writeForeign(list[g.IntN(len(list))])
		for _, v := range g.vals[have:] {
			if v.typ == t {
				return v.name
			}
		}
		panic("irtest: a statement makes no " + t)
	}
	_, elem, _ := shapeOf(t)
	return g.def(t, `"arith.constant"() <{value = dense<%s> : %s}> : () -> %s`, g.element(elem), t, t)
}

// straight is a program of one function whose only control is that of statements: on its arguments, of which it gives
// all that nothing else uses and some of memory, so that nothing of it is dead.
func (g *gen) straight(seed uint64) *Program {
	f := function{name: g.cfg.Name + "f0", args: g.meeting()}
	for i, t := range f.args {
		g.vals = append(g.vals, value{fmt.Sprintf("%%a%d", i), t})
	}
	g.Indent, g.safe = 2, -1
	for range 2 + g.IntN(g.cfg.Ops) {
		if g.Chance(0.8) && len(g.foreign) > 0 {
			g.foreignOp()
		} else {
			g.pure()
		}
	}
	for range min(3, len(g.mems)) {
		g.load()
	}
	body := g.String()
	var results []string
	for _, v := range g.vals[len(f.args):] {
		if !strings.Contains(body, v.name+",") && !strings.Contains(body, v.name+")") {
			f.types, results = append(f.types, v.typ), append(results, v.name)
		}
	}
	g.Reset()
	g.Indent = 0
	g.Line(`"builtin.module"() ({`)
	g.Indent++
	f.mems = make([]memory, len(f.args))
	g.start(&f, 0, "")
	g.WriteString(body)
	g.Line(`"func.return"(%s) : (%s) -> ()`, strings.Join(results, ", "), strings.Join(f.types, ", "))
	g.end()
	g.Indent--
	g.Line(`}) : () -> ()`)
	p := &Program{Seed: seed, Text: g.String(), Entry: f.name, Types: f.types}
	for _, t := range f.args {
		p.Args = append(p.Args, Arg{Type: t, Bits: g.bits(t)})
	}
	return p
}

// meeting are types of arguments: most are one, so that values meet in the statements.
func (g *gen) meeting() (types []string) {
	var scalars []string
	for _, s := range g.foreign {
		if s.Weight == 0 {
			continue
		}
		for _, t := range s.Operands {
			if slices.Contains(g.cfg.Types, t) || len(g.cfg.Types) == 0 && (widths[t] > 0 || isFloat(t)) {
				scalars = append(scalars, t)
			}
		}
	}
	if len(scalars) == 0 {
		scalars = g.scalars
	}
	most := g.One(scalars...)
	for range 2 + g.IntN(4) {
		t := most
		if g.Chance(0.3) {
			t = g.One(scalars...)
		}
		types = append(types, t)
	}
	return types
}

// only keeps of the types of a palette those named, where any of a kind are.
func (p palette) only(types []string) palette {
	keep := func(list []string) []string {
		out := slices.DeleteFunc(slices.Clone(list), func(t string) bool { return !slices.Contains(types, t) })
		if len(out) == 0 {
			return list
		}
		return out
	}
	p.ints, p.floats, p.scalars, p.elems, p.args = keep(p.ints), keep(p.floats), keep(p.scalars), keep(p.elems), keep(p.args)
	p.many = keep(p.many)
	return p
}

// exoticType adds to the types of results, now and then, one that statements make.
func (g *gen) exoticType(types []string, p float64) []string {
	if len(g.exotic) > 0 && g.Chance(p) {
		types = append(types, g.exotic[g.IntN(len(g.exotic))])
	}
	return types
}

// chooseExotic prints a choice between two values of a type that statements make.
func (g *gen) chooseExotic() {
	t := g.exotic[g.IntN(len(g.exotic))]
	g.def(t, `"arith.select"(%s, %s, %s) : (i1, %s, %s) -> %s`, g.value("i1"), g.value(t), g.value(t), t, t, t)
}
