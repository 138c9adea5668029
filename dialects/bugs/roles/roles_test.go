package roles_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tests/models/randmodel"
)

// rolesOf spells the roles of a variable's elements: Constant, transformed Data,
// Observation, Parameter, Transformed parameter, Generated, and - for none.
func rolesOf(m *model.Model, v *model.Var) string {
	out := ""
	for k := range v.Len() {
		r := roles.Of(m, v, k)
		out += "-CDOPTG"[r : r+1]
	}
	return out
}

func TestRoles(t *testing.T) {
	for _, c := range []struct{ name, model, data, want string }{
		{"one of each", `for (i in 1:2) { y[i] ~ dnorm(mu[i], tau)  mu[i] <- a * (x[i] - xbar) }  xbar <- mean(x[])
		  a ~ dnorm(0, 1)  tau ~ dgamma(1, 1)  sigma <- 1 / sqrt(tau)  new ~ dnorm(a, tau)  more ~ dnorm(new, 1)`,
			`{"x": [1, 2], "y": [1, 2]}`, "a P, more G, mu TT, new G, sigma G, tau P, x CC, xbar D, y OO"},
		{"missing values are generated, and what only they need", `for (i in 1:3) { y[i] ~ dnorm(mu[i], 1)  mu[i] <- a[i] + b  a[i] ~ dnorm(0, 1) }  b ~ dnorm(0, 1)`,
			`{"y": [1, null, 3]}`, "a PGP, b P, mu TGT, y OGO"},
		{"a missing covariate is a parameter", `for (i in 1:3) { y[i] ~ dnorm(x[i], 1)  x[i] ~ dnorm(m, 1) }  m ~ dnorm(0, 1)`,
			`{"y": [1, 2, 3], "x": [1, null, 3]}`, "m P, x OPO, y OOO"},
		{"by index data", `for (i in 1:3) { y[i] ~ dnorm(b[g[i]], 1) }  for (j in 1:4) { b[j] ~ dnorm(0, 1) }`,
			`{"y": [1, 2, 3], "g": [1, 4, 1]}`, "b PGGP, g CCC, y OOO"},
		{"a chain", `x[1] ~ dnorm(0, 1)  for (t in 2:5) { x[t] ~ dnorm(x[t - 1], 1) }  y ~ dnorm(x[3], 1)`, `{"y": 1}`, "x PPPGG, y O"},
		{"a chain with data", `x[1] ~ dnorm(0, 1)  for (t in 2:5) { x[t] ~ dnorm(x[t - 1], 1) }`, `{"x": [null, null, 1, null, null]}`, "x PPOGG"},
		{"part of a vector", `y[1:3] ~ dmnorm(mu[], O[,])  for (i in 1:3) { mu[i] ~ dnorm(0, 1) }  z[1:3] ~ dmnorm(y[], O[,])`,
			`{"y": [1, null, 3], "O": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}`, "O CCCCCCCCC, mu PPP, y OPO, z GGG"},
		{"a censored time tells of its parents", `for (i in 1:2) { t[i] ~ dweib(r, l) I(c[i], ) }  r ~ dexp(1)  l ~ dexp(1)`,
			`{"t": [1, null], "c": [0, 2]}`, "c CC, l P, r P, t OP"},
		{"a truncated value does not", `x ~ dnorm(m, 1) T(0, )  m ~ dnorm(0, 1)`, ``, "m G, x G"},
		{"a value picked by a node", `y ~ dnorm(m[k], 1)  k ~ dcat(p[])  for (j in 1:2) { m[j] ~ dnorm(0, 1) p[j] <- 0.5 }  m[3] <- 1`, `{"y": 1}`,
			"k P, m PPD, p DD, y O"},
		{"an empty inner loop reads nothing", `for (i in 1:3) { for (j in 1:n[i]) { y[i, j] ~ dnorm(a[i], 1) }  a[i] ~ dnorm(0, 1) }`,
			`{"n": [1, 0, 2], "y": [[1, null], [null, null], [1, 2]]}`, "a PGP, n CCC, y O---OO"},
		{"nothing observed", `x ~ dnorm(0, 1)  z <- x + 1`, ``, "x G, z G"},
	} {
		m := bugstest.MustAnalyze(t, c.model, c.data)
		var got []string
		for _, name := range model.SortedKeys(m.ByName) {
			got = append(got, name+" "+rolesOf(m, m.Lookup(name)))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, s, c.want)
		}
	}
}

