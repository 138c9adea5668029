package bridgestan

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/status"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/lowering/density"
)

// A plan says where the arguments of a function are: in the model, or in the memory of a call, which begins with the results.
type plan struct {
	name  string
	r     *density.Routine
	args  []string // the address of each, of %model, %vector and %memory
	at    map[place]int
	room  int      // of a call, in numbers
	enter [][3]int // copies of the model's numbers: from, to, how many
}

// A place is that of an argument: the elements of a name, "" for the sums, the derivatives by them, or how one of these changes.
type place struct {
	name           string
	shadow, onward bool
}

// resultRoom is how many numbers the results of a function take at most.
const resultRoom = 8

// where is a place in the memory of a call, or -1.
func (p *plan) where(x place) int {
	if at, ok := p.at[x]; ok {
		return at
	}
	return -1
}

// plan gives each argument its place.
func (w *writer) plan(name string, r *density.Routine) *plan {
	p := &plan{name: name, r: r, at: map[place]int{}, room: resultRoom}
	for i := range r.Args {
		a := &r.Args[i]
		x := place{a.Name, a.Shadow, a.Onward}
		switch {
		case a.Fixed && a.Scalar && a.Name == "":
			p.args = append(p.args, "@bs.one") // the density is what is derived
		case a.Fixed:
			p.args = append(p.args, fmt.Sprintf("getelementptr double, ptr %%model, i64 %d", w.keep(name, a)))
		case x == place{name: ops.VectorName}:
			p.args = append(p.args, "%vector")
		default:
			p.at[x] = p.room
			p.args = append(p.args, fmt.Sprintf("getelementptr double, ptr %%memory, i64 %d", p.room))
			if !a.Shadow && !a.Onward && a.Name != "" {
				w.enter(p, a)
			}
			p.room += max(a.Len(), 1)
		}
	}
	return p
}

// keep gives an argument that stays the same a place in the model; what a function computes once has one of its own.
func (w *writer) keep(routine string, a *density.Arg) int {
	key := a.Name
	if key == "" {
		key = ".setup." + routine
	}
	at, ok := w.fixed[key]
	if !ok {
		at = len(w.numbers)
		w.fixed[key] = at
		w.numbers = append(w.numbers, a.Contents()...)
	}
	return at
}

// enter has elements that are known copied before each call.
func (w *writer) enter(p *plan, a *density.Arg) {
	x := slices.Clone(a.Contents())
	for i, y := range x {
		if math.IsNaN(y) && p.name != "unconstrain" {
			x[i] = 0
		}
	}
	if p.name != "unconstrain" && !slices.ContainsFunc(x, func(y float64) bool { return y != 0 }) {
		return
	}
	key := ".known." + a.Name
	if p.name == "unconstrain" {
		key = ".given." + a.Name
	}
	at, ok := w.fixed[key]
	if !ok {
		at = len(w.numbers)
		w.fixed[key] = at
		w.numbers = append(w.numbers, x...)
	}
	p.enter = append(p.enter, [3]int{at, p.room, len(x)})
}

// routine writes how a function is called.
func (w *writer) routine(p *plan) {
	w.integer("bs.room."+p.name, p.room)
	w.pointers("bs.nodes."+p.name, p.r.Sums)
	sums := place{}
	jacobian := func(x place) int {
		i := slices.Index(p.r.Sums, ops.JacobianName)
		if at := p.where(x); i >= 0 && at >= 0 {
			return at + i
		}
		return -1
	}
	w.integer("bs.at.jacobian."+p.name, jacobian(sums))
	w.integer("bs.at.seed."+p.name, jacobian(place{shadow: true}))
	w.integer("bs.at.shadow."+p.name, p.where(place{ops.VectorName, true, false}))
	w.integer("bs.at.direction."+p.name, p.where(place{ops.VectorName, false, true}))
	w.integer("bs.at.turn."+p.name, p.where(place{ops.VectorName, true, true}))
	w.line("define internal void @bs.enter.%s(ptr %%model, ptr %%memory) {", p.name)
	for i, c := range p.enter {
		w.line("  %%from%d = getelementptr double, ptr %%model, i64 %d", i, c[0])
		w.line("  %%to%d = getelementptr double, ptr %%memory, i64 %d", i, c[1])
		w.line("  call void @llvm.memcpy.p0.p0.i64(ptr %%to%d, ptr %%from%d, i64 %d, i1 false)", i, i, 8*c[2])
	}
	w.line("  ret void\n}")
	w.line("define internal i32 @bs.call.%s(ptr %%model, ptr %%vector, ptr %%memory) {", p.name)
	if p.name != "unconstrain" {
		w.line("  call void @bs.enter.%s(ptr %%model, ptr %%memory)", p.name)
	}
	w.call(p, p.r.Name, "ptr %memory, ")
	w.line("  ret i32 %%trap\n}")
}

// call writes a call with all arguments, that begin with what is given.
func (w *writer) call(p *plan, name, results string) {
	for i, a := range p.args {
		if strings.HasPrefix(a, "get") {
			w.line("  %%a%d = %s", i, a)
		}
	}
	n := -1
	args := lists.Map(p.args, func(a string) string {
		if n++; strings.HasPrefix(a, "get") {
			return fmt.Sprintf("ptr %%a%d", n)
		}
		return "ptr " + a
	})
	w.line("  %%trap = call i32 @%s%s(%s%s)", name, status.Suffix, results, strings.Join(args, ", "))
}

// setup writes what computes once.
func (w *writer) setup(plans []*plan) {
	most := 0
	for _, p := range plans {
		most = max(most, p.room)
		if p.r.Setup == "" {
			continue
		}
		w.line("define internal i32 @bs.setup.%s(ptr %%model, ptr %%memory) {", p.name)
		w.line("  %%vector = getelementptr double, ptr %%memory, i64 %d", p.room)
		w.call(p, p.r.Setup, "")
		w.line("  ret i32 %%trap\n}")
	}
	w.integer("bs.room.setup", most+w.l.Space.Len())
	w.line("define internal i32 @bs.setup(ptr %%model, ptr %%memory) {\nentry:\n  br label %%step0")
	n := 0
	for _, p := range plans {
		if p.r.Setup != "" {
			w.line("step%d:\n  %%trap%d = call i32 @bs.setup.%s(ptr %%model, ptr %%memory)", n, n, p.name)
			w.line("  %%fine%d = icmp eq i32 %%trap%d, 0\n  br i1 %%fine%d, label %%step%d, label %%stop%d", n, n, n, n+1, n)
			w.line("stop%d:\n  ret i32 %%trap%d", n, n)
			n++
		}
	}
	w.line("step%d:\n  ret i32 0\n}", n)
}

// fixedNumbers writes the numbers that a model begins with.
func (w *writer) fixedNumbers() {
	w.integer("bs.coordinates", w.l.Space.Len())
	w.integer("bs.room.model", max(len(w.numbers), 1))
	w.integer("bs.size.fixed", 8*len(w.numbers))
	w.line("@bs.one = internal constant double 1.0")
	w.doubles("bs.fixed", w.numbers)
}

func (w *writer) doubles(name string, list []float64) {
	fmt.Fprintf(&w.out, "@%s = internal constant [%d x double] [", name, len(list))
	for i, x := range list {
		if i > 0 {
			w.out.WriteString(", ")
		}
		w.out.WriteString("double " + spelled(x))
	}
	w.out.WriteString("]\n")
}

func spelled(x float64) string { return fmt.Sprintf("0x%016X", math.Float64bits(x)) }
