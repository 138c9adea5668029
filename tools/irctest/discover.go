package irctest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/ir/unwind"
)

// usual are the types that operands are tried with, besides those that samples have and ops give.
var usual = []string{"i1", "i32", "i64", "index", "f32", "f64", "memref<4xi32>", "memref<4xf64>", "vector<4xf32>"}

const (
	weightTried = 2    // of an op that was found by trying
	mostTypings = 6    // of an op: more are rarer, not better
	mostTrials  = 3000 // for an op: all pairs of 50 types; more operands are tried on fewer types
	mostIters   = 4    // a type made of types made of types: deeper ones take a sample
)

// paramsOf are the types of the parameters of a function.
func paramsOf(g *ir.Graph, name string) []ir.Type {
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		return nil
	}
	f, err := m.Resolve(name)
	if err != nil {
		return nil
	}
	return f.Params
}

// discover finds what operands ops take by asking their Infer, so that an op without attributes or regions needs no
// sample. Types that ops give are tried for others. An Infer that panics is an error: text may hold any operands.
func discover(c *ir.Context, wanted []*ir.OpDef, samples []sample) (out []irtest.Statement, err error) {
	pool := slices.Clone(usual)
	for _, f := range samples {
		for _, t := range f.types {
			if !slices.Contains(pool, t) {
				pool = append(pool, t)
			}
		}
	}
	slices.Sort(pool)
	seen := map[string]bool{}
	count := map[*ir.OpDef]int{}
	for range mostIters {
		types := typesNamed(c, pool)
		before := len(out)
		for _, def := range wanted {
			if def.Has(ir.Terminator) || def.Has(ir.Symbol) || def.Has(ir.Isolated) || len(def.Bodies) > 0 {
				continue
			}
			for _, in := range typings(def, types) {
				if count[def] == mostTypings {
					break
				}
				results, attrs, err := tryAll(c, def, in, types)
				if err != nil {
					return nil, err
				}
				s := statementOf(c, def, in, results, attrs)
				if key := def.Name + fmt.Sprint(s.Operands); attrs != nil && !seen[key] {
					seen[key] = true
					count[def]++
					out = append(out, s)
					pool = appendNew(pool, s.Results)
				}
			}
		}
		if len(out) == before {
			break
		}
	}
	return out, nil
}

func appendNew(pool, types []string) []string {
	for _, t := range types {
		if !slices.Contains(pool, t) {
			pool = append(pool, t)
		}
	}
	return pool
}

// typesNamed reads types.
func typesNamed(c *ir.Context, names []string) (out []ir.Type) {
	for _, name := range names {
		src := fmt.Sprintf("\"builtin.module\"() ({\n\"func.func\"() <{function_type = (%s) -> (), sym_name = \"f\", sym_visibility = \"private\"}> ({\n}) : () -> ()\n}) : () -> ()", name)
		if g, err := parse(c, src, true); err == nil {
			out = append(out, paramsOf(g, "f")...)
		}
	}
	return out
}

// typings are lists of types to try an op with.
func typings(def *ir.OpDef, types []ir.Type) (out [][]ir.Type) {
	least, most := len(def.Args), len(def.Args)
	for _, a := range def.Args {
		if strings.HasSuffix(a, "...") || strings.HasSuffix(a, "?") {
			least--
			most++
		}
	}
	for n := least; n <= most && n <= 4; n++ {
		out = append(out, tuples(n, types)...)
	}
	return out
}

// tuples are all lists of n types, those of equal types first; of many operands, those of two types alone.
func tuples(n int, types []ir.Type) (out [][]ir.Type) {
	if n == 0 {
		return [][]ir.Type{nil}
	}
	for _, t := range types {
		out = append(out, slices.Repeat([]ir.Type{t}, n))
	}
	for _, t := range types {
		for _, u := range types {
			for mask := 1; t != u && mask < 1<<n-1; mask++ {
				in := make([]ir.Type, n)
				for i := range in {
					in[i] = t
					if mask>>i&1 != 0 {
						in[i] = u
					}
				}
				if mask&1 == 0 { // else it comes with t and u exchanged
					out = append(out, in)
				}
				if len(out) >= mostTrials {
					return out
				}
			}
		}
	}
	return out
}

