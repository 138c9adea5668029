package grid_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/irtest"
)

var loopsN = flag.Int("loops", 12, "how many random loops are run as kernels")

// A loopProgram is a loop with random generators over an array of keys and one of numbers.
type loopProgram struct {
	*irtest.Writer
	key, value string // types
	generators []string
	yields     []string // values
	types      []string // of them
	results    []string // types
	regions    string   // that combine
}

func (p *loopProgram) isFloat() bool { return p.value[0] == 'f' }

// number is the value of a round, perhaps with something done to it.
func (p *loopProgram) number() string {
	f := "i"
	if p.isFloat() {
		f = "f"
	}
	switch p.IntN(3) {
	case 0:
		return p.Def("arith.add%s %%v, %%a : %s", f, p.value)
	case 1:
		return p.Def("arith.mul%s %%v, %%v : %s", f, p.value)
	}
	return "%v"
}

// give adds a generator, of a tuple of which a filter may be the end.
func (p *loopProgram) give(generator string, values, types []string, results ...string) {
	p.generators, p.results = append(p.generators, generator), append(p.results, results...)
	if p.IntN(2) == 0 {
		p.yields, p.types = append(p.yields, values...), append(p.types, types...)
		return
	}
	emit := "!loop.emit<" + strings.Join(types, ", ") + ">"
	list := strings.Join(values, ", ") + " : " + strings.Join(types, ", ")
	less := "cmpi slt"
	if p.isFloat() {
		less = "cmpf olt"
	}
	some := p.Def("arith.%s, %%v, %%a : %s", less, p.value)
	e := ""
	if p.IntN(3) == 0 {
		a, b := p.Def("loop.emit %s", list), p.Def("loop.none : %s", emit)
		e = p.Def("arith.select %s, %s, %s : %s", some, a, b, emit)
	} else {
		e = p.Def("scf.if %s -> (%s) {\n      %%e = loop.emit %s\n      scf.yield %%e : %s\n    } else {\n      %%e = loop.none : %s\n      scf.yield %%e : %s\n    }", some, emit, list, emit, emit, emit)
	}
	p.yields, p.types = append(p.yields, e), append(p.types, emit)
}

func (p *loopProgram) generator() {
	array := func(t string) string { return "!loop.array<" + t + ">" }
	by, reassoc := p.One("add", "min", "max"), ""
	if p.isFloat() && by == "add" {
		reassoc = " reassoc"
	}
	switch p.IntN(10) {
	case 0:
		p.give("collect("+p.value+", "+p.key+")", []string{p.number(), "%k"}, []string{p.value, p.key}, array(p.value), array(p.key))
	case 1:
		p.give(fmt.Sprintf("scan(%s%s : %s)", by, reassoc, p.value), []string{p.number()}, []string{p.value}, array(p.value))
	case 2:
		p.give(fmt.Sprintf("reduce(%s%s : %s)", by, reassoc, p.value), []string{p.number()}, []string{p.value}, p.value)
	case 3: // a histogram
		p.give("bucket("+p.key+", [reduce(add : i64)])", []string{"%k", "%one"}, []string{p.key, "i64"}, "!loop.buckets<"+p.key+">", array("i64"))
	case 4:
		p.give("reduce("+p.largest()+")", []string{p.number(), "%i"}, []string{p.value, "index"}, p.value, "index")
	case 6:
		p.give("scan("+p.largest()+")", []string{p.number(), "%i"}, []string{p.value, "index"}, array(p.value), array("index"))
	case 7:
		p.give("scan("+p.composed()+")", []string{"%i", p.Def("arith.addi %%i, %%none : index")}, []string{"index", "index"}, array("index"), array("index"))
	case 8, 9: // what no atomic combines, perhaps beside what one does
		inner, values, types, results := []string{}, []string{"%k"}, []string{p.key}, []string{"!loop.buckets<" + p.key + ">"}
		add := func(generator string, vs, ts []string) {
			inner, values, types = append(inner, "reduce("+generator+")"), append(values, vs...), append(types, ts...)
			for _, t := range ts {
				results = append(results, array(t))
			}
		}
		for len(inner) == 0 || p.IntN(2) == 0 {
			switch p.IntN(4) {
			case 0:
				add(p.largest(), []string{p.number(), "%i"}, []string{p.value, "index"})
			case 1:
				add(p.composed(), []string{"%i", "%i"}, []string{"index", "index"})
			case 2:
				add(by+reassoc+" : "+p.value, []string{p.number()}, []string{p.value})
			case 3:
				if !p.isFloat() {
					add("xor : "+p.value, []string{p.number()}, []string{p.value})
				}
			}
		}
		p.give("bucket("+p.key+", ["+strings.Join(inner, ", ")+"])", values, types, results...)
	case 5:
		p.give("bucket("+p.key+", i64, [])", []string{"%k", "%one"}, []string{p.key, "i64"}, "!loop.buckets<"+p.key+", i64>")
	default:
		if p.isFloat() {
			return
		}
		way := p.One("add", "min", "max", "and", "or")
		p.give(fmt.Sprintf("bucket(%s, [reduce(%s : %s), reduce(max : %s)])", p.key, way, p.value, p.value), []string{"%k", p.number(), "%v"}, []string{p.key, p.value, p.value},
			"!loop.buckets<"+p.key+">", array(p.value), array(p.value))
	}
}

