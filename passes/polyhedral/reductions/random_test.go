package reductions_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

var (
	programs        = flag.Int("programs", 100, "how many random programs are simplified")
	modes           = flag.Int("modes", 20, "how many random programs are simplified by each mode")
	enabledPrograms = flag.Int("enabled", 40, "how many random programs are composed and multiplied out")
	programSeed     = flag.Uint64("programseed", 0, "the first of them")
)

// Random programs compute the same simplified, by demand and as loops, with as many instances as are counted,
// which are no more by the order of growth than before.
func TestRandom(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	all := tally{}
	for i := range uint64(*programs) {
		p := newRandom(t, *programSeed+i)
		p.simplify(t)
		all.count(p)
	}
	t.Logf("%d programs, %d simplified; %s", all[""].programs, all[""].simplified, all)
	if *programs >= 100 {
		all.fair(t)
	}
}

// A random program, and what it computes.
type random struct {
	seed          uint64
	src, args     string
	g             *ir.Graph
	sys           *poly.System
	want          string
	before, after poly.Costs
}

func newRandom(t *testing.T, seed uint64) *random {
	t.Helper()
	p := &random{seed: seed}
	p.src, p.args = built.Equations(seed)
	p.g = parse(t, p.src)
	p.sys = systemOf(t, p.g)
	return p
}

// fails says what is wrong with a program.
func (p *random) fails(t *testing.T, format string, args ...any) {
	t.Helper()
	t.Fatalf("seed %d: %s\n%s\n%s", p.seed, fmt.Sprintf(format, args...), p.args, p.src)
}

func (p *random) simplify(t *testing.T) {
	p.want, p.before = p.run(t, p.g)
	simple := built.Through(t, p.g, "simplify-reductions")
	got, after := p.run(t, simple)
	if got != p.want {
		p.fails(t, "%s, want %s", got, p.want)
	}
	if p.after = after; larger(after.Total, p.before.Total) && !p.bounded(t) {
		p.fails(t, "%s -> %s", p.before.Total, after.Total)
	}
	if p.seed%4 == 0 {
		loops := built.Through(t, simple, "poly-schedule,poly-contract,poly-codegen")
		if got := unsigned(built.After(t, loops, "p", p.args)); got != p.want {
			p.fails(t, "as loops: %s, want %s", got, p.want)
		}
	}
}

// unsigned is a result of which zeros have no sign.
func unsigned(result string) string {
	return strings.NewReplacer("-0.0,", "0,", "-0.0]", "0]").Replace(result)
}

// run executes a program by demand. Each statement is executed as often as is counted.
func (p *random) run(t *testing.T, g *ir.Graph) (string, poly.Costs) {
	t.Helper()
	ran := map[ir.Value]int64{}
	out := unsigned(built.AfterWith(t, g, "p", p.args, interp.Options{Hook: func(o *interp.Op) {
		if o.Def == poly.Statement {
			ran[o.V]++
		}
	}}))
	c, err := systemOf(t, g).Costs()
	if err != nil {
		p.fails(t, "%v", err)
	}
	for _, st := range c.Statements {
		want, err := st.Count.At(p.sizes(t))
		if err != nil {
			p.fails(t, "%s: %v", st.Statement.Name, err)
		}
		// The op itself, which says that the statement is there, is run once.
		if got := presburger.NewInt(ran[st.Statement.Node.Old()] - 1); got.Cmp(want) != 0 {
			p.fails(t, "%s is executed %s times, and counted %s times: %s", st.Statement.Name, got, want, st.Statement.Domain)
		}
	}
	return out, c
}

// sizes are those that the arguments give the parameters.
func (p *random) sizes(t *testing.T) map[string]presburger.Int {
	var args []any
	if err := json.Unmarshal([]byte(p.args), &args); err != nil {
		t.Fatal(err)
	}
	out := map[string]presburger.Int{}
	for i, name := range p.sys.Params {
		out[name] = presburger.NewInt(int64(args[i].(float64)))
	}
	return out
}

// bounded reports that the simplified program is no more complex where that is written in another way: N^2*M
// and N*M^2 both bound N*M*min(N, M). Before as after, all elements of the outputs are written, those with
// nothing to accumulate, too.
func (p *random) bounded(t *testing.T) bool {
	t.Helper()
	var counts []*presburger.Count
	for _, st := range p.before.Statements {
		counts = append(counts, st.Count)
	}
	for _, a := range p.sys.Arrays {
		if a.Role != poly.Output {
			continue
		}
		n, err := a.Extent.Card()
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, n)
	}
	before, err := presburger.SumComplexity(counts...)
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range p.after.Statements {
		counts = append(counts, st.Count)
	}
	after, err := presburger.SumComplexity(counts...)
	if err != nil {
		t.Fatal(err)
	}
	return after.String() == before.String()
}

