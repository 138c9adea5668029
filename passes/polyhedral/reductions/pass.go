package reductions

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/simplify"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Simplify lowers the complexity of reductions.
type Simplify struct {
	Mode     string `opt:"mode" one:"heuristic exact" doc:"how directions of reuse are chosen where reductions depend on each other: for one after the other, by a sequential schedule where that decides; or for all together, by branch and bound"`
	Reuse    bool   `opt:"reuse" doc:"only reuse along vectors: none of what enables it"`
	Lossless bool   `opt:"lossless" doc:"floats are not subtracted, so that no digits cancel: windows of sums are taken in blocks, and what would have to be subtracted stays as it is"`
	Along    string `opt:"along" doc:"the vectors of reuse that may be taken: (1,0,0);(0,-1,0), in the coordinates of the statements; all if it is empty"`
	Sizes    string `opt:"sizes" doc:"sizes by which complexities are compared: N=1000;K=10 gives it; the total degree, then the order of the parameters, if it is empty"`
	Only     string `opt:"only" doc:"the statement whose reduction is simplified; all if it is empty"`
}

// Info is the row of the pass.
var Info = &pass.Info{
	Name: "simplify-reductions",
	Doc: "Makes of the reductions of equations others that compute the same with fewer instances: an answer takes what another has where both add up the same, along a " +
		"vector of reuse, and adds and subtracts what differs; windows whose operator has no inverse are taken in blocks, as a suffix of one and a prefix of the next. Reductions are taken apart, factors taken out, counted, split, where that helps. Those that depend on each other get " +
		"directions in which none waits for itself. Says what was done (`irc explain`), and where it subtracts floats.",
	Why: "First, on equations that have no schedule. `irc complexity -passes=simplify-reductions` prints what it gains.",
	Example: `func.func @f(%n: index, %a: memref<?xf64>, %s: memref<?xf64>) {
  poly.system (%n = "N") context "[N] -> { : N >= 1 }" {
    %A = poly.bind %a as input "A" in "[N] -> { A[i] : 0 <= i < N }" : memref<?xf64>
    %S = poly.bind %s as output "S" in "[N] -> { S[i] : 0 <= i < N }" : memref<?xf64>
    poly.statement "T" over "[N] -> { T[i, j] : 0 <= j <= i < N }" add %S at "{ T[i, j] -> S[i] }" reading %A at "{ T[i, j] -> A[j] }" do (%i: index, %j: index, %x: f64) {
      poly.yield %x : f64
    }
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "simplified", Doc: "reductions that became less complex"}},
	New:        func() pass.Pass { return &Simplify{Mode: "heuristic"} },
}

// Run finds what becomes of all systems before anything is rebuilt.
func (p *Simplify) Run(ctx *pass.Context, g *ir.Graph) (_ *ir.Graph, failed error) {
	defer unwind.To(&failed)
	found, n := map[ir.Node]*result{}, 0
	unwind.Check(systems.Each(g, func(sys *poly.System) error {
		if sys.Schedule != nil {
			return nil
		}
		x, count, err := p.one(ctx, sys)
		if why := unreadable(""); errors.As(err, &why) {
			ctx.Remark("%s: the equations stay as they are: %s", ctx.Where(sys.Node.Graph(), sys.Node.Old()), string(why))
			return nil
		}
		if count > 0 {
			found[sys.Node] = x
			n += count
		}
		return err
	}))
	if n == 0 {
		return g, nil
	}
	ctx.Count("simplified", n)
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{poly.SystemOp: func(m *ir.Mirror, n ir.Node) ir.Value {
		if x := found[n]; x != nil {
			return x.rebuild(m, n)
		}
		return 0
	}}, nil), nil
}

// options reads vectors and sizes.
func (p *Simplify) options(sys *poly.System) (simplify.Options, error) {
	o := simplify.Options{Exact: p.Mode == "exact", Only: p.Only, Reuse: p.Reuse, Lossless: p.Lossless}
	for _, text := range strings.FieldsFunc(p.Along, func(r rune) bool { return r == ';' }) {
		var v []presburger.Int
		for _, x := range strings.Split(strings.Trim(strings.TrimSpace(text), "()"), ",") {
			n, err := strconv.ParseInt(strings.TrimSpace(x), 10, 64)
			if err != nil {
				return o, fmt.Errorf("along=%s has %q where an integer is wanted; write (1,0);(0,-1)", p.Along, x)
			}
			v = append(v, presburger.NewInt(n))
		}
		o.Vector = append(o.Vector, v)
	}
	for _, text := range strings.FieldsFunc(p.Sizes, func(r rune) bool { return r == ';' }) {
		name, value, _ := strings.Cut(text, "=")
		n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		if name = strings.TrimSpace(name); err != nil || n < 1 {
			return o, fmt.Errorf("sizes=%s has %q where NAME=SIZE is wanted", p.Sizes, text)
		}
		if !slices.Contains(sys.Params, name) {
			return o, fmt.Errorf("sizes=%s has %s, which is no parameter; there are %s", p.Sizes, name, strings.Join(sys.Params, ", "))
		}
		if o.Sizes == nil {
			o.Sizes = map[string]int64{}
		}
		o.Sizes[name] = n
	}
	return o, nil
}

// one simplifies a system; count is how many of its reductions.
func (p *Simplify) one(ctx *pass.Context, sys *poly.System) (x *result, count int, err error) {
	o, err := p.options(sys)
	if err != nil {
		return nil, 0, err
	}
	program, of, err := read(sys)
	if err != nil {
		return nil, 0, err
	}
	// A system whose simplification runs out of budget stays as it is: that is a remark, not an error.
	after, reports, err := simplify.Simplify(program, o)
	if errors.Is(err, presburger.ErrBudget) {
		return nil, 0, unreadable("to simplify them takes more work than is allowed")
	}
	if err != nil {
		return nil, 0, err
	}
	for _, r := range reports {
		p.tell(ctx, sys, of[r.Equation], r)
		if r.Changed {
			count++
		}
	}
	// What simplification did not touch keeps its own op, with its attributes and locations: only new
	// arrays and equations with an origin are built again.
	x = &result{by: map[ir.Value][]*simplify.Equation{}, gone: map[ir.Value]bool{}, params: sys.Params}
	kept := map[any]bool{}
	for _, a := range after.Arrays {
		if a.New {
			x.arrays = append(x.arrays, a)
		} else {
			kept[a.Client] = true
		}
	}
	for _, a := range sys.Arrays {
		x.gone[a.Node.Old()] = !kept[a]
	}
	same := map[*poly.Stmt]bool{}
	for _, e := range after.Equations {
		if e.Origin == nil {
			same[of[e]] = true
			continue
		}
		v := of[e.Origin].Node.Old()
		x.by[v] = append(x.by[v], e)
	}
	for _, st := range sys.Statements {
		x.gone[st.Node.Old()] = !same[st]
	}
	return x, count, nil
}

// Simplified is what the pass shows of a statement.
type Simplified struct {
	Statement string
	Report    simplify.Report
	Steps     []*simplify.Step
}

// tell says what was done to a reduction.
func (p *Simplify) tell(ctx *pass.Context, sys *poly.System, st *poly.Stmt, r simplify.Report) {
	if !ctx.Reports() {
		return
	}
	at := ctx.Where(sys.Node.Graph(), st.Node.Old())
	for _, s := range r.Refused {
		ctx.Remark("%s: %s", at, s)
	}
	if !r.Changed {
		return
	}
	steps, err := r.Steps()
	if err != nil { // it is done, and takes more work to tell than is allowed
		ctx.Remark("%s: %s, %s -> %s", at, st.Name, r.Before, r.After)
		return
	}
	ctx.Show(&Simplified{Statement: st.Name, Report: r, Steps: steps})
	text := []string{fmt.Sprintf("%s: %s, %s -> %s", at, st.Name, r.Before, r.After)}
	for _, s := range steps {
		text = append(text, s.String())
	}
	ctx.Remark("%s", strings.ReplaceAll(strings.Join(text, "\n"), "\n", "\n  "))
	if r.Losses > 0 {
		times := "once"
		if r.Losses > 1 {
			times = fmt.Sprintf("%d times", r.Losses)
		}
		ctx.Remark("%s: %s is subtracted from (%s): the last digits of floats may differ by more than by another order of the sum", at, st.Target.Name, times)
	}
}