// largest is a generator of the largest number and of where it is first.
func (p *loopProgram) largest() string {
	p.regions += strings.NewReplacer("T", p.value, "LESS", map[bool]string{false: "cmpi sgt", true: "cmpf ogt"}[p.isFloat()], "EQUAL", map[bool]string{false: "cmpi eq", true: "cmpf oeq"}[p.isFloat()]).Replace(` combine(%x: T, %i1: index, %y: T, %i2: index) {
    %gt = arith.LESS, %x, %y : T
    %eq = arith.EQUAL, %x, %y : T
    %before = arith.cmpi slt, %i1, %i2 : index
    %tie = arith.andi %eq, %before : i1
    %first = arith.ori %gt, %tie : i1
    %z = arith.select %first, %x, %y : T
    %at = arith.select %first, %i1, %i2 : index
    loop.yield %z, %at : T, index
  }`)
	return "%lowest, %none reassoc : " + p.value + ", index"
}

// composed is a generator of the composition of functions a x + b, which does not commute.
func (p *loopProgram) composed() string {
	p.regions += ` combine(%a1: index, %b1: index, %a2: index, %b2: index) {
    %a3 = arith.muli %a1, %a2 : index
    %b3 = arith.muli %b1, %a2 : index
    %b4 = arith.addi %b3, %b2 : index
    loop.yield %a3, %b4 : index, index
  }`
	return "%unit, %nothing reassoc : index, index"
}

func (p *loopProgram) text() string {
	p.key, p.value = p.One("i64", "i32", "index", "i8"), p.One("i32", "i64", "f32", "f64", "index")
	for len(p.generators) == 0 || p.IntN(2) == 0 {
		p.generator()
	}
	n := len(p.results)
	names, results := "%r", ", "
	if n > 1 {
		var all []string
		for k := range n {
			all = append(all, fmt.Sprintf("%%r%d", k))
		}
		names = strings.Join(all, ", ")
	}
	results = strings.Join(p.results, ", ")
	return strings.NewReplacer("KEY", p.key, "VALUE", p.value, "NAMES", names, "RESULTS", results, "GENERATORS", strings.Join(p.generators, ", "),
		"BODY", p.String(), "YIELDS", strings.Join(p.yields, ", "), "TYPES", strings.Join(p.types, ", "), "REGIONS", p.regions,
		"LOWEST", map[bool]string{false: "-100", true: "-100.0"}[p.isFloat()]).Replace(`func.func @main(%ks: !loop.array<KEY>, %vs: !loop.array<VALUE>, %a: VALUE) -> (RESULTS) {
  %n = loop.len %ks : !loop.array<KEY>
  %one = arith.constant 1 : i64
  %lowest = arith.constant LOWEST : VALUE
  %none = arith.constant 9223372036854775807 : index
  %unit = arith.constant 1 : index
  %nothing = arith.constant 0 : index
  NAMES = loop.for %i < %n -> GENERATORS {
    %k = loop.at %ks[%i] : !loop.array<KEY>
    %v = loop.at %vs[%i] : !loop.array<VALUE>
    BODY
    loop.yield YIELDS : TYPES
  }REGIONS
  return NAMES : RESULTS
}
`)
}

// args are keys, of which there are few, many, or no two that are equal, and small whole numbers.
func (p *loopProgram) args() string {
	n := []int{0, 1, 5, 40, 300, 2100}[p.IntN(6)]
	most := []int{1, 3, 50, 120}[p.IntN(4)]
	var ks, vs []string
	for range n {
		ks, vs = append(ks, fmt.Sprint(p.IntN(2*most)-most)), append(vs, fmt.Sprint(p.IntN(9)-4))
	}
	return fmt.Sprintf("[[%s], [%s], %d]", strings.Join(ks, ", "), strings.Join(vs, ", "), p.IntN(7)-3)
}

// Kernels of random loops give what they mean, however few rounds a filter lets through, and if threads meet keys in an order that is not that of
// rounds (of one block, a thread takes the rounds 0, 256, 512 and so on before the next begins).
func TestRandomLoops(t *testing.T) {
	launches := 0
	for i := range uint64(*loopsN) {
		seed := *kernelsSeed + i
		p := &loopProgram{Writer: irtest.NewWriter(seed, 13)}
		src := fmt.Sprintf("// seed %d\n", seed) + p.text()
		kernels, _ := loopsOnDevice(t, src, p.args(), []string{"loop-to-device", "loop-to-device{blocks=1}"}[seed%2])
		n := kernels.Launches
		if n == 0 {
			t.Errorf("no kernel\n%s", src)
		}
		launches += n
	}
	t.Logf("%d loops equal what they mean, with %d launches of kernels", *loopsN, launches)
}
