package models_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	machine "github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tests/models/naive"
	"github.com/irc-lang/irc/tests/models/randmodel"
)

var (
	millions  = flag.Int("models", 500, "how many random models TestMillions runs")
	firstSeed = flag.Uint64("seed", 1, "the first seed of TestMillions")
)

// What became of a random model.
const (
	refusedText  = "refused as text"
	refusedData  = "refused as data"
	refusedModel = "refused in analysis"
	refusedPoint = "no point, or no density there"
	evaluated    = "evaluated"
	naively      = "of these also naively"
)

// fuzzer runs random models and counts what becomes of them.
type fuzzer struct {
	ctx      *ir.Context
	programs []string // of the examples
	data     [][2]string
	counts   map[string]int
	valid    bool // the model now is one of the grammar, unbroken
}

// TestMillions runs random models through all of the compiler and evaluates them with
// the reference interpreter, lowered (half of them as what runs once), and naively: half are made by a grammar, the
// others are such models, examples or data that are broken in a few places. Nothing
// crashes, and the evaluations agree.
//
//	go test ./tests/models -run 'TestMillions$' -models=N -seed=S
func TestMillions(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	f := &fuzzer{counts: map[string]int{}}
	f.examples(t)
	start, said, found := time.Now(), time.Now(), 0
	for i := range uint64(*millions) {
		if i%200 == 0 {
			f.ctx = ir.NewContext(dialects.All...)
		}
		seed := *firstSeed + i
		began := time.Now()
		err := f.guarded(seed)
		if took := time.Since(began); err == nil && took > 20*time.Second {
			err = fmt.Errorf("it took %v", took)
		}
		if err != nil {
			if t.Errorf("seed %d: %v", seed, err); found > 20 {
				t.FailNow()
			}
			found++
		}
		if time.Since(said) > time.Minute {
			said = time.Now()
			fmt.Printf("%d of %d models, %v: %v\n", i, *millions, time.Since(start).Round(time.Second), f.counts)
		}
	}
	t.Logf("%d models from seed %d in %v: %v", *millions, *firstSeed, time.Since(start).Round(time.Second), f.counts)
	if n := f.counts[naively]; n < *millions/4 {
		t.Errorf("only %d of %d models were evaluated in all ways", n, *millions)
	}
}

// examples reads the examples whose data are small.
func (f *fuzzer) examples(t *testing.T) {
	for _, path := range exampleFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(path, ".bug")
		for _, ext := range []string{".json", ".R"} {
			if d, err := os.ReadFile(base + "-data" + ext); err == nil && len(d) < 3000 {
				f.programs = append(f.programs, string(text))
				f.data = append(f.data, [2]string{"data" + ext, string(d)})
			}
		}
	}
}

func exampleFiles(t *testing.T) []string {
	files, err := filepath.Glob("../../examples/[bj]*s/*.bug")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	return files
}

func (f *fuzzer) guarded(seed uint64) (err error) {
	defer func() {
		if r := recover(); r != nil {
			stack := string(debug.Stack())
			err = fmt.Errorf("panic: %v\n%s\n%s", r, stack[:min(len(stack), 4000)], f.spell(seed))
		}
	}()
	if err := f.one(seed); err != nil {
		return fmt.Errorf("%w\n%s", err, f.spell(seed))
	}
	return nil
}

// texts are the program and the data of a seed.
func (f *fuzzer) texts(seed uint64) (program, file, data string, values *input.Data) {
	r := rand.New(rand.NewPCG(seed, 7))
	switch k := seed % 10; {
	case k < 7:
		m := randmodel.New(seed)
		if k >= 5 {
			m.Program = randmodel.Break(r, m.Program)
		}
		return m.Program, "", "", m.Data
	default:
		i := r.IntN(len(f.programs))
		program, file, data = f.programs[i], f.data[i][0], f.data[i][1]
		if k == 9 {
			data = randmodel.Break(r, data)
		} else {
			program = randmodel.Break(r, program)
		}
		return program, file, data, nil
	}
}

