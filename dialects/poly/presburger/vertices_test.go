package presburger

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/internal/oracle"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

func TestVertices(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"[N] -> { [i, j] : 0 <= i <= N and 0 <= j <= i }", "[(0), (0)] : N >= 0 | [(N), (0)] : N >= 0 | [(N), (N)] : N >= 0"},
		{"[N, M] -> { [i] : 0 <= i <= N and i <= M }", "[(0)] : N >= 0 and M >= 0 | [(M)] : M >= 0 and N >= M | [(N)] : N >= 0 and M >= N"},
		{"{ [i, j] : 2i + 3j <= 7 and i >= 0 and j >= 0 }", "[(0), (0)] | [(0), (7)/3] | [(7)/2, (0)]"},
		{"[N] -> { [i, j] : 2i = N and 0 <= j <= i }", "[(N)/2, (0)] : N >= 0 | [(N)/2, (N)/2] : N >= 0"},
		{"{ [i, j] : 0 <= i <= 3 }", ""},
		{"{ [i] : i >= 1 }", "[(1)]"},
		{"[N] -> { [] : N >= 2 }", "[] : N >= 2"},
		{"{ [i] : false }", ""},
	} {
		vs, err := mustSet(t, c.set).Vertices()
		if err != nil {
			t.Error(err)
			continue
		}
		var texts []string
		for _, v := range vs {
			f, err := v.Expr.PwMultiAff().IntersectDomain(v.Domain)
			if err != nil {
				t.Fatal(err)
			}
			_, text, _ := strings.Cut(f.String(), "{ ")
			texts = append(texts, strings.TrimSuffix(text, " }"))
		}
		slices.Sort(texts)
		if got := strings.Join(texts, " | "); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.set, got, c.want)
		}
	}
	for _, s := range []string{"{ [i] : i mod 2 = 0 }", "{ [i] : i = 0 or i = 5 }", "{ [i]; S[i] }"} {
		if _, err := mustSet(t, s).Vertices(); err == nil {
			t.Errorf("vertices of %s", s)
		}
	}
	cube := "{ [a, b, c, d, e, f] : 0 <= a, b, c, d, e, f <= 1 }"
	if vs, err := mustSet(t, cube).Vertices(); len(vs) != 64 {
		t.Errorf("%d vertices of a cube of 6 dimensions %v", len(vs), err)
	}
	if _, err := mustSet(t, cube).WithBudget(1000).Vertices(); err != ErrBudget {
		t.Errorf("within 1000 steps: %v", err)
	}
}

// polyhedron is a random one over N and n dimensions.
func (g *gen) polyhedron(n int) string {
	g.names = append([]string{"N"}, []string{"i", "j", "k"}[:n]...)
	g.param = true
	var all []string
	for range n + 1 + g.IntN(4) {
		at, _ := g.affine()
		all = append(all, at+[]string{" >= 0", " >= 0", " >= 0", " >= 0", " = 0"}[g.IntN(5)])
	}
	return fmt.Sprintf("[N] -> { [%s] : %s }", strings.Join(g.names[1:], ", "), strings.Join(all, " and "))
}

