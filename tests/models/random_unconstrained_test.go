package models_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tests/models/randmodel"
)

var unconstrainedModels = flag.Int("unconstrained", 150, "how many random models TestRandomUnconstrained runs")

// Random models on the unconstrained scale: lowered code agrees with the reference, and
// without the Jacobian both with the factors of the model that are kept.
//
//	go test ./tests/models -run TestRandomUnconstrained -unconstrained=N -seed=S
func TestRandomUnconstrained(t *testing.T) {
	f := &fuzzer{counts: map[string]int{}}
	for _, path := range exampleFiles(t) {
		text := parseFile(t, path).Text
		f.programs, f.data = append(f.programs, text), append(f.data, [2]string{"data.json", "{}"})
	}
	for i := range uint64(*unconstrainedModels) {
		if i%200 == 0 {
			f.ctx = ir.NewContext(dialects.All...)
		}
		if err := f.transformed(*firstSeed + i); err != nil {
			t.Errorf("seed %d: %v\n%s", *firstSeed+i, err, f.spell(*firstSeed+i))
		}
	}
	t.Logf("%d models: %v", *unconstrainedModels, f.counts)
	if n := f.counts[evaluated]; n < *unconstrainedModels/4 {
		t.Errorf("only %d of %d models were evaluated", n, *unconstrainedModels)
	}
}

func (f *fuzzer) transformed(seed uint64) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%.3000s", r, debug.Stack())
		}
	}()
	m := f.analyzed(seed)
	if m == nil {
		return nil
	}
	u, d := space.New(m)
	if d != nil {
		f.counts["without such a scale"]++
		return nil
	}
	p, err := density.Compile(f.ctx, m, density.Options{Unconstrained: u})
	if err != nil {
		f.counts[refusedModel]++
		return nil
	}
	defer p.Close()
	st, err := point(m, seed)
	if err != nil {
		f.counts[refusedPoint]++
		return nil
	}
	return f.atVector(p, st)
}

// atVector compares at the vector of a state.
func (f *fuzzer) atVector(p *density.Program, st eval.State) error {
	m, u := p.Model, p.Space
	vec, err := u.Vector(copyOf(st))
	if err != nil {
		f.counts[refusedPoint]++
		return nil
	}
	sum, scale := 0.0, 1.0
	ref := copyOf(st)
	logJ, refErr := u.Visit(vec, ref, func(x eval.Factor) {
		sum += x.Logp
		scale += math.Abs(x.Logp)
	})
	got, err := p.LogDensityAt(vec, copyOf(st))
	switch {
	case refErr != nil && err == nil && math.IsInf(got.Logp, -1): // another node has no density
		f.counts[refusedPoint]++
		return nil
	case (refErr == nil) != (err == nil):
		return fmt.Errorf("the reference says %v, lowered code %v", refErr, err)
	case err != nil:
		f.counts[refusedPoint]++
		return nil
	case math.IsNaN(got.Logp) || math.IsNaN(got.LogJacobian):
		return fmt.Errorf("lowered code gives %v", got)
	}
	scale += math.Abs(logJ)
	if math.IsInf(sum, 0) || math.IsNaN(sum) {
		f.counts[refusedPoint]++
		return nil
	}
	if !close(got.Logp, sum+logJ, scale) || !close(got.LogJacobian, logJ, scale) {
		return fmt.Errorf("the reference gives %v with log Jacobian %v, lowered code %v with %v at %v", sum+logJ, logJ, got.Logp, got.LogJacobian, vec)
	}
	kept := 0.0
	if err := eval.Visit(m, copyOf(st), func(x eval.Factor) {
		if roles.Of(m, x.Var, x.Elem) != roles.GeneratedQuantity {
			kept += x.Logp
		}
	}); err == nil && !(math.Abs(kept-sum) <= 1e-6*scale) {
		return fmt.Errorf("the factors are %v, and %v on the constrained scale", sum, kept)
	}
	f.counts[evaluated]++
	return nil
}

func copyOf(st eval.State) eval.State {
	out := make(eval.State, len(st))
	for i, x := range st {
		out[i] = append([]float64(nil), x...)
	}
	return out
}

// Random models, compiled: LLVM gives what the reference gives, at the vector of a point.
func TestRandomUnconstrainedNative(t *testing.T) {
	if !jit.Doctor().Found {
		t.Skip("needs libLLVM")
	}
	compared := 0
	for i := range uint64(*natives) {
		r := randmodel.New(*firstSeed + i)
		prog, list := syntax.Parse(diag.NewSource("model.bug", r.Program), syntax.Options{})
		if list.Err() != nil {
			t.Fatal(list)
		}
		m, list := bugs.Analyze(prog, r.Data, bugs.Options{})
		if list.Err() != nil {
			t.Fatal(list)
		}
		u, d := space.New(m)
		st, err := point(m, *firstSeed+i)
		if d != nil || err != nil {
			continue
		}
		values := asData(m, st)
		vec, err := u.Vector(copyOf(st))
		if err != nil {
			continue
		}
		want, scale := 0.0, 1.0
		logJ, err := u.Visit(vec, copyOf(st), func(x eval.Factor) {
			want += x.Logp
			scale += math.Abs(x.Logp)
		})
		if want += logJ; err != nil || math.IsInf(want, 0) || math.IsNaN(want) {
			continue
		}
		dir := t.TempDir()
		program := filepath.Join(dir, "m.bug")
		if err := os.WriteFile(program, []byte(r.Program), 0o644); err != nil {
			t.Fatal(err)
		}
		got := targets(t, "-engine=llvm", "-data="+written(t, dir, "d.json", asJSON(t, r.Data)), "-inits="+written(t, dir, "i.json", asJSON(t, values)), program)[0]
		if !close(got.Logp, want, scale+math.Abs(logJ)) || !close(got.LogJacobian, logJ, scale+math.Abs(logJ)) {
			t.Errorf("LLVM gives %v with log Jacobian %v, the reference %v with %v\n%s", got.Logp, got.LogJacobian, want, logJ, r.Program)
		}
		compared++
	}
	if t.Logf("%d of %d compared", compared, *natives); compared < *natives/2 {
		t.Errorf("%d of %d compared", compared, *natives)
	}
}
