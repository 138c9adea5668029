package bugs_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/lower"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	dmath "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/target"
)

// swap are words that mutation puts in the place of others.
var swap = strings.Fields("i j N T 1 2 0 -1 1.5 1e9 mu tau x y alpha mu[i] x[i,j] c(1,2) x[c(1,2)] Y[i,c(j,1)] x[x] x[] y[1:2] sum(x[]) mean(y[]) dnorm dpois dbern <- ~ [ ] ( ) , : + * ^ i+1 i-1 { } for log( step(x) max(1,2)")

// Programs with words exchanged, left out and doubled end in a graph or in
// diagnostics, in reasonable time.
func TestMutatedModels(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	files, _ := filepath.Glob("../../examples/bugs/*.bug")
	if len(files) == 0 {
		t.Fatal("no examples")
	}
	data := map[string]*input.Data{}
	for _, n := range []string{"rats", "seeds", "pumps", "dyes"} {
		text, err := os.ReadFile("../../examples/bugs/" + n + "-data.json")
		if err != nil {
			t.Fatal(err)
		}
		f := "../../examples/bugs/" + n + ".bug"
		data[f], _ = input.ParseData(diag.NewSource(n, string(text)), 0)
		for range 10 {
			files = append(files, f) // those with data more often
		}
	}
	built := 0
	for range 4000 {
		name := files[rng.IntN(len(files))]
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		words := tokens(string(text))
		for range 1 + rng.IntN(3) {
			k := rng.IntN(len(words))
			switch rng.IntN(8) {
			case 0:
				words[k] = swap[rng.IntN(len(swap))]
			case 1:
				words[k] = ""
			default: // a name or a number for another
				if other := words[rng.IntN(len(words))]; isName(other) && isName(words[k]) {
					words[k] = other
				}
			}
		}
		if tryModel(t, strings.Join(words, " "), data[name]) {
			built++
		}
	}
	if built < 100 {
		t.Errorf("only %d of them were models", built)
	}
}

func isName(w string) bool {
	return w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.0123456789-") == ""
}

// tokens splits a program without its comments.
func tokens(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, s := range []string{"<-", "~", "[", "]", "(", ")", "{", "}", ",", ":", "+", "*", "/"} {
			line = strings.ReplaceAll(line, s, " "+s+" ")
		}
		out = append(out, strings.Fields(line)...)
	}
	return out
}

func tryModel(t *testing.T, text string, data *input.Data) (ok bool) {
	t.Helper()
	spent := irtest.Work()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("panic %v for\n%s", r, text)
		}
		if d := spent(); d > 5*time.Second {
			t.Errorf("%v for\n%s", d, text)
		}
	}()
	prog, list := syntax.Parse(diag.NewSource("m", text), syntax.Options{})
	if list.Err() != nil {
		return false
	}
	ctx := ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect, dmath.Dialect, special.Dialect, scf.Dialect, memref.Dialect, bugs.Dialect)
	g, m, list := bugs.Build(ctx, prog, data, bugs.Options{})
	_ = list.Error()
	if g == nil {
		return false
	}
	low := ir.Rewrite(ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), lower.Lower(target.Host()), nil)
	for _, g := range []*ir.Graph{g, low} {
		if err := ir.Verify(g); err != nil {
			t.Errorf("%v for\n%s", err, text)
		}
	}
	if st, err := eval.Simulate(m, 1); err == nil {
		if err := eval.Visit(m, st, func(eval.Factor) {}); err != nil && !ofObserved(m, err) {
			t.Errorf("simulated, then %v for\n%s", err, text)
		}
	}
	order.Sequence(m)
	return true
}

// ofObserved reports an error at an observed node, which is not drawn: a draw from a vague
// prior may well be one under which it has no distribution.
func ofObserved(m *model.Model, err error) bool {
	var e *eval.NodeError
	if !errors.As(err, &e) {
		return false
	}
	for _, v := range m.Vars {
		for k := range v.Len() {
			if v.ElemName(k) == e.Node {
				return v.ClassAt(k) == model.Observed
			}
		}
	}
	return false
}

// A million observations are bound in seconds.
func TestLargeModel(t *testing.T) {
	if testing.Short() {
		t.Skip("a large model: needs time")
	}
	const n = 1000000
	y := &input.Array{Dims: []int{n}, Values: make([]float64, n)}
	data := input.NewData()
	data.Set("y", diag.Span{}, y)
	data.Set("n", diag.Span{}, &input.Array{Values: []float64{n}})
	prog, _ := syntax.Parse(diag.NewSource("m", "model { for (i in 1:n) { y[i] ~ dnorm(mu[i], 1)  mu[i] <- a * i + y[i] }  a ~ dnorm(0, 1) }"), syntax.Options{})
	spent := irtest.Work()
	m, list := bugs.Analyze(prog, data, bugs.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	if d := spent(); d > 20*time.Second {
		t.Errorf("it took %v", d)
	}
	if got := fmt.Sprint(order.Sequence(m)); !strings.Contains(got, "mu[i] <- a * i + y[i]   y[i] ~") {
		t.Error(got)
	}
	t.Log(spent())
}
