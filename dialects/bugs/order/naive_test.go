package order_test

import (
	"math"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// naive evaluates a model by elements: what is read is computed first. It knows only
// what bugstest.RandomProgram writes.
type naive struct {
	m     *model.Model
	val   map[order.Element]float64
	state map[order.Element]int // 1 being computed, 2 done
	logp  float64
	cycle bool
	logic bool // only logical nodes are followed
	known bool // nodes that have values are followed, too
}

// instance is what defines an element, found by running over all iterations.
type instance struct {
	s  *model.Statement
	at []int32
}

func definitions(m *model.Model) map[order.Element]instance {
	out := map[order.Element]instance{}
	for _, s := range m.Statements {
		for i := range s.Iterations {
			m.Elements(s, i, func(k int) { out[order.Element{Var: s.Var, Elem: k}] = instance{s, s.At(i)} })
		}
	}
	return out
}

func (n *naive) get(defs map[order.Element]instance, e order.Element) float64 {
	def, defined := defs[e]
	if e.Var.KnownAt(e.Elem) {
		if n.known && defined {
			n.follow(defs, e, def)
		}
		return e.Var.Value[e.Elem]
	}
	if n.logic && def.s.Sample != nil {
		return n.val[e]
	}
	switch n.state[e] {
	case 1:
		n.cycle = true
		return 0
	case 2:
		return n.val[e]
	}
	n.state[e] = 1
	if def.s.Assign != nil {
		n.val[e] = n.eval(defs, def.at, def.s.Assign.RHS)
	} else {
		for _, a := range def.s.Sample.Args {
			n.vector(defs, def.at, a)
		}
	}
	n.state[e] = 2
	return n.val[e]
}

// follow reads what an element that has a value depends on.
func (n *naive) follow(defs map[order.Element]instance, e order.Element, def instance) {
	switch n.state[e] {
	case 1:
		n.cycle = true
	case 0:
		n.state[e] = 1
		if def.s.Assign != nil {
			n.eval(defs, def.at, def.s.Assign.RHS)
		} else {
			for _, a := range def.s.Sample.Args {
				n.vector(defs, def.at, a)
			}
		}
		n.state[e] = 2
	}
}

func (n *naive) eval(defs map[order.Element]instance, at []int32, e syntax.Expr) float64 {
	switch e := e.(type) {
	case *syntax.Num:
		return e.Value
	case *syntax.Ref:
		bd := n.m.Bindings[e]
		if bd.Level > 0 {
			return float64(at[bd.Level-1])
		}
		k := 0
		for d, x := range e.Indices {
			k = k*bd.Var.Dims[d] + int(n.eval(defs, at, x)) - 1
		}
		return n.get(defs, order.Element{Var: bd.Var, Elem: k})
	case *syntax.Binary:
		x, y := n.eval(defs, at, e.X), n.eval(defs, at, e.Y)
		switch e.Op {
		case syntax.OpAdd:
			return x + y
		case syntax.OpSub:
			return x - y
		case syntax.OpDiv:
			return x / y
		}
		return x * y
	case *syntax.Unary:
		return -n.eval(defs, at, e.X)
	case *syntax.Call:
		x := n.vector(defs, at, e.Args[0])
		switch e.Name {
		case "max":
			return slices.Max(x)
		case "sum", "mean":
			total := 0.0
			for _, y := range x {
				total += y
			}
			if e.Name == "mean" {
				total /= float64(len(x))
			}
			return total
		}
		return map[string]func(float64) float64{"exp": math.Exp, "sqrt": math.Sqrt, "abs": math.Abs,
			"step": func(x float64) float64 { return map[bool]float64{true: 1}[x >= 0] }}[e.Name](x[0])
	}
	panic("not an expression of a random program")
}

// run evaluates everything; parameters have values in val.
func (n *naive) run() {
	defs := definitions(n.m)
	for e := range defs {
		n.get(defs, e)
	}
	if n.cycle {
		return
	}
	for e, def := range defs {
		if def.s.Sample != nil {
			n.logp += n.density(defs, e, def)
		}
	}
}

func newNaive(m *model.Model, logic bool) *naive {
	n := &naive{m: m, val: map[order.Element]float64{}, state: map[order.Element]int{}, logic: logic}
	for _, v := range m.Vars {
		for k := range v.Len() {
			if v.ClassAt(k) == model.Parameter {
				n.val[order.Element{Var: v, Elem: k}] = math.Sin(float64(7*v.ID + k))
			}
		}
	}
	return n
}

// vector evaluates an argument, which may be a part of an array.
func (n *naive) vector(defs map[order.Element]instance, at []int32, e syntax.Expr) []float64 {
	r, ok := e.(*syntax.Ref)
	if !ok || n.m.Bindings[r].Level > 0 || !slices.ContainsFunc(r.Indices, func(x syntax.Expr) bool { return !model.Single(x) }) {
		return []float64{n.eval(defs, at, e)}
	}
	v := n.m.Bindings[r].Var
	cells := []int{0}
	for d, x := range r.Indices {
		lo, hi := 1, v.Dims[d]
		if span, ok := x.(*syntax.Range); ok {
			lo, hi = int(n.eval(defs, at, span.From)), int(n.eval(defs, at, span.To))
		} else if _, all := x.(*syntax.All); !all {
			lo = int(n.eval(defs, at, x))
			hi = lo
		}
		var next []int
		for _, k := range cells {
			for i := lo; i <= hi; i++ {
				next = append(next, k*v.Dims[d]+i-1)
			}
		}
		cells = next
	}
	var out []float64
	for _, k := range cells {
		out = append(out, n.get(defs, order.Element{Var: v, Elem: k}))
	}
	return out
}

// density is the factor of an element's node; of a vector's, at its first element.
func (n *naive) density(defs map[order.Element]instance, e order.Element, def instance) float64 {
	arg := func(i int) []float64 { return n.vector(defs, def.at, def.s.Sample.Args[i]) }
	x := n.get(defs, e)
	switch def.s.Dist.Name {
	case "dnorm":
		d, tau := x-arg(0)[0], arg(1)[0]
		return 0.5*math.Log(tau/(2*math.Pi)) - tau*d*d/2
	case "dgamma":
		r, mu := arg(0)[0], arg(1)[0]
		lg, _ := math.Lgamma(r)
		return r*math.Log(mu) + (r-1)*math.Log(x) - mu*x - lg
	case "dbern":
		p := arg(0)[0]
		return math.Log(map[bool]float64{true: p, false: 1 - p}[x == 1])
	case "dcat":
		p := arg(0)
		total := 0.0
		for _, y := range p {
			total += y
		}
		return math.Log(p[int(x)-1] / total)
	case "ddirch":
		alpha, total, out := arg(0), 0.0, 0.0
		node := n.vector(defs, def.at, def.s.LHS)
		if node[0] != x || e.Elem%len(node) != 0 {
			return 0 // not its first element
		}
		for i, a := range alpha {
			total += a
			lg, _ := math.Lgamma(a)
			out += (a-1)*math.Log(node[i]) - lg
		}
		lg, _ := math.Lgamma(total)
		return out + lg
	}
	panic("no distribution of these tests: " + def.s.Dist.Name)
}

// The paper's programs, those that it refuses among them: the order is valid, and the
// density that of a naive evaluation.
func TestPaperNaively(t *testing.T) {
	for _, c := range bugstest.Orders {
		m := bugstest.MustAnalyze(t, c.Model, c.Data)
		if err := valid(t, m, m.Order); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		st, err := eval.Simulate(m, 7)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		n := newNaive(m, false)
		for e := range n.val {
			n.val[e] = st[e.Var.ID][e.Elem]
		}
		n.run()
		logp := 0.0
		if err := eval.Visit(m, st, func(f eval.Factor) { logp += f.Logp }); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if n.cycle || math.Abs(logp-n.logp) > 1e-9*(1+math.Abs(logp)) {
			t.Errorf("%s: log density %v, naive %v, cycle %v", c.Name, logp, n.logp, n.cycle)
		}
	}
}