func (f *fuzzer) spell(seed uint64) string {
	program, _, data, values := f.texts(seed)
	if values != nil {
		data = asR(values)
	}
	return program + "\n" + data
}

func (f *fuzzer) one(seed uint64) error {
	program, file, text, data := f.texts(seed)
	f.valid = seed%10 < 5
	opts := syntax.Options{Dialect: syntax.BUGS}
	if !f.valid && seed%3 == 0 {
		opts.Dialect = syntax.JAGS
	}
	prog, list := syntax.Parse(diag.NewSource("model.bug", program), opts)
	if bad, err := f.refused(list); bad || err != nil {
		f.counts[refusedText]++
		return err
	}
	if data == nil {
		data, list = input.ParseData(diag.NewSource(file, text), input.Unknown)
		if bad, err := f.refused(list); bad || err != nil {
			f.counts[refusedData]++
			return err
		}
	}
	m, list := bugs.Analyze(prog, data, bugs.Options{Dialect: opts.Dialect})
	if bad, err := f.refused(list); bad || err != nil {
		f.counts[refusedModel]++
		return err
	}
	to := machine.Interp()
	if seed/10%2 == 1 {
		once := *to
		once.Once = true
		to = &once
	}
	p, err := density.Compile(f.ctx, m, density.Options{Target: to})
	if err != nil {
		f.counts[refusedModel]++
		_, err = f.refused(asList(err))
		return err
	}
	defer p.Close()
	return f.evaluate(m, p, prog, data, opts.Dialect, seed)
}

// refused says whether there are errors, which a valid model must not have; they can
// be shown, and those in the text have a place.
func (f *fuzzer) refused(list diag.List) (bool, error) {
	for _, d := range list {
		if d.Error() == "" || d.Message == "" || strings.Contains(d.Message, "%!") {
			return true, fmt.Errorf("an empty message, or a malformed one: %q", d.Message)
		}
	}
	if err := list.Err(); err != nil {
		if f.valid {
			return true, fmt.Errorf("a valid model is refused: %w", err)
		}
		return true, nil
	}
	return false, nil
}

func asList(err error) diag.List {
	var list diag.List
	var d *diag.Diagnostic
	switch {
	case errors.As(err, &list):
		return list
	case errors.As(err, &d):
		return diag.List{d}
	}
	return diag.List{diag.Errorf(diag.Span{}, "%v", err)}
}

// point draws a state, or takes the centres, or any values.
func point(m *model.Model, seed uint64) (eval.State, error) {
	if seed%2 == 0 {
		if st, err := eval.Simulate(m, seed); err == nil {
			return st, nil
		}
	}
	st := eval.NewState(m)
	if err := eval.Fill(m, st, nil); err == nil {
		return st, nil
	}
	r := rand.New(rand.NewPCG(seed, 11)) // the nodes have no order, or a prior no centre
	st = eval.NewState(m)
	for _, v := range m.Parameters() {
		for k := range st[v.ID] {
			if v.ClassAt(k) == model.Parameter {
				st[v.ID][k] = 0.2 + r.Float64()
			}
		}
	}
	for _, s := range m.Statements { // categories are integers, matrices symmetric
		if s.Sample == nil || s.Dist.Name != "dwish" && !s.Dist.Counts {
			continue
		}
		v := s.Var
		for k := range st[v.ID] {
			if v.ClassAt(k) == model.Parameter {
				st[v.ID][k] = 1
				if s.Dist.Name == "dwish" && len(v.Dims) == 2 && k/v.Dims[1] != k%v.Dims[1] {
					st[v.ID][k] = 0
				}
			}
		}
	}
	return st, nil
}

