package lowering

import (
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// ordered is the route to a level with dialects of those levels, low to high.
func ordered(to string, orders ...lower.Order) (Route, error) {
	ds := slices.Clone(dialects.All)
	for i, o := range orders {
		d := &ir.Dialect{Name: string(rune('a' + i)), Tables: []any{o}}
		var rules lower.Table
		for level := range o {
			rules = append(rules, lower.Lowering{Level: level})
		}
		d.Tables = append(d.Tables, rules)
		ds = append(ds, d)
	}
	return To(ir.NewContext(ds...), Routes, to)
}

func TestLevelsOfDialectsAreOnRoutes(t *testing.T) {
	for _, c := range []struct {
		to     string
		orders []lower.Order
		want   string
	}{
		{"scf", nil, "loop affine scf"},
		{"scf", []lower.Order{{"x": "scf"}}, "loop x affine scf"},
		{"llvm", []lower.Order{{"x": "loop"}}, "x loop affine scf vector math llvm"},
		{"math", []lower.Order{{"x": "scf"}}, "math"},
		{"scf", []lower.Order{{"x": "scf"}, {"y": "scf"}}, "loop y x affine scf"},
		{"scf", []lower.Order{{"x": "scf"}, {"y": "x", "z": "y"}}, "loop z y x affine scf"},
		{"scf", []lower.Order{{"x": "y", "y": "scf"}}, "loop x y affine scf"},
	} {
		r, err := ordered(c.to, c.orders...)
		if got := strings.Join(r.Levels, " "); err != nil || got != c.want {
			t.Errorf("%s with %v: %s, %v; want %s", c.to, c.orders, got, err, c.want)
		}
	}
	if _, err := ordered("scf", lower.Order{"x": "scg"}); err == nil || !strings.Contains(err.Error(), `before level "scg", which there is not`) {
		t.Errorf("a level before one that there is not gives %v", err)
	}
}
