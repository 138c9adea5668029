package scf

import "github.com/irc-lang/irc/ir"

// liveness says which results of if, index_switch and for, and which values that a for carries, are
// needed: what only feeds results and carried values that nobody needs is not needed itself, through
// any number of them one after another. Of other ops all is needed that they use.
type liveness struct {
	g       *ir.Graph
	runs    []bool // by op: it is needed, whatever its results are
	needed  []bool // by value; of an op with one result the value is that
	results map[ir.Value][]int
	ops     []ir.Value // that are to be visited
	values  []ir.Value
}

var liveValues = ir.NewAnalysis("live values", newLiveness)

func newLiveness(g *ir.Graph) *liveness {
	l := &liveness{g: g, runs: make([]bool, g.Len()), needed: make([]bool, g.Len()), results: map[ir.Value][]int{}}
	l.region(ir.Root)
	l.needAll(g.Yields(ir.Root))
	for len(l.ops)+len(l.values) > 0 {
		if n := len(l.values) - 1; n >= 0 {
			v := l.values[n]
			l.values = l.values[:n]
			l.value(v)
			continue
		}
		n := len(l.ops) - 1
		v := l.ops[n]
		l.ops = l.ops[:n]
		l.op(v)
	}
	return l
}

// of says of each result of an op whether it is needed.
func (l *liveness) of(v ir.Value) []bool {
	out := make([]bool, l.g.Results(v))
	for _, i := range l.results[v] {
		out[i] = true
	}
	return out
}

// carried says of each value that a for carries whether it is needed.
func (l *liveness) carried(v ir.Value) []bool {
	params := l.g.Params(l.g.Regions(v)[0])
	out := make([]bool, len(params)-1)
	for i := range out {
		out[i] = l.needed[params[1+i]]
	}
	return out
}

func (l *liveness) run(v ir.Value) {
	if !l.runs[v] {
		l.runs[v] = true
		l.ops = append(l.ops, v)
	}
}

func (l *liveness) need(v ir.Value) {
	if !l.needed[v] {
		l.needed[v] = true
		l.values = append(l.values, v)
	}
}

func (l *liveness) needAll(vs []ir.Value) {
	for _, v := range vs {
		l.need(v)
	}
}

// region enters the writes of a region that must happen.
func (l *liveness) region(r ir.Region) {
	for _, v := range l.g.Effs(r) {
		l.run(v)
	}
	if t := l.g.Term(r); t != 0 {
		for _, v := range l.g.Hard(t) {
			l.run(v)
		}
	}
}

// op enters what an op needs to run.
func (l *liveness) op(v ir.Value) {
	g, def := l.g, l.g.Def(v)
	for _, h := range g.Hard(v) {
		l.run(h)
	}
	for _, r := range g.Regions(v) {
		l.region(r)
	}
	switch def {
	case For:
		l.needAll(g.Args(v)[:3])
		return
	case If, IndexSwitch:
		l.needAll(g.Args(v))
		return
	}
	l.needAll(g.Args(v))
	for _, r := range g.Regions(v) {
		l.needAll(g.Yields(r))
		l.needAll(g.Members(r))
	}
}

// value enters what a value needs besides the op that gives it.
func (l *liveness) value(v ir.Value) {
	if r, i, ok := l.g.Param(v); ok {
		if r == ir.Root {
			return
		}
		n := l.g.Owner(r)
		l.run(n)
		if l.g.Def(n) == For && i > 0 {
			l.need(l.g.Args(n)[2+i])
			l.need(l.g.Yields(r)[i-1])
		}
		return
	}
	n, i, _ := l.g.Projection(v)
	l.run(n)
	if i >= l.g.Results(n) {
		return // a member without results
	}
	switch l.g.Def(n) {
	case For:
		l.need(l.g.Params(l.g.Regions(n)[0])[1+i])
	case If, IndexSwitch:
		for _, r := range l.g.Regions(n) {
			if ys := l.g.Yields(r); i < len(ys) {
				l.need(ys[i])
			}
		}
	default:
		return
	}
	l.results[n] = append(l.results[n], i)
}
