package order_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// facts spells what an analysis finds.
func facts(m *model.Model, list diag.List) string {
	if list.Err() != nil {
		return list.Error()
	}
	var out strings.Builder
	by := func(o model.Origin) string {
		if o.Stmt == 0 {
			return "-"
		}
		return fmt.Sprint(o.Stmt, m.Statements[o.Stmt-1].At(int(o.Iter)))
	}
	for _, v := range m.Vars {
		fmt.Fprintln(&out, v.Name, v.Dims, v.Counts)
		for k := range v.Len() {
			fmt.Fprint(&out, " ", v.ElemName(k), " ", v.ClassAt(k), " ", by(v.AssignedBy(k)), " ", by(v.DrawnBy(k)))
			if c := v.ClassAt(k); c == model.Known || c == model.Observed {
				fmt.Fprint(&out, " ", v.Value[k])
			}
			fmt.Fprintln(&out)
		}
	}
	for _, s := range m.Statements {
		fmt.Fprintln(&out, "statement", s.Index, s.Iterations, s.Pending)
		for i := range s.Iterations {
			fmt.Fprint(&out, " ", s.At(i), ":")
			m.Elements(s, i, func(k int) { fmt.Fprint(&out, " ", k) })
		}
		fmt.Fprintln(&out)
	}
	for _, d := range m.Deps {
		fmt.Fprintln(&out, "dependence", d.From.Index, d.To.Index, d.Var.Name, d.Vectors)
	}
	fmt.Fprintln(&out, list.Error())
	o, p := m.Counts()
	fmt.Fprintln(&out, o, p, strings.Join(order.Sequence(m), "\n"))
	return out.String()
}

// What regions, integer sets and walks over packed indices find is what a look at
// every element in every iteration finds: the same classes, definers, dependence
// vectors and order, and the same errors.
func TestSymbolicIsElementwise(t *testing.T) {
	g := bugstest.NewMaker(rand.New(rand.NewPCG(20, 26)))
	right, solved, walked, deps := 0, 0, 0, 0
	runs := 10000
	if testing.Short() {
		runs = 2000
	}
	for range runs {
		program, data := g.Model(), g.Data()
		prog, list := syntax.Parse(diag.NewSource("m", program), syntax.Options{})
		if list.Err() != nil {
			t.Fatal(list, program)
		}
		values, list := input.ParseData(diag.NewSource("d", data), input.JSON)
		if list.Err() != nil {
			t.Fatal(list, data)
		}
		fast, slow := bugs.NewBuilder(prog, values, bugs.Options{}), bugs.NewBuilder(prog, values, bugs.Options{})
		slow.Elementwise = true
		got, want := facts(fast.Model, bugs.Steps(fast)), facts(slow.Model, bugs.Steps(slow))
		if got != want {
			a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
			i := 0
			for i < min(len(a), len(b)) && a[i] == b[i] {
				i++
			}
			t.Fatalf("%s\n%s\ngot  %s\nwant %s", program, data, strings.Join(a[i:min(i+6, len(a))], "\n     "), strings.Join(b[i:min(i+6, len(b))], "\n     "))
		}
		if !slices.ContainsFunc(fast.Diags, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error }) {
			right++
			deps += len(fast.Model.Deps)
		}
		solved, walked = solved+fast.Solved, walked+fast.Walked
	}
	t.Logf("%d of %d models are right, with %d dependences; %d questions to integer sets, %d iterations walked", right, runs, deps, solved, walked)
	if right < runs/10 || solved < runs/50 || walked < runs {
		t.Error("too few")
	}
}
