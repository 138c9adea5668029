package roles_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Roles that are counted by regions are those of the elements.
func TestRoleCounts(t *testing.T) {
	g := bugstest.NewMaker(rand.New(rand.NewPCG(31, 7)))
	quick, runs := 0, 0
	for range 4000 {
		prog, _ := syntax.Parse(diag.NewSource("m", g.Model()), syntax.Options{})
		values, _ := input.ParseData(diag.NewSource("d", g.Data()), input.JSON)
		m, list := bugs.Analyze(prog, values, bugs.Options{})
		if list.Err() != nil {
			continue
		}
		for _, v := range m.Vars {
			want := map[roles.Role]int{}
			for k := range v.Len() {
				want[roles.Of(m, v, k)]++
			}
			runs++
			if got, ok := roles.RoleCountsByParts(m, v); ok {
				quick++
				if !maps.Equal(got, want) {
					t.Fatalf("%s: %v, want %v\n%s", v.Name, got, want, prog.Span().Source.Text)
				}
			}
		}
		for _, s := range m.Statements {
			each := map[roles.Role]bool{}
			s.EachElement(func(_, k int) bool { each[roles.Of(m, s.Var, k)] = true; return true })
			if got, ok := roles.RoleOfRegion(m, s); ok && (len(each) != 1 || !each[got]) {
				t.Fatalf("statement %d: %v, want %v\n%s", s.Index, got, fmt.Sprint(each), prog.Span().Source.Text)
			}
		}
	}
	if quick < runs/2 {
		t.Errorf("%d of %d variables are counted by regions", quick, runs)
	}
}
