package draw

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/irtest"
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

var source = diag.NewSource("f.mlir", program)

func parse(t *testing.T) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), source, text.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	return g
}

// In both pictures constants stand at their users, and what the second load and
// the if come after is shown.
func TestEdges(t *testing.T) {
	dot := DOT(parse(t), source)
	for _, want := range []string{`label="%1 = arith.mulf %0, 2 : f64" tooltip="%1 = arith.mulf %0, 2 : f64\nf.mlir:4:8: %y = arith.mulf`,
		`color="#c0302a" style=bold`, "style=dotted", "lhead=cluster_", `label="then"`} {
		if !strings.Contains(dot, want) {
			t.Errorf("no %q in\n%s", want, dot)
		}
	}
	svg := SVG(parse(t), "f", source)
	for _, want := range []string{`%1 = arith.mulf <tspan fill="` + inks[3] + `">%0</tspan>, 2 : f64</text>`, `stroke="` + red, `stroke-dasharray="1.5 3"`, ">then</text>",
		"<title>%1 = arith.mulf %0, 2 : f64\nf.mlir:4:8: %y = arith.mulf %x, %two : f64</title>", ">must come after (effect)</text>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in\n%s", want, svg)
		}
	}
	for _, s := range []string{dot, svg} {
		if strings.Contains(s, "label=\"%c0 = arith.constant") || strings.Contains(s, ">%c0 = arith.constant") {
			t.Errorf("a constant is a node of its own:\n%s", s)
		}
	}
}

// Two wires in one lane do not overlap, and a short one lies inside of a long one.
func TestLanes(t *testing.T) {
	p := &page{wires: []wire{{from: 0, to: []int{9}}, {from: 1, to: []int{2}}, {from: 3, to: []int{4, 5}}, {from: 5, to: []int{6}}, {from: 0, to: []int{1}, kind: hard}}}
	if n := p.lanes(func(kind int) bool { return kind == value }); n != 3 {
		t.Errorf("%d lanes, want 3", n)
	}
	got := map[int]int{}
	for _, w := range p.wires[:4] {
		got[w.from] = w.lane
	}
	if want := "map[0:2 1:0 3:1 5:0]"; fmt.Sprint(got) != want {
		t.Errorf("lanes %v, want %s", got, want)
	}
}

// What two wires that come in at a row do there does not overlap, and each row
// is high enough for its wires.
func TestPorts(t *testing.T) {
	p := newPage(parse(t), nil)
	c := &canvas{page: p}
	for i := range p.rows {
		c.top, c.height = append(c.top, 100*i), append(c.height, 40)
	}
	used := map[int]bool{}
	for _, w := range p.wires {
		if w.kind != value {
			continue
		}
		for i, to := range w.to {
			y := c.port(to, w.port[i])
			if used[y] || y < c.top[to] || y > c.top[to]+c.height[to] {
				t.Errorf("a wire of row %d ends at %d", w.from, y)
			}
			used[y] = true
		}
	}
	if len(used) < 10 {
		t.Errorf("only %d ends", len(used))
	}
}

// grow makes programs of n ops: values that are used soon, at the end and in
// reverse; loops beside and in one another; stores and loads.
func grow(kind string, n int) string {
	var b strings.Builder
	b.WriteString("func.func @f(%v: f64, %m: memref<?xf64>, %i: index) -> f64 {\n")
	last := "%v"
	for k := range n {
		switch kind {
		case "chain", "reverse":
			fmt.Fprintf(&b, "%%%d = math.sin %s : f64\n", k, last)
		case "memory":
			fmt.Fprintf(&b, "%%%d = memref.load %%m[%%i] : memref<?xf64>\nmemref.store %s, %%m[%%i] : memref<?xf64>\n\"x.y\"() : () -> ()\n", k, last)
		case "loops":
			fmt.Fprintf(&b, "scf.for %%j%d = %%i to %%i step %%i {\nmemref.store %%v, %%m[%%j%d] : memref<?xf64>\n}\n", k, k)
			continue
		}
		last = fmt.Sprintf("%%%d", k)
	}
	for k := n - 1; kind == "reverse" && k >= 0; k-- {
		fmt.Fprintf(&b, "%%r%d = arith.addf %s, %%%d : f64\n", k, last, k)
		last = fmt.Sprintf("%%r%d", k)
	}
	fmt.Fprintf(&b, "return %s : f64\n}\n", last)
	return b.String()
}

// Four times the ops take about four times as long, of any shape: the best of a few
// attempts of processor time.
func TestCost(t *testing.T) {
	for _, kind := range []string{"chain", "reverse", "memory", "loops"} {
		var small, large [2]time.Duration
		for attempt := 0; attempt == 0 || attempt < 5 && (large[0] > 8*small[0] || large[1] > 8*small[1]); attempt++ {
			least(&small, took(t, kind, 1000))
			least(&large, took(t, kind, 4000))
		}
		for i, what := range []string{"dot", "svg"} {
			if large[i] > 8*small[i] {
				t.Errorf("%s of %s: %v for 1000, %v for 4000", what, kind, small[i], large[i])
			}
		}
	}
}

func least(best *[2]time.Duration, now [2]time.Duration) {
	for i, d := range now {
		if best[i] == 0 || d < best[i] {
			best[i] = d
		}
	}
}

// took is how long the two pictures of a program take.
func took(t *testing.T, kind string, n int) [2]time.Duration {
	src := diag.NewSource("f.mlir", grow(kind, n))
	g, list := text.Parse(ir.NewContext(dialects.All...), src, text.Options{AllowUnregistered: true})
	if list.Err() != nil {
		t.Fatal(list)
	}
	spent := irtest.Work()
	DOT(g, src)
	dot := spent()
	SVG(g, "f", src)
	return [2]time.Duration{dot, spent() - dot}
}
