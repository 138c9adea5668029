package bugs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Roles that are counted by regions are those of the elements.
func TestRoleCounts(t *testing.T) {
	g := &modelMaker{rng: rand.New(rand.NewPCG(31, 7))}
	quick, runs := 0, 0
	for range 4000 {
		prog, _ := syntax.Parse(diag.NewSource("m", g.model()), syntax.Options{})
		values, _ := syntax.ParseData(diag.NewSource("d", g.data()), syntax.JSON)
		m, list := Analyze(prog, values, Options{})
		if list.Err() != nil {
			continue
		}
		for _, v := range m.Vars {
			want := map[Role]int{}
			for k := range v.Len() {
				want[m.RoleOf(v, k)]++
			}
			runs++
			if got, ok := m.roleCountsByParts(v); ok {
				quick++
				if !maps.Equal(got, want) {
					t.Fatalf("%s: %v, want %v\n%s", v.Name, got, want, prog.Span().Source.Text)
				}
			}
		}
		for _, s := range m.Statements {
			roles := map[Role]bool{}
			s.eachElement(func(_, k int) bool { roles[m.RoleOf(s.v, k)] = true; return true })
			if got, ok := m.roleOfRegion(s); ok && (len(roles) != 1 || !roles[got]) {
				t.Fatalf("statement %d: %v, want %v\n%s", s.Index, got, fmt.Sprint(roles), prog.Span().Source.Text)
			}
		}
	}
	if quick < runs/2 {
		t.Errorf("%d of %d variables are counted by regions", quick, runs)
	}
}
