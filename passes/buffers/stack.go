package buffers

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target/tuning"
	"github.com/irc-lang/irc/passes/pass"
)

// Stack puts small allocations of known sizes on the stack.
type Stack struct {
	Limit int  `opt:"limit" doc:"most bytes that a function takes of the stack for them; 0 asks the target"`
	All   bool `opt:"all" doc:"every allocation that the program does not free itself, marked or not"`
}

// StackInfo is the row of the pass.
var StackInfo = &pass.Info{
	Name: "promote-buffers-to-stack",
	Doc: "Makes memref.alloca of owned allocations (" + memref.OwnedAttr + ") of known sizes that are given back in the region that makes them, outside of loops. The first of the program " +
		"come first, as long as there is room: taking small memory from the heap may cost more than what is done in it, and memory of its own is known to be apart from all other. " +
		"A function that calls others which call any keeps to the heap, as it may call itself; so does what a loop allocates, which the stack keeps until the function ends.",
	Why: "After reuse-buffers, which takes allocations out of loops; before plan-buffers, which plans what is left on the heap.",
	Example: `func.func @f(%x: memref<64xf64>, %y: memref<64xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() {` + memref.OwnedAttr + `} : memref<64xf64>
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xf64>
    memref.store %v, %a[%i] : memref<64xf64>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %j = arith.subi %c63, %i : index
    %v = memref.load %a[%j] : memref<64xf64>
    memref.store %v, %y[%i] : memref<64xf64>
  }
  return
}
`,
	Scope: pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "promoted", Doc: "allocations that are on the stack now"},
		{Name: "bytes", Doc: "that they take of it"},
	},
	New: func() pass.Pass { return &Stack{} },
}

// Check refuses limits that are larger than the stack.
func (p *Stack) Check() error {
	if p.Limit < 0 || p.Limit > tuning.MostStack {
		return fmt.Errorf("limit=%d is not between 0 and %d", p.Limit, tuning.MostStack)
	}
	return nil
}

// Run promotes what every function has room for, and rebuilds all at once.
func (p *Stack) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	limit := int64(p.Limit)
	if limit == 0 {
		limit = int64(ctx.Target().Costs.MaxStack)
	}
	if !slices.ContainsFunc(allocations(g), func(n ir.Node) bool { return p.All || n.Attr(memref.OwnedAttr) != 0 }) {
		return g, nil
	}
	found, some := map[*ir.Graph]map[ir.Value]bool{}, false
	newScope(g, nil, p.All, func(f *function) {
		if f.result == nil || found[f.body] != nil {
			return
		}
		moves := map[ir.Value]bool{}
		found[f.body] = moves
		if f.mayRecur() {
			return
		}
		x, left := &arenas{sharing: &sharing{a: f.result, ctx: ctx}}, limit
		for v := range f.result.body.s.All() {
			if b, ok := x.buffer(v); ok && b.Size <= left && !inLoop(f.body, f.result.body.s.Place(v)) {
				moves[v], some = true, true
				left -= aligned(b.Size)
				ctx.Count("promoted", 1)
				ctx.Count("bytes", int(aligned(b.Size)))
			}
		}
	})
	if !some {
		return g, nil
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{memref.Alloc: func(m *ir.Mirror, n ir.Node) ir.Value {
		if !found[n.Graph()][n.Old()] {
			return 0
		}
		return m.B.Must(ir.Call{Def: memref.Alloca, Type: n.Type()})
	}}, nil), nil
}

// mayRecur reports a function of which more than one call may be under way, and its callees': it calls one that calls others, or is not known.
func (f *function) mayRecur() (may bool) {
	f.eachCall(func(callee *function) {
		may = may || callee == nil || callee.result == nil
		if !may {
			// A callee that calls nothing cannot come back here; any other may.
			callee.eachCall(func(*function) { may = true })
		}
	})
	return may
}

// eachCall calls found for the callee of each call in a function, or nil.
func (f *function) eachCall(found func(callee *function)) {
	for v := range f.result.body.s.All() {
		if call, ok := ir.As[ir.CallLike](f.body.NodeOf(v)); ok {
			var callee *function
			if call.Callee != "" {
				callee = f.in.find(call.Callee)
			}
			found(callee)
		}
	}
}

// inLoop reports a region that runs more than once, or lies in one.
func inLoop(g *ir.Graph, r ir.Region) bool {
	for ; r != ir.Root; r = ir.ScheduleOf(g).Place(g.Owner(r)) {
		if k := g.KindOf(r); k != ir.Once && k != ir.Branch {
			return true
		}
	}
	return false
}
