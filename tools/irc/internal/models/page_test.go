package models

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tools/irc/internal/plate"
)

// The page of a model with many nodes in a row: each shows its law, data that choose an
// element are not there, the row is several, and no arrowhead lies on another.
func TestPageOfWideModel(t *testing.T) {
	var model strings.Builder
	var names []string
	for i := range 48 {
		fmt.Fprintf(&model, "alpha%d ~ dgamma(1, 1)\n", i)
		names = append(names, fmt.Sprintf("alpha%d", i))
	}
	fmt.Fprintf(&model, "mu <- %s\nfor (i in 1:N) { y[i] ~ dpois(u[g[i]] * mu) }\nfor (j in 1:J) { u[j] ~ dexp(1) }", strings.Join(names, " + "))
	svg := plate.SVG(compile(t, "m", "model {\n"+model.String()+"\n}", `{"N": 3, "J": 2, "y": [1, 2, 3], "g": [1, 2, 1]}`).Drawing())
	laws := map[string]int{}
	for _, m := range regexp.MustCompile(`class="law"[^>]*>([^<]*)<`).FindAllStringSubmatch(svg, -1) {
		laws[m[1]]++
	}
	if laws["dgamma"] != 48 || laws["dpois"] != 1 || laws["dexp"] != 1 || len(laws) != 3 {
		t.Errorf("the laws in the nodes are %v", laws)
	}
	if strings.Contains(svg, "data: g") || strings.Contains(svg, ">g[i]<") || !strings.Contains(svg, ">u[j]<") {
		t.Error("an index constant is drawn, or what it chooses of is not")
	}
	rows := map[string]int{}
	for _, m := range regexp.MustCompile(`<ellipse cx="[^"]*" cy="([^"]*)" rx="[^"]*" ry="[^"]*" fill="[^"]*" stroke="#333" stroke-width="1.2"/><text class="law"[^>]*>dgamma<`).FindAllStringSubmatch(svg, -1) {
		rows[m[1]]++
	}
	for y, n := range rows {
		if n > 24 {
			t.Errorf("%d nodes stand in the row at %s", n, y)
		}
	}
	if len(rows) < 3 {
		t.Errorf("the rows are %v", rows)
	}
	if m := regexp.MustCompile(`<svg [^>]*width="(\d+)"`).FindStringSubmatch(svg); m == nil || number(t, m[1]) > 2400 {
		t.Errorf("the page is %v wide", m)
	}
	heads := regexp.MustCompile(`d="M(\S+) (\S+) l-3.2 \S+ h6.4 z"`).FindAllStringSubmatch(svg, -1)
	if len(heads) < 50 {
		t.Errorf("%d arrowheads", len(heads))
	}
	for i, a := range heads {
		for _, b := range heads[:i] {
			dx, dy := number(t, a[1])-number(t, b[1]), number(t, a[2])-number(t, b[2])
			if a[0] != b[0] && math.Abs(dx) < 6.4 && math.Abs(dy) < 7 {
				t.Errorf("arrowheads at %v and %v lie on each other", a[1:], b[1:])
			}
			if a[0] == b[0] {
				t.Errorf("two arrowheads at %v", a[1:])
			}
		}
	}
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
