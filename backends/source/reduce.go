package source

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/scf/combine"
	"github.com/irc-lang/irc/dialects/scf/iteration"
	"github.com/irc-lang/irc/ir"
)

// reduction combines the values of the iterations of a parallel loop, which are printed from the
// first to the last, in the order of iteration.ReduceChunk: variables hold the chunk so far, of what is
// combined in lanes its first value and arrays the others, and arrays what chunks before it make, one
// element for each bit of their number that is set.
type reduction struct {
	*Function
	ts               []ir.Type
	regions          []ir.Region
	vals, part       []Val
	fields, parts    [][]Field
	begun            string   // the chunk has a value
	in, chunks, tops string   // iterations in it, chunks before it, parts that they make
	waiting          []string // the values of a chunk, "" if they are combined at once
}

// simple reports that the values may be combined from the first to the last.
func (r *reduction) simple() bool {
	return !slices.ContainsFunc(r.regions, func(region ir.Region) bool { return !combine.Exact(r.G, region) })
}

// declare writes the variables.
func (r *reduction) declare(inits []Val) {
	r.vals, r.fields = r.declareAll("x", r.ts)
	r.declareWith(r.ts, r.fields, inits)
	if r.simple() {
		return
	}
	r.begun, r.chunks = r.Code.Variable("begun"), r.Code.Variable("chunks")
	r.Code.Let(Field{"bool", r.begun}, Boolean(true))
	r.in, r.tops = r.counter("in", r.Number(0)), r.counter("top", r.Number(0))
	r.Code.Let(Field{r.syntax.Counter, r.chunks}, r.Number(0))
	for i, region := range r.regions {
		n := ""
		if combine.InLanes(r.G, region) {
			n = r.Code.Variable("values")
			r.Code.Var(Field{r.fields[i][0].Type, n}, iteration.ReduceChunk)
		}
		r.waiting = append(r.waiting, n)
	}
	_, parts := r.declareAll("part", r.ts)
	for i, list := range parts {
		element := slices.Clone(list)
		for k, x := range list {
			r.Code.Var(x, 64)
			element[k].Name = x.Name + "[" + r.tops + "]"
		}
		r.parts = append(r.parts, element)
		r.part = append(r.part, r.FromFields(r.G, r.V, r.ts[i], Names(element)))
	}
}

func (r *reduction) set(name, format string, args ...any) {
	r.Code.Line("%s = %s%s", name, fmt.Sprintf(format, args...), r.syntax.End)
}

func (r *reduction) count(name, by string) { r.Code.Line("%s%s%s", name, by, r.syntax.End) }

// combine makes x of x and y.
func (r *reduction) combine(x, y []Val) {
	next := make([]Val, len(x))
	for i, region := range r.regions {
		next[i] = r.bodyWith(region, []Val{x[i], y[i]})[0]
	}
	r.assign(r.ts, r.fields, next)
}

// add takes the values of an iteration.
func (r *reduction) add(ys []Val) {
	if r.simple() {
		r.combine(r.vals, ys)
		return
	}
	r.Code.Line(r.syntax.If, r.in+" > 0")
	r.Code.Block(func() { r.addLater(ys) })
	r.Code.Line(r.syntax.ElseIf, r.begun)
	r.Code.Block(func() { r.combine(r.vals, ys) })
	r.Code.Line("} else {")
	r.Code.Block(func() {
		r.assign(r.ts, r.fields, ys)
		r.set(r.begun, "true")
	})
	r.Code.Line("}")
	r.count(r.in, "++")
	r.Code.Line(r.syntax.If, fmt.Sprintf("%s == %d", r.in, iteration.ReduceChunk))
	r.Code.Block(func() {
		r.joinLanes()
		bits := r.Code.Variable("bits")
		r.Code.Let(Field{r.syntax.Counter, bits}, Name(r.chunks))
		r.while(fmt.Sprintf("(%s & 1) != 0", bits), func() {
			r.join()
			r.set(bits, "%s >> 1", bits)
		})
		r.assign(r.ts, r.parts, r.vals)
		r.count(r.tops, "++")
		r.count(r.chunks, "++")
		r.set(r.in, "0")
		r.set(r.begun, "false")
	})
	r.Code.Line("}")
}

// addLater takes the values of an iteration that is not the first of its chunk.
func (r *reduction) addLater(ys []Val) {
	next := slices.Clone(r.vals)
	for i, region := range r.regions {
		if r.waiting[i] == "" {
			next[i] = r.bodyWith(region, []Val{r.vals[i], ys[i]})[0]
		} else {
			r.Code.Assign(r.waiting[i]+"["+r.in+"]", r.ToFields(r.ts[i], ys[i])[0])
		}
	}
	r.assign(r.ts, r.fields, next)
}

// joinLanes combines what waits for it: the upper half of the lanes with the lower one, and so on.
func (r *reduction) joinLanes() {
	for i, region := range r.regions {
		if r.waiting[i] == "" {
			continue
		}
		at := func(index string) Val { return Val{X: Name(r.waiting[i] + "[" + index + "]")} }
		into := func(x, y string) {
			to := []Field{{r.fields[i][0].Type, fmt.Sprintf("%s[%s]", r.waiting[i], x)}}
			r.assign(r.ts[i:i+1], [][]Field{to}, r.bodyWith(region, []Val{at(x), at(y)}))
		}
		r.assign(r.ts[i:i+1], [][]Field{{{r.fields[i][0].Type, r.waiting[i] + "[0]"}}}, r.vals[i:i+1])
		k := r.counter("k", r.Number(iteration.ReduceLanes))
		r.while(k+" < "+r.in, func() {
			into(fmt.Sprintf("%s %% %d", k, iteration.ReduceLanes), k)
			r.count(k, "++")
		})
		n := r.counter("n", Name(r.in))
		r.Code.Line(r.syntax.If, fmt.Sprintf("%s > %d", n, iteration.ReduceLanes))
		r.Code.Block(func() { r.set(n, "%d", iteration.ReduceLanes) })
		r.Code.Line("}")
		r.while(n+" > 1", func() {
			w := r.counter("half", r.Number(1))
			r.while(fmt.Sprintf("2 * %s < %s", w, n), func() { r.set(w, "2 * %s", w) })
			k := r.counter("k", Name(w))
			r.while(k+" < "+n, func() {
				into(k+" - "+w, k)
				r.count(k, "++")
			})
			r.set(n, "%s", w)
		})
		r.assign(r.ts[i:i+1], r.fields[i:i+1], []Val{at("0")})
	}
}

// counter is a new variable that counts.
func (r *reduction) counter(base string, x Expr) string {
	n := r.Code.Variable(base)
	r.Code.Let(Field{"int", n}, x)
	return n
}

func (r *reduction) while(cond string, do func()) {
	r.Code.Line(r.syntax.While, cond)
	r.Code.Block(do)
	r.Code.Line("}")
}

// join combines the last part with what there is.
func (r *reduction) join() {
	r.count(r.tops, "--")
	r.combine(r.part, r.vals)
}

// finish combines the rest.
func (r *reduction) finish() {
	if r.simple() {
		return
	}
	r.Code.Line(r.syntax.If, "!"+r.begun)
	r.Code.Block(func() {
		r.count(r.tops, "--")
		r.assign(r.ts, r.fields, r.part)
	})
	r.Code.Line("} else {")
	r.Code.Block(r.joinLanes)
	r.Code.Line("}")
	r.while(r.tops+" > 0", r.join)
}