// tryAll asks an op about operands. If it does not say what it gives, it is asked about results, too: the types of
// operands, and for an op of one operand all. What is written with the op besides is attributes that it accepts.
func tryAll(c *ir.Context, def *ir.OpDef, in, types []ir.Type) (results []ir.Type, attrs []string, err error) {
	given := []ir.Type{ir.NoType}
	switch {
	case len(in) == 1:
		at := int(in[0]) % len(types) // not the same result for each operand
		given = append(append([]ir.Type{ir.NoType}, types[at:]...), types[:at]...)
	case len(in) > 1:
		given = append(given, in[0], in[len(in)-1])
	}
	choices := attributes(def)
	for _, t := range given {
		for _, text := range choices {
			out, ok, err := try(c, def, in, t, attrOf(c, def, text))
			if err != nil {
				return nil, nil, err
			}
			if ok && (attrs == nil || slices.Equal(out, results)) {
				results, attrs = out, append(attrs, text)
			}
		}
		if attrs != nil {
			break
		}
	}
	return results, attrs, nil
}

// attributes are texts of properties to try an op with: none; and a number in each.
func attributes(def *ir.OpDef) (out []string) {
	const most = 10 // the predicates of a comparison
	out = []string{""}
	if len(def.Attrs) == 0 {
		return out
	}
	for n := range most {
		var list []string
		for _, name := range def.Attrs {
			list = append(list, fmt.Sprintf("%s = %d : i64", name, n))
		}
		out = append(out, " <{"+strings.Join(list, ", ")+"}>")
	}
	return out
}

// attrOf is what a text of attributes says.
func attrOf(c *ir.Context, def *ir.OpDef, text string) ir.Attr {
	if text == "" {
		return 0
	}
	var n int64
	_, number, _ := strings.Cut(text, "= ")
	fmt.Sscan(number, &n)
	var list []ir.NamedAttr
	for _, name := range def.Attrs {
		list = append(list, ir.NamedAttr{Name: name, Value: c.IntAttr(n, ir.I64)})
	}
	return c.Props(list, nil)
}

// try asks an op about operands, a result and attributes.
func try(c *ir.Context, def *ir.OpDef, in []ir.Type, result ir.Type, attr ir.Attr) (results []ir.Type, ok bool, err error) {
	if def.Infer == nil {
		return nil, false, nil
	}
	thrown, caught := unwind.Catch[any](func() {
		b := ir.NewBuilder(c, ir.Verbatim)
		call := ir.Call{Def: def, Type: result, Attr: attr}
		for _, t := range in {
			call.Args = append(call.Args, b.Param(t))
		}
		v, fault := b.Make(call)
		if ok = fault == nil; ok {
			results = c.Results(b.Graph().Type(v))
		}
	})
	if caught {
		return nil, false, fmt.Errorf("the Infer of %s panics on operands of types %v: %v", def.Name, typeNames(c, in), thrown)
	}
	return results, ok && !slices.Contains(results, ir.NoType), nil
}

func typeNames(c *ir.Context, types []ir.Type) []string {
	out := make([]string, len(types))
	for i, t := range types {
		out[i] = text.TypeString(c, t)
	}
	return out
}

// statementOf writes an op with some of its attributes.
func statementOf(c *ir.Context, def *ir.OpDef, in, results []ir.Type, attrs []string) irtest.Statement {
	s := irtest.Statement{Weight: weightTried, Operands: typeNames(c, in), Results: typeNames(c, results)}
	s.Write = func(w *irtest.Writer, args []string) (made []string) {
		note := ""
		if w.Chance(0.05) {
			note = " {irctest.note = 1 : i64}" // which the custom form must keep
		}
		line := fmt.Sprintf("%q(%s)%s%s : (%s) -> (%s)", def.Name, strings.Join(args, ", "), properties(w, def, attrs), note, strings.Join(s.Operands, ", "), strings.Join(s.Results, ", "))
		switch v := w.Name(); len(results) {
		case 0:
			w.Line("%s", line)
		case 1:
			w.Line("%s = %s", v, line)
			made = []string{v}
		default:
			w.Line("%s:%d = %s", v, len(results), line)
			for i := range results {
				made = append(made, fmt.Sprintf("%s#%d", v, i))
			}
		}
		return made
	}
	return s
}

// properties picks attributes: flags where the op has arith's.
func properties(w *irtest.Writer, def *ir.OpDef, attrs []string) string {
	if slices.Equal(def.Attrs, []string{"overflowFlags"}) && w.Chance(0.3) {
		return " <{overflowFlags = #arith.overflow<" + w.One("nsw", "nuw", "nsw, nuw") + ">}>"
	}
	return w.One(attrs...)
}