// larger compares complexities as simplification does: by the largest monomials that differ, those by
// their degree, then the powers of the parameters in order.
func larger(a, b presburger.Complexity) bool {
	order := func(x, y []int) int {
		degree := func(m []int) (n int) {
			for _, e := range m {
				n += e
			}
			return n
		}
		return -cmp.Or(cmp.Compare(degree(x), degree(y)), slices.Compare(x, y))
	}
	x, y := a.Monomials(), b.Monomials()
	slices.SortFunc(x, order)
	slices.SortFunc(y, order)
	return slices.CompareFunc(x, y, order) < 0
}

// kinds says what a program has.
func (p *random) kinds() (out []string) {
	set := map[string]bool{fmt.Sprintf("%d parameters", len(p.sys.Params)): true}
	reads := map[*poly.ArrayDecl][]*poly.ArrayDecl{}
	into := map[*poly.ArrayDecl]int{}
	for _, st := range p.sys.Statements {
		for _, a := range st.Reads {
			reads[st.Target] = append(reads[st.Target], a.Array)
		}
		if into[st.Target]++; st.Operator != poly.Set && into[st.Target] == 2 {
			set["two into an array"] = true
		}
	}
	for _, st := range p.sys.Statements {
		if st.Operator == poly.Set {
			continue
		}
		inverse, depends := "without inverse", "independent"
		if st.Operator.HasInverse() {
			inverse = "with inverse"
		}
		if reaches(reads, st.Target, st.Target) {
			depends = "dependent"
		}
		dims := fmt.Sprintf("%d dimensions", st.Domain.Tuple().Len())
		set[depends+" "+inverse] = true
		set[depends+" "+dims] = true
		set[inverse+" "+dims] = true
		set[string(st.Operator)] = true
		set[text.TypeString(p.g.Ctx, st.Target.Elem)] = true
		for _, a := range st.Reads {
			if depends == "independent" && a.Array.Role != poly.Input {
				set["of a reduction"] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// reaches reports that what an array is made of leads to another.
func reaches(reads map[*poly.ArrayDecl][]*poly.ArrayDecl, from, to *poly.ArrayDecl) bool {
	seen := map[*poly.ArrayDecl]bool{}
	var visit func(a *poly.ArrayDecl) bool
	visit = func(a *poly.ArrayDecl) bool {
		if a == to {
			return true
		}
		if seen[a] {
			return false
		}
		seen[a] = true
		return slices.ContainsFunc(reads[a], visit)
	}
	return slices.ContainsFunc(reads[from], visit)
}

// A tally counts programs by what they have.
type tally map[string]struct{ programs, simplified int }

func (a tally) count(p *random) {
	for _, k := range append(p.kinds(), "") {
		n := a[k]
		n.programs++
		if larger(p.before.Total, p.after.Total) {
			n.simplified++
		}
		a[k] = n
	}
}

func (a tally) String() string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if k != "" {
			out = append(out, fmt.Sprintf("%s: %d (%d)", k, a[k].programs, a[k].simplified))
		}
	}
	return strings.Join(out, ", ")
}

// shares are the least percentages of programs with what they have, and of these that are simplified.
var shares = map[string][2]int{
	"": {100, 50}, "1 parameters": {50, 50}, "2 parameters": {15, 50},
	"i64": {50, 50}, "f64": {15, 50}, "i1": {5, 20}, "add": {40, 50}, "max": {20, 50}, "min": {20, 50}, "mul": {4, 30}, "and": {2, 20}, "or": {2, 15},
	"two into an array": {15, 30}, "of a reduction": {2, 30},
	"with inverse 1 dimensions": {3, 20}, "with inverse 2 dimensions": {15, 50}, "with inverse 3 dimensions": {15, 60}, "with inverse 4 dimensions": {4, 60},
	"without inverse 1 dimensions": {3, 20}, "without inverse 2 dimensions": {15, 40}, "without inverse 3 dimensions": {15, 50}, "without inverse 4 dimensions": {4, 60},
	"independent with inverse": {25, 40}, "independent without inverse": {25, 40}, "dependent with inverse": {12, 60}, "dependent without inverse": {12, 60},
	"dependent 2 dimensions": {12, 50}, "dependent 3 dimensions": {12, 60},
}

// fair wants programs of all kinds, many of which are simplified. Of fewer than 300 programs half the share will do, and
// what is simplified counts where ten are of a kind: shares of few vary.
func (a tally) fair(t *testing.T) {
	t.Helper()
	all, of := a[""].programs, 1
	if all < 300 {
		of = 2
	}
	for kind, least := range shares {
		n := a[kind]
		if n.programs*100*of < least[0]*all || (of == 1 || n.programs >= 10) && n.simplified*100*of < least[1]*n.programs {
			t.Errorf("%q: %d of %d programs, %d of them simplified; wanted %d %% and %d %%", kind, n.programs, a[""].programs, n.simplified, least[0], least[1])
		}
	}
}

func parse(t *testing.T, src string) *ir.Graph {
	t.Helper()
	g, list := equations.Read(built.Context(), diag.NewSource("p.eq", src))
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return g
}