// observedBelow is the definition, element by element: an observed node, or one whose
// limits tell something, is reached from e by edges between elements, the elements that
// a statement defines at a time counting as one.
func observedBelow(m *model.Model) map[order.Element]bool {
	b := &bind.Builder{Model: m, Said: map[string]bool{}}
	alive := map[order.Element]bool{}
	node := func(e order.Element) (out []order.Element, s *model.Statement) {
		by := e.Var.DrawnBy(e.Elem)
		if by.Stmt == 0 {
			by = e.Var.AssignedBy(e.Elem)
		}
		s = m.Statements[by.Stmt-1]
		m.Elements(s, int(by.Iter), func(k int) { out = append(out, order.Element{Var: e.Var, Elem: k}) })
		return out, s
	}
	for changed := true; changed; {
		changed = false
		for _, v := range m.Vars {
			for k := range v.Len() {
				e := order.Element{Var: v, Elem: k}
				if c := v.ClassAt(k); c == model.Undefined || c == model.Known {
					continue
				}
				group, s := node(e)
				lives := roles.Tells(m, s)
				for _, x := range group {
					lives = lives || alive[x] || x.Var.ClassAt(x.Elem) == model.Observed
				}
				if !lives {
					continue
				}
				for _, x := range append(group, parentsOf(b, e)...) {
					if !alive[x] {
						alive[x], changed = true, true
					}
				}
			}
		}
	}
	return alive
}

// parentsOf are the unknown elements that the definition of any element reads.
func parentsOf(b *bind.Builder, e order.Element) []order.Element {
	if e.Var.ClassAt(e.Elem) != model.Observed {
		return parents(b, e)
	}
	by := e.Var.DrawnBy(e.Elem)
	s := b.Model.Statements[by.Stmt-1]
	f := eval.NewFrame(b.Model, s)
	f.At = s.At(int(by.Iter))
	var out []order.Element
	s.Refs(func(r *syntax.Ref, level int) {
		if v := b.Model.Bindings[r].Var; v != nil && r != s.LHS && level == len(s.Loops) {
			_ = f.Each(r, v, true, func(k int) error { out = append(out, order.Element{Var: v, Elem: k}); return nil })
		}
	})
	return out
}

func checkRoles(t *testing.T, name string, m *model.Model) {
	t.Helper()
	alive := observedBelow(m)
	for _, v := range m.Vars {
		for k := range v.Len() {
			want := roles.NoRole
			switch c := v.ClassAt(k); {
			case c == model.Known && v.AssignedBy(k).Stmt != 0:
				want = roles.TransformedData
			case c == model.Known:
				want = roles.ConstantData
			case c == model.Observed:
				want = roles.Observation
			case c == model.Undefined:
			case !alive[order.Element{Var: v, Elem: k}]:
				want = roles.GeneratedQuantity
			case c == model.Parameter:
				want = roles.RoleParameter
			default:
				want = roles.TransformedParameter
			}
			if got := roles.Of(m, v, k); got != want {
				t.Errorf("%s: %s is %v, want %v", name, v.ElemName(k), got, want)
				return
			}
		}
	}
}

