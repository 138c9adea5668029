package draw

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

const program = `func.func @f(%m: memref<?xf64>, %i: index, %c: i1) -> f64 {
  %two = arith.constant 2.0 : f64
  %x = memref.load %m[%i] : memref<?xf64>
  %y = arith.mulf %x, %two : f64
  scf.if %c {
    memref.store %y, %m[%i] : memref<?xf64>
  }
  %z = memref.load %m[%i] : memref<?xf64>
  %s = arith.addf %x, %z : f64
  return %s : f64
}`

func parse(t *testing.T) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("f.mlir", program), text.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	return g
}

// In both pictures constants stand at their users, and what the second load and
// the if come after is shown.
func TestEdges(t *testing.T) {
	dot := DOT(parse(t))
	for _, want := range []string{`label="arith.mulf ·, 2 : f64"`, "color=red", "style=dotted", "lhead=cluster_", `label="0: branch"`} {
		if !strings.Contains(dot, want) {
			t.Errorf("no %q in\n%s", want, dot)
		}
	}
	svg := SVG(parse(t), "f")
	for _, want := range []string{"= arith.mulf %0, 2 : f64", styles[hard], styles[soft], "<title>branch</title>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in\n%s", want, svg)
		}
	}
	for _, s := range []string{dot, svg} {
		if strings.Contains(s, "arith.constant") {
			t.Errorf("a constant is a node of its own:\n%s", s)
		}
	}
}

// Two wires in one lane do not overlap, and a short one lies inside of a long one.
func TestLanes(t *testing.T) {
	p := &page{wires: []wire{{from: 0, to: []int{9}}, {from: 1, to: []int{2}}, {from: 3, to: []int{4, 5}}, {from: 5, to: []int{6}}}}
	if n := p.lanes(); n != 3 {
		t.Errorf("%d lanes, want 3", n)
	}
	got := map[int]int{}
	for _, w := range p.wires {
		got[w.from] = w.lane
	}
	if want := "map[0:2 1:0 3:1 5:0]"; fmt.Sprint(got) != want {
		t.Errorf("lanes %v, want %s", got, want)
	}
}
