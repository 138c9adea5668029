package expand

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Pass makes equations of programs.
type Pass struct {
	Budget int `opt:"budget" doc:"work that one program may take, in steps; beyond it the program stays as it is"`
}

// Info is the row of the pass.
var Info = &pass.Info{
	Name: "poly-equations",
	Doc: "Makes equations of programs over polyhedra, of loops that were raised for example: each value that an array has between two times that it is set becomes an element of its own. " +
		"What is updated by one operator until it is read becomes a reduction, an update of what was read in between a recurrence. Who reads an element reads what set it last, as the value-based " +
		"dependences say. What is only copied is not kept. Memory that is made for the program alone becomes a local array; elements of other memory that are read before they are written " +
		"are copied before the program. A program of which that is not known stays as it is.",
	Why: "After raise-affine, before what works on equations: then poly-schedule finds an order again.",
	Example: `func.func @f(%n: index, %a: memref<?xf64> {llvm.noalias}, %b: memref<?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    %s = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%t = %zero) -> (f64) {
      %x = affine.load %a[%j] : memref<?xf64>
      %u = arith.addf %t, %x fastmath<reassoc> : f64
      affine.yield %u : f64
    }
    affine.store %s, %b[%i] : memref<?xf64>
  }
  return
}
`,
	Pipeline:   "raise-affine,poly-equations",
	Statistics: []pass.Statistic{{Name: "equations", Doc: "programs that became equations"}},
	New:        func() pass.Pass { return &Pass{Budget: 100_000_000} },
}

// Run finds all equations before anything is rebuilt.
func (p *Pass) Run(ctx *pass.Context, g *ir.Graph) (_ *ir.Graph, failed error) {
	defer unwind.To(&failed)
	plans, gone := map[ir.Node]*plan{}, map[ir.Node]bool{}
	unwind.Check(systems.Each(g, func(sys *poly.System) error {
		if sys.Schedule == nil || sys.Equations {
			return nil
		}
		where := func() string { return ctx.Where(sys.Node.Graph(), sys.Node.Old()) }
		x, err := p.one(sys)
		if err != nil {
			if ctx.Reports() {
				ctx.Remark("%s: the program stays as it is: %v", where(), reason(err))
			}
			return nil
		}
		plans[sys.Node] = x
		for v := range x.gone {
			gone[sys.Node.Graph().NodeOf(v)] = true
		}
		if ctx.Reports() {
			ctx.Remark("%s: the program is equations: %s", where(), x.describe())
		}
		return nil
	}))
	if len(plans) == 0 {
		return g, nil
	}
	ctx.Count("equations", len(plans))
	leave := func(m *ir.Mirror, n ir.Node) ir.Value {
		if gone[n] {
			return m.B.Pack()
		}
		return 0
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{
		poly.SystemOp: func(m *ir.Mirror, n ir.Node) ir.Value {
			if x := plans[n]; x != nil {
				return x.rebuild(m, n)
			}
			return 0
		},
		memref.Alloc: leave, memref.Dealloc: leave,
	}, nil), nil
}

// reason says why a program stays as it is.
func reason(err error) error {
	if errors.Is(err, presburger.ErrBudget) {
		return errors.New("to find what it computes takes more work than is allowed")
	}
	return err
}

// one makes equations of a program.
func (p *Pass) one(sys *poly.System) (_ *plan, err error) {
	defer unwind.To(&err)
	// Flow is found by array, so two arrays must not be one memory.
	distinct(sys)
	dies, gone := private(sys)
	l := newLives(sys, int64(p.Budget), dies)
	l.forward()
	x := &expansion{lifetimes: l, kept: map[*poly.ArrayDecl]*array{}, olds: map[*poly.ArrayDecl]*array{}}
	x.house()
	x.equations()
	out := x.plan()
	out.gone = gone
	return out, nil
}

// distinct refuses memory that is written and has two names.
func distinct(sys *poly.System) {
	seen := map[ir.Value]*poly.ArrayDecl{}
	for _, a := range sys.Arrays {
		if a.Role == poly.LocalRole {
			continue
		}
		v := a.Node.Arg(0).Old()
		if b := seen[v]; b != nil {
			panic(unwind.Failed(refuse("%s and %s are one memory", b.Name, a.Name)))
		}
		seen[v] = a
	}
}

// private finds the arrays that nothing needs after the program: local ones, and memory that is
// allocated and given back and that nothing else uses; of these what allocates it and gives it back.
func private(sys *poly.System) (dies map[*poly.ArrayDecl]bool, gone map[ir.Value]bool) {
	dies, gone = map[*poly.ArrayDecl]bool{}, map[ir.Value]bool{}
	for _, a := range sys.Arrays {
		if a.Role == poly.LocalRole {
			dies[a] = true
			continue
		}
		memory := a.Node.Arg(0)
		if memory.Def() != memref.Alloc {
			continue
		}
		free, alone := 0, true
		var ops []ir.Value
		for _, u := range memory.Users() {
			switch {
			case u.Def() == memref.Dealloc:
				free++
				ops = append(ops, u.Old())
			case u.Old() == a.Node.Old():
			default:
				alone = false
			}
		}
		for _, u := range a.Node.Users() { // another system may have the same binding
			if u.Def() == poly.Statement && !isOf(sys, u) {
				alone = false
			}
		}
		if alone && free == 1 {
			dies[a], gone[memory.Old()] = true, true
			gone[ops[0]] = true
		}
	}
	return dies, gone
}

// isOf reports a statement of the system.
func isOf(sys *poly.System, n ir.Node) bool {
	return slices.ContainsFunc(sys.Statements, func(st *poly.Stmt) bool { return st.Node.Old() == n.Old() })
}

// describe says what was made.
func (p *plan) describe() string {
	var fresh, before []string
	for _, a := range p.arrays {
		switch {
		case a.before:
			before = append(before, a.decl.Name)
		case a.decl == nil:
			fresh = append(fresh, a.name)
		}
	}
	out := fmt.Sprintf("%d statements", len(p.statements))
	if len(p.statements) == 1 {
		out = "1 statement"
	}
	if len(fresh) > 0 {
		out += ", new arrays " + strings.Join(fresh, ", ")
	}
	if len(before) > 0 {
		out += ", copied before it " + strings.Join(before, ", ")
	}
	return out
}
