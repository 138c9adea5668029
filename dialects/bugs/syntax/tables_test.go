package syntax

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/ir/diag"
)

func TestTables(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Functions() {
		for _, n := range append([]string{f.Name}, f.Aliases...) {
			if seen[n] || LookupFunction(n) != f {
				t.Errorf("function %s is in the table twice", n)
			}
			seen[n] = true
		}
		if f.Doc == "" || f.Max >= 0 && f.Max != len(f.Args) || f.Min > len(f.Args) {
			t.Errorf("function %s: %+v", f.Name, f)
		}
	}
	seen = map[string]bool{}
	for _, d := range Distributions() {
		for _, n := range append([]string{d.Name}, d.Aliases...) {
			if seen[n] || LookupDistribution(n) != d || !strings.HasPrefix(n, "d") && d.Functions != family.NoFunctions {
				t.Errorf("distribution %s is in the table twice", n)
			}
			seen[n] = true
		}
		if d.Doc == "" || d.Max >= 0 && d.Max != len(d.Args) {
			t.Errorf("distribution %s: %+v", d.Name, d)
		}
	}
	for name := range later {
		if LookupFunction(name) != nil || LookupDistribution(name) != nil {
			t.Errorf("%s is supported and said not to be", name)
		}
	}
	for _, l := range Links {
		if LookupFunction(l) == nil {
			t.Errorf("the link %s is no function", l)
		}
	}
	if f := LookupFunction("qnorm"); f.Role != Quantile || f.Of.Name != "dnorm" || f.Signature() != "qnorm(p, mu, tau)" {
		t.Errorf("qnorm: %+v", f)
	}
	if f := LookupFunction("pbinom"); f == nil || f.Name != "pbin" || f.Min != 3 {
		t.Errorf("pbinom: %+v", f)
	}
	if LookupFunction("rank").Signature() != "rank(v, [s])" || LookupFunction("sum").Signature() != "sum(x, ...)" {
		t.Error("signatures of optional and repeated arguments")
	}
}

// TestReference parses all expressions and distributions of the reference tables.
func TestReference(t *testing.T) {
	load := func(name string, v any) {
		text, err := os.ReadFile("../../../../shared/data/bugs/" + name)
		if err != nil {
			t.Skip("needs the reference tables in ../shared/data/bugs")
		}
		if err := json.Unmarshal(text, v); err != nil {
			t.Fatal(err)
		}
	}
	var f struct {
		Cases []struct{ Expression string }
	}
	load("functions.json", &f)
	for _, c := range f.Cases {
		for _, d := range []Dialect{BUGS, JAGS} {
			e, list := ParseExpr(diag.NewSource("e", c.Expression), Options{d})
			if err := list.Err(); err != nil {
				t.Errorf("%s: %v", c.Expression, err)
				continue
			}
			back, list := ParseExpr(diag.NewSource("e", PrintExpr(e)), Options{d.other()})
			if len(list) > 0 || tree(back) != tree(e) {
				t.Errorf("%s prints as %s", c.Expression, PrintExpr(e))
			}
		}
	}
	var ds struct {
		Cases []struct {
			Distribution string
			Arguments    []any
			Parameters   []string
		}
	}
	load("distributions.json", &ds)
	for _, c := range ds.Cases {
		d := LookupDistribution(c.Distribution)
		if d == nil || len(c.Arguments) < d.Min || d.Max >= 0 && len(c.Arguments) > d.Max {
			t.Errorf("%s with %d arguments %v: %+v", c.Distribution, len(c.Arguments), c.Parameters, d)
		}
	}
	if len(f.Cases) < 50 || len(ds.Cases) < 50 {
		t.Errorf("%d expressions, %d densities", len(f.Cases), len(ds.Cases))
	}
}
