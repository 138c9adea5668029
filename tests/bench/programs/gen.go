package programs

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// Shares of the ops of a generated module, by what becomes of them.
const (
	redundantShare = 0.27 // written before in the same scope or around it
	deadShare      = 0.18 // result never used
)

// module writes a generic module of about n ops in functions of perFunc ops, and
// returns how many it wrote.
func Module(out io.Writer, n, perFunc int) int {
	w := bufio.NewWriterSize(out, 1<<20)
	g := &generator{w: w, r: rand.New(rand.NewPCG(1, uint64(perFunc)))}
	fmt.Fprintln(w, `"builtin.module"() ({`)
	for i := 0; g.ops < n; i++ {
		g.function(i, min(perFunc, n-g.ops))
	}
	fmt.Fprintln(w, `}) : () -> ()`)
	w.Flush()
	return g.ops
}

// value is an SSA value in scope.
type value struct {
	name string
	typ  byte // 'i' i64, 'f' f64, 'x' index, 'b' i1
}

// generator makes functions whose live ops all end in a store, a yield or the
// return. Values wait in `unused` until an op takes them.
type generator struct {
	w      *bufio.Writer
	r      *rand.Rand
	ops    int
	next   int
	depth  int
	vals   []value
	unused []value
	past   []pure // pure ops in scope that can be written again
}

// pure is a pure op as text, and the type of its result.
type pure struct {
	text string
	typ  byte
}

func (g *generator) line(format string, args ...any) {
	g.w.WriteString(strings.Repeat("  ", g.depth+2))
	fmt.Fprintf(g.w, format, args...)
	g.w.WriteByte('\n')
	g.ops++
}

func (g *generator) fresh() string {
	g.next++
	return fmt.Sprintf("%%%d", g.next)
}

// pick returns a value of a type, rather one that nothing uses yet.
func (g *generator) pick(typ byte) string {
	for try := range 8 {
		if n := len(g.unused); n > 0 && try < 4 {
			i := n - 1 - g.r.IntN(min(n, 6))
			if v := g.unused[i]; v.typ == typ {
				g.unused = append(g.unused[:i], g.unused[i+1:]...)
				return v.name
			}
		}
		if v := g.vals[g.r.IntN(len(g.vals))]; v.typ == typ {
			return v.name
		}
	}
	for i := len(g.vals) - 1; ; i-- { // the arguments have every type
		if g.vals[i].typ == typ {
			return g.vals[i].name
		}
	}
}

func (g *generator) result(text string, typ byte, live bool) {
	v := value{g.fresh(), typ}
	g.line("%s = %s", v.name, text)
	if live {
		g.vals, g.unused = append(g.vals, v), append(g.unused, v)
	}
}

// pureOp writes one: now and then again, now and then for nothing.
func (g *generator) pureOp() {
	if len(g.past) > 0 && g.r.Float64() < redundantShare/0.86 {
		p := g.past[len(g.past)-1-g.r.IntN(min(len(g.past), 40))]
		g.result(p.text, p.typ, true)
		return
	}
	if g.r.Float64() < deadShare/0.86/(1-redundantShare) {
		saved := append([]value(nil), g.unused...) // a dead use is no use
		text, typ := g.fresh1()
		g.unused = saved
		g.result(text, typ, false)
		return
	}
	text, typ := g.fresh1()
	g.past = append(g.past, pure{text, typ})
	g.result(text, typ, true)
}

var intOps = []string{"addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minui"}

var floatOps = []string{"addf", "subf", "mulf", "divf", "maximumf"}

// fresh1 makes the text of a new pure op.
func (g *generator) fresh1() (string, byte) {
	switch n := g.r.IntN(100); {
	case n < 45:
		op, props := intOps[g.r.IntN(len(intOps))], ""
		if op == "addi" || op == "subi" || op == "muli" {
			props = " <{overflowFlags = #arith.overflow<none>}>"
		}
		return fmt.Sprintf(`"arith.%s"(%s, %s)%s : (i64, i64) -> i64`, op, g.pick('i'), g.pick('i'), props), 'i'
	case n < 75:
		op := floatOps[g.r.IntN(len(floatOps))]
		return fmt.Sprintf(`"arith.%s"(%s, %s) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64`, op, g.pick('f'), g.pick('f')), 'f'
	case n < 83:
		return fmt.Sprintf(`"arith.constant"() <{value = %d : i64}> : () -> i64`, g.r.IntN(1000)), 'i'
	case n < 86:
		return fmt.Sprintf(`"arith.constant"() <{value = %d.5 : f64}> : () -> f64`, g.r.IntN(1000)), 'f'
	case n < 91:
		return fmt.Sprintf(`"arith.cmpi"(%s, %s) <{predicate = %d : i64}> : (i64, i64) -> i1`, g.pick('i'), g.pick('i'), g.r.IntN(10)), 'b'
	case n < 95:
		return fmt.Sprintf(`"arith.select"(%s, %s, %s) : (i1, f64, f64) -> f64`, g.pick('b'), g.pick('f'), g.pick('f')), 'f'
	default:
		return fmt.Sprintf(`"arith.sitofp"(%s) : (i64) -> f64`, g.pick('i')), 'f'
	}
}