// evaluate compares the three evaluations at one point.
func (f *fuzzer) evaluate(m *model.Model, p *density.Program, prog *syntax.Program, data *input.Data, dialect syntax.Dialect, seed uint64) error {
	st, err := point(m, seed)
	if err != nil {
		f.counts[refusedPoint]++
		return nil
	}
	values := asData(m, st)
	fresh := eval.NewState(m)
	if _, list := eval.Assign(m, fresh, values); list.Err() != nil {
		return fmt.Errorf("the point does not fit: %w", list.Err())
	}
	sum, scale, nodes := 0.0, 1.0, map[string]float64{}
	ref := eval.Visit(m, st, func(x eval.Factor) {
		if !math.IsInf(sum, -1) { // else one has no density: what others have does not count
			sum += x.Logp
		}
		if math.IsInf(x.Logp, -1) {
			sum = x.Logp
		}
		scale += math.Abs(x.Logp)
		nodes[x.Var.Name] += x.Logp
	})
	res, err := p.LogDensity(fresh)
	switch {
	case ref != nil && err == nil && generated(m, ref):
		f.counts[refusedPoint]++ // what the density leaves out has no value
		return nil
	case (ref == nil) != (err == nil):
		return fmt.Errorf("the reference says %v, lowered code %v", ref, err)
	case ref != nil:
		f.counts[refusedPoint]++
		return nil
	case !close(res.Logp, sum, scale):
		return fmt.Errorf("the reference gives %v, lowered code %v, by node %v and %v, at %s", sum, res.Logp, nodes, res.Nodes, asR(values))
	}
	f.counts[evaluated]++
	elements := 0
	for _, v := range m.Vars {
		elements += v.Len()
	}
	if elements > 20000 { // a size that was made large: the naive way takes minutes
		return nil
	}
	n, err := naive.New(prog, data, dialect == syntax.JAGS)
	var want naive.Result
	if err == nil {
		want, err = n.LogDensity(values)
	}
	switch {
	case errors.Is(err, naive.ErrTail):
		return nil
	case err != nil && f.valid:
		return fmt.Errorf("naively: %w", err)
	case err != nil || math.IsNaN(want.Logp) && !f.valid:
		return nil
	case math.IsInf(want.Logp, -1) && res.Logp < -300:
		return nil // probabilities underflow naively
	case !close(res.Logp, want.Logp, scale):
		return fmt.Errorf("naively it is %v, lowered %v, by node %v and %v, at %s", want.Logp, res.Logp, want.Nodes, res.Nodes, asR(values))
	}
	f.counts[naively]++
	return nil
}

// generated says whether an error stands in an assignment of generated quantities.
func generated(m *model.Model, err error) bool {
	var d *diag.Diagnostic
	if !errors.As(err, &d) {
		return false
	}
	for _, s := range m.Statements {
		if at := s.Span(); s.Assign != nil && at.Start <= d.Span.Start && d.Span.End <= at.End {
			role, mixed := roles.OfStatement(m, s)
			return role == roles.GeneratedQuantity || mixed
		}
	}
	return false
}

// close compares to 1e-9 of the sum of the sizes of the factors. Far out, where a
// probability rounds to one that differs from 1 in its last digits, only lowered code
// knows its complement: there it is 1e-2.
func close(got, want, scale float64) bool {
	most := 1e-9
	if scale > 500 {
		most = 1e-2
	}
	return got == want || math.Abs(got-want) <= most*scale
}

// asData is the parameters of a state as a point.
func asData(m *model.Model, st eval.State) *input.Data {
	out := input.NewData()
	for _, v := range m.Parameters() {
		a := &input.Array{Dims: v.Dims, Values: append([]float64(nil), st[v.ID]...), Missing: make([]bool, v.Len())}
		for k := range a.Values {
			if a.Missing[k] = v.ClassAt(k) != model.Parameter; a.Missing[k] {
				a.Values[k] = math.NaN()
			}
		}
		out.Set(v.Name, diag.Span{}, a)
	}
	return out
}