// TestRandomVertices finds the vertices at single values of the parameter by solving
// all choices of rows, and compares with isl.
func TestRandomVertices(t *testing.T) {
	o := optionalOracle(t)
	total, dropped := 0, 0
	for i := range moreCases() {
		g := newGen(*oracleSeed+88, uint64(i))
		text := g.polyhedron(1 + g.IntN(3))
		s := mustSet(t, text)
		if len(s.r.Parts) == 0 || len(s.r.Parts[0].Conjs) == 0 || len(s.r.Parts[0].Conjs[0].Divs) > 0 {
			continue
		}
		vs, err := s.Vertices()
		if err != nil {
			t.Fatalf("%d %s: %v", i, text, err)
		}
		total += len(vs)
		cs, err := Chambers(vs)
		if err != nil {
			t.Fatalf("%d %s: %v", i, text, err)
		}
		for _, n := range []int64{-20, -3, 0, 1, 2, 7, 100} {
			want := verticesAt(s.r.Parts[0].Conjs[0], n)
			var got []string
			var active []int
			for k, v := range vs {
				if in, _ := v.Domain.Contains(nil, map[string]Int{"N": NewInt(n)}); in {
					active = append(active, k)
					x, _, _ := v.Expr.PwMultiAff().Eval(nil, map[string]Int{"N": NewInt(n)})
					got = append(got, fmt.Sprint(x))
				}
			}
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, want) {
				t.Errorf("%d %s at N = %d: %v, want %v", i, text, n, got, want)
			}
			var in [][]int
			for _, c := range cs {
				if ok, _ := c.Domain.Contains(nil, map[string]Int{"N": NewInt(n)}); ok {
					in = append(in, c.Vertices)
				}
			}
			if len(active) == 0 && len(in) > 0 || len(active) > 0 && (len(in) != 1 || !slices.Equal(in[0], active)) {
				t.Errorf("%d %s at N = %d: chambers %v, active %v", i, text, n, in, active)
			}
		}
		// isl rounds constraints by the lattice of the equations.
		if o != nil && len(s.r.Parts[0].Conjs[0].WithEqualities(nil).Eq) == 0 {
			dropped += islVertices(t, o, i, text, vs)
		}
	}
	t.Logf("%d cases, %d vertices; isl leaves %d out", moreCases(), total, dropped)
	if total < moreCases()/2 {
		t.Errorf("%d vertices in all", total)
	}
}

// verticesAt are the vertices at a value of the parameter.
func verticesAt(c *conj.Conj, at int64) (out []string) {
	fixed := func(rs []lp.Row) (fs []lp.Row) {
		for _, r := range rs {
			f := slices.Concat(r[:1:1], r[2:])
			f[0] = f[0].Add(r[1].Mul(NewInt(at)))
			fs = append(fs, f)
		}
		return fs
	}
	eq, ge, n := fixed(c.Eq), fixed(c.Ge), c.N-1
	all := slices.Concat(eq, ge)
	for pick := range 1 << len(all) {
		var m []lp.Row
		for k := range all {
			if pick>>k&1 == 1 {
				m = append(m, all[k])
			}
		}
		if len(m) != n {
			continue
		}
		x, ok := solveRational(m, n)
		for k, r := range all {
			if ok {
				v := valueAt(r, x).Sign()
				ok = v == 0 || v > 0 && k >= len(eq)
			}
		}
		if ok {
			out = append(out, fmt.Sprint(x))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// islVertices looks for each of isl's among ours, and counts those that it leaves
// out, which have small domains.
func islVertices(t *testing.T, o *oracle.Oracle, i int, text string, vs []Vertex) (dropped int) {
	answer, err := o.Ask("vertices", text)
	if err != nil {
		return 0
	}
	seen := make([]bool, len(vs))
	for _, v := range strings.Split(answer, " @@ ") {
		expr, domain, ok := strings.Cut(v, " @ ")
		if !ok {
			continue
		}
		f, err := ParsePwMultiAff(expr)
		if err != nil {
			t.Fatalf("%d %s: %v", i, expr, err)
		}
		d, err := ParseSet(domain)
		if err != nil {
			t.Fatalf("%d %s: %v", i, domain, err)
		}
		found := false
		for k, w := range vs {
			g, _ := w.Expr.PwMultiAff().IntersectDomain(w.Domain)
			f, err := f.IntersectDomain(d)
			if err != nil {
				t.Fatal(err)
			}
			if eq, _ := f.IsEqual(g); eq {
				found, seen[k] = true, true
			}
		}
		if e, _ := d.IsEmpty(); !found && !e {
			t.Errorf("%d %s: isl has the vertex %s", i, text, v)
		}
	}
	for _, s := range seen {
		if !s {
			dropped++
		}
	}
	return dropped
}
