package models_test

import (
	"flag"
	"fmt"
	"math"
	"runtime/debug"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

var simulatedModels = flag.Int("simulated", 400, "how many random models TestRandomSimulation runs")

// What is drawn has a density above 0, in random models; a second run draws the same, and
// nodes that are given keep their values.
//
//	go test ./tests/models -run TestRandomSimulation -simulated=N -seed=S
func TestRandomSimulation(t *testing.T) {
	f := &fuzzer{counts: map[string]int{}}
	for _, path := range exampleFiles(t) {
		f.programs, f.data = append(f.programs, parseFile(t, path).Text), append(f.data, [2]string{"data.json", "{}"})
	}
	for i := range uint64(*simulatedModels) {
		if err := f.drawn(*firstSeed + i); err != nil {
			t.Errorf("seed %d: %v\n%s", *firstSeed+i, err, f.spell(*firstSeed+i))
		}
	}
	t.Logf("%d models: %v", *simulatedModels, f.counts)
	if n := f.counts[evaluated]; n < *simulatedModels/4 {
		t.Errorf("only %d of %d models were drawn", n, *simulatedModels)
	}
}

// analyzed is the model of a seed; nil, and counted, if it is refused.
func (f *fuzzer) analyzed(seed uint64) *model.Model {
	program, file, text, data := f.texts(seed)
	prog, list := syntax.Parse(diag.NewSource("model.bug", program), syntax.Options{})
	if list.Err() == nil && data == nil {
		data, list = input.ParseData(diag.NewSource(file, text), input.Unknown)
	}
	if list.Err() != nil {
		f.counts[refusedText]++
		return nil
	}
	m, list := bugs.Analyze(prog, data, bugs.Options{})
	if list.Err() != nil {
		f.counts[refusedModel]++
		return nil
	}
	return m
}

func (f *fuzzer) drawn(seed uint64) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%.3000s", r, debug.Stack())
		}
	}()
	m := f.analyzed(seed)
	if m == nil {
		return nil
	}
	st, err := eval.Simulate(m, seed)
	if err != nil {
		f.counts[refusedPoint]++ // the words are the user's: an invalid parameter, no order
		return nil
	}
	given := make(eval.Assigned, len(m.Vars))
	for i, v := range m.Vars {
		given[i].Len = v.Len()
		for k := range v.Len() {
			if v.ClassAt(k) == model.Parameter {
				if math.IsNaN(st[i][k]) {
					return fmt.Errorf("%s is NaN", v.ElemName(k))
				}
				if (int(seed)+k)%2 == 0 {
					given[i].Set(k)
				}
			}
		}
	}
	var bad error
	_ = eval.Visit(m, copyOf(st), func(x eval.Factor) { // observed nodes may have lost their meaning
		if math.IsInf(x.Logp, -1) && roles.Of(m, x.Var, x.Elem) != roles.Observation && bad == nil {
			bad = fmt.Errorf("the density of %s is 0 where it was drawn: %v", x.Var.ElemName(x.Elem), st[x.Var.ID])
		}
	})
	if bad != nil {
		return bad
	}
	again, err := eval.Simulate(m, seed)
	if err != nil || !equalStates(st, again) {
		return fmt.Errorf("another run draws otherwise: %v", err)
	}
	held, err := eval.SimulateGiven(m, copyOf(st), given, seed)
	if err != nil {
		f.counts["not drawn given a part"]++
		return nil
	}
	for i := range given {
		for k := range given[i].Len {
			if given[i].Has(k) && held[i][k] != st[i][k] {
				return fmt.Errorf("%s is given, and drawn", m.Vars[i].ElemName(k))
			}
		}
	}
	f.counts[evaluated]++
	return nil
}

func equalStates(a, b eval.State) bool {
	for i := range a {
		for k := range a[i] {
			if math.Float64bits(a[i][k]) != math.Float64bits(b[i][k]) {
				return false
			}
		}
	}
	return true
}