// statement writes an op, or a structured one with its body.
func (g *generator) statement(end int) {
	switch n := g.r.IntN(100); {
	case n < 86:
		g.pureOp()
	case n < 90:
		g.result(fmt.Sprintf(`"memref.load"(%%m, %s) <{nontemporal = false}> : (memref<64xf64>, index) -> f64`, g.pick('x')), 'f', true)
	case n < 93:
		g.result(fmt.Sprintf(`"memref.load"(%%n, %s) <{nontemporal = false}> : (memref<64xi64>, index) -> i64`, g.pick('x')), 'i', true)
	case n < 97:
		g.line(`"memref.store"(%s, %%m, %s) <{nontemporal = false}> : (f64, memref<64xf64>, index) -> ()`, g.pick('f'), g.pick('x'))
	case g.depth < 3 && g.ops+12 < end && n < 99:
		g.loop(end)
	case g.depth < 3 && g.ops+12 < end:
		g.cond(end)
	default:
		g.pureOp()
	}
}

// body writes statements in a scope of their own and yields one f64.
func (g *generator) body(end int, params ...value) {
	vals, unused, past := len(g.vals), g.unused, len(g.past)
	g.unused = nil
	g.vals = append(g.vals, params...)
	g.depth++
	stop := min(end, g.ops+10+g.r.IntN(30))
	for g.ops < stop {
		g.statement(stop)
	}
	g.line(`"scf.yield"(%s) : (f64) -> ()`, g.drain())
	g.depth--
	g.vals, g.unused, g.past = g.vals[:vals], unused, g.past[:past]
}

// drain adds up what nothing uses yet.
func (g *generator) drain() string {
	var sum string
	for _, v := range g.unused {
		x := v.name
		switch v.typ {
		case 'b':
			x = g.fresh()
			g.line(`%s = "arith.uitofp"(%s) : (i1) -> f64`, x, v.name)
		case 'i':
			x = g.fresh()
			g.line(`%s = "arith.sitofp"(%s) : (i64) -> f64`, x, v.name)
		}
		if sum != "" {
			s := g.fresh()
			g.line(`%s = "arith.addf"(%s, %s) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64`, s, sum, x)
			x = s
		}
		sum = x
	}
	g.unused = nil
	if sum == "" {
		return g.pick('f')
	}
	return sum
}

func (g *generator) loop(end int) {
	v, iv, acc := g.fresh(), g.fresh(), g.fresh()
	g.line(`%s = "scf.for"(%%lo, %%hi, %%step, %s) ({`, v, g.pick('f'))
	g.line(`^bb0(%s: index, %s: f64):`, iv, acc)
	g.ops-- // a label is no op
	g.body(end, value{iv, 'x'}, value{acc, 'f'})
	g.line(`}) : (index, index, index, f64) -> f64`)
	g.ops--
	g.vals, g.unused = append(g.vals, value{v, 'f'}), append(g.unused, value{v, 'f'})
}

func (g *generator) cond(end int) {
	v := g.fresh()
	g.line(`%s = "scf.if"(%s) ({`, v, g.pick('b'))
	g.body(end)
	g.line(`}, {`)
	g.ops--
	g.body(end)
	g.line(`}) : (i1) -> f64`)
	g.ops--
	g.vals, g.unused = append(g.vals, value{v, 'f'}), append(g.unused, value{v, 'f'})
}

func (g *generator) function(i, n int) {
	end := g.ops + n
	g.next = 0
	g.vals = []value{{"%a", 'i'}, {"%b", 'i'}, {"%x", 'f'}, {"%y", 'f'}, {"%c", 'b'}, {"%lo", 'x'}, {"%step", 'x'}}
	g.unused, g.past = nil, nil
	types := "i64, i64, f64, f64, i1, index, index, index, memref<64xf64>, memref<64xi64>"
	g.depth = -1
	g.line(`"func.func"() <{function_type = (%s) -> f64, sym_name = "f%d"}> ({`, types, i)
	g.line(`^bb0(%%a: i64, %%b: i64, %%x: f64, %%y: f64, %%c: i1, %%lo: index, %%hi: index, %%step: index, %%m: memref<64xf64>, %%n: memref<64xi64>):`)
	g.ops--
	g.depth = 0
	for g.ops < end-1 {
		g.statement(end)
	}
	g.line(`"func.return"(%s) : (f64) -> ()`, g.drain())
	g.depth = -1
	g.line(`}) : () -> ()`)
	g.ops--
}
