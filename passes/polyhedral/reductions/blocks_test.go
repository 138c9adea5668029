package reductions_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
)

// A window whose operator has no inverse is a suffix of one block and a prefix of the next. Its width is a parameter or a
// number, and a part of it may be beyond the data.
func TestWindows(t *testing.T) {
	for _, c := range []struct{ elem, equation, options, cost, told string }{
		{"i64", "X[i,0] max= A[j,0] : { [i,j] : 0 <= i <= N - W and i <= j < i + W }", "", "N", "in blocks of (W), as prefixes and suffixes, since max has no inverse"},
		{"i64", "X[N-1-i,0] min= A[j,0] + A[0,j] : { [i,j] : 0 <= i < N and i - W <= j <= i + W and 0 <= j < N }", "", "N", "in blocks of (2W + 1)"},
		{"f64", "X[i,k] max= A[k,j] : { [i,k,j] : 0 <= i < N and 0 <= k < N and i - 20 <= j <= i + 20 and 0 <= j < N }", "", "N^2", "in blocks of (41)"},
		{"i64", "X[i,0] *= A[j,0] : { [i,j] : 0 <= i <= N - W and i <= j < i + W }", "", "N", "since mul has no inverse"},
		{"f64", "X[i,0] += A[j,0] : { [i,j] : 0 <= i <= N - W and i <= j < i + W }", "{lossless}", "N", "since floats would be subtracted"},
	} {
		src := "program p(N, W) : N >= W and W >= 1 {\n  input A[N, N] : " + c.elem + ";\n  output X[N, N] : " + c.elem + ";\n  " + c.equation + ";\n}\n"
		told := remarks(t, src, "simplify-reductions"+c.options)
		if !strings.Contains(told, c.told) {
			t.Errorf("%s: %s", c.equation, told)
		}
		g := parse(t, src)
		simple := built.Through(t, g, "simplify-reductions"+c.options)
		if got := total(t, simple); got != c.cost {
			t.Errorf("%s costs %s, want %s", c.equation, got, c.cost)
		}
		loops := built.Through(t, simple, "poly-schedule,poly-codegen")
		for _, n := range [][2]int{{1, 1}, {7, 3}, {8, 4}, {9, 1}, {5, 5}} {
			p := &random{src: src, args: windowArgs(n), g: g, sys: systemOf(t, g)}
			want, _ := p.run(t, g)
			if got, _ := p.run(t, simple); got != want {
				t.Errorf("%s: %s, want %s", c.equation, got, want)
			}
			if got := unsigned(built.After(t, loops, "p", p.args)); got != want {
				t.Errorf("%s: as loops %s, want %s", c.equation, got, want)
			}
		}
	}
}

// windowArgs are sizes, data without order, and what is written.
func windowArgs(n [2]int) string {
	data, out := make([][]int, n[0]), make([][]int, n[0])
	for i := range data {
		data[i], out[i] = make([]int, n[0]), make([]int, n[0])
		for j := range data[i] {
			data[i][j] = (7*i+5*j*j+3)%11 - 5
		}
	}
	text, err := json.Marshal([]any{n[0], n[1], data, out})
	if err != nil {
		panic(err)
	}
	return string(text)
}