// The roles of all models, against the definition element by element.
func TestRolesOfModels(t *testing.T) {
	files, _ := filepath.Glob("../../../examples/bugs/*.bug")
	tried := 0
	for _, path := range files {
		base := strings.TrimSuffix(path, ".bug")
		data, err := os.ReadFile(base + "-data.json")
		if err != nil {
			if data, err = os.ReadFile("../../../../shared/data/bugs/" + filepath.Base(base) + "/data.json"); err != nil {
				continue
			}
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d, list := input.ParseData(diag.NewSource("d.json", string(data)), input.JSON)
		prog, more := syntax.Parse(diag.NewSource(path, string(src)), syntax.Options{})
		if append(list, more...).Err() != nil {
			t.Fatal(list, more)
		}
		m, list := bugs.Analyze(prog, d, bugs.Options{})
		if list.Err() != nil {
			t.Fatal(list)
		}
		checkRoles(t, path, m)
		tried++
	}
	if tried < 10 {
		t.Errorf("only %d models", tried)
	}
}

// Random chains, trees and tables with missing values.
func TestRolesOfRandomModels(t *testing.T) {
	for seed := range uint64(300) {
		n := byte(seed)
		pick := func(k int) int { n = n*37 + 11 + byte(seed>>3); return int(n>>3) % k }
		var program strings.Builder
		reads := []string{"0", "a[i]", "b[i]", "c[g[i]]", "b[i + 1]", "a[5 - i]", "sum(a[1:i])", "c[i] * b[1]", "d", "e[i, 1]"}
		var exprs []string
		for range 6 {
			exprs = append(exprs, reads[pick(len(reads))])
		}
		fmt.Fprintf(&program, `for (i in 1:4) { y[i] ~ dnorm(%s, 1) z[i] ~ dnorm(%s, 1) l[i] <- %s  q[i] ~ dnorm(l[i], 1)
		  a[i] ~ dnorm(0, 1) c[i] ~ dnorm(a[i] + d, 1) for (j in 1:%d) { e[i, j] ~ dnorm(c[i], 1) } }
		  for (i in 1:5) { b[i] ~ dnorm(d, 1) }  d ~ dnorm(0, 1)  w[1:2] ~ dmnorm(a[3:4], O[,])`, exprs[0], exprs[1], exprs[2], 1+pick(3))
		value := func() string { return []string{"null", "1", "null", "2"}[pick(4)] }
		data := fmt.Sprintf(`{"y": [%s, %s, %s, %s], "z": [null, %s, null, null], "q": [%s, null, null, null], "g": [1, 3, 3, 1], "w": [%s, null], "O": [[1, 0], [0, 1]]}`,
			value(), value(), value(), value(), value(), value(), value())
		m, list := bugstest.Analyze(t, program.String(), strings.ReplaceAll(data, `"w": [null, null], `, ""), syntax.BUGS)
		if list.Err() != nil {
			t.Fatal(program.String(), list)
		}
		checkRoles(t, fmt.Sprint(program.String(), data), m)
	}
}

func TestStatementRoles(t *testing.T) {
	m := bugstest.MustAnalyze(t, `for (i in 1:3) { y[i] ~ dnorm(mu[i], 1)  mu[i] <- a }  a ~ dnorm(0, 1)  s <- a^2  for (i in 1:n) { z[i] ~ dnorm(a, 1) }`,
		`{"y": [1, null, 3], "n": 0}`)
	want := []string{"observation true", "transformed parameter true", "parameter false", "generated quantity false", "undefined false"}
	for i, s := range m.Statements {
		role, mixed := roles.OfStatement(m, s)
		if got := fmt.Sprint(role, mixed); got != want[i] {
			t.Errorf("statement %d: %s, want %s", i+1, got, want[i])
		}
	}
	if c := roles.Counts(m, m.Lookup("y")); c[roles.Observation] != 2 || c[roles.GeneratedQuantity] != 1 {
		t.Error(c)
	}
}

// The models of the grammar that fuzzing uses.
func TestRolesOfGrammar(t *testing.T) {
	tried := 0
	for seed := range uint64(2000) {
		x := randmodel.New(seed)
		prog, list := syntax.Parse(diag.NewSource("m.bug", x.Program), syntax.Options{})
		if list.Err() != nil {
			t.Fatal(list)
		}
		m, list := bugs.Analyze(prog, x.Data, bugs.Options{})
		if list.Err() != nil {
			continue
		}
		checkRoles(t, x.Program, m)
		tried++
	}
	if tried < 1000 {
		t.Errorf("only %d models", tried)
	}
}
