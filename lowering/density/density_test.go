package density

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

func newContext() *ir.Context { return ir.NewContext(append(dialects.All, bugs.Dialect)...) }

func TestTmpAll(t *testing.T) {
	files, _ := filepath.Glob("../../examples/bugs/*.bug")
	for _, f := range files {
		name := filepath.Base(f[:len(f)-4])
		src, _ := os.ReadFile(f)
		prog, l := syntax.Parse(diag.NewSource(f, string(src)), syntax.Options{})
		dir := "../../../shared/data/bugs/" + name
		dt, _ := os.ReadFile(dir + "/data.json")
		data, l := syntax.ParseData(diag.NewSource(name+"/data.json", string(dt)), 0)
		m, l := bugs.Analyze(prog, data, bugs.Options{Name: name})
		if l.Err() != nil {
			t.Error(l)
			continue
		}
		p, err := Compile(newContext(), m, Options{})
		if err != nil {
			t.Log(name, err)
			continue
		}
		if err := ir.Verify(p.Source); err != nil {
			t.Error(err)
		}
		if err := ir.Verify(p.Lowered); err != nil {
			t.Error(err)
		}
		if name == os.Getenv("SHOW") {
			t.Log(text.String(p.Source, text.PrintOptions{}))
			t.Log(text.String(p.Lowered, text.PrintOptions{}))
		}
		et, _ := os.ReadFile(dir + "/expected.json")
		var exp struct {
			Points []struct {
				Logp, Logp_observed json.RawMessage
				Nodes               map[string]json.RawMessage
				Parameters          json.RawMessage
			}
		}
		if err := json.Unmarshal(et, &exp); err != nil {
			t.Fatal(err)
		}
		num := func(r json.RawMessage) float64 {
			var x float64
			if json.Unmarshal(r, &x) != nil {
				return math.Inf(-1)
			}
			return x
		}
		near := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-10*math.Abs(b) }
		for i, pt := range exp.Points {
			pd, l := syntax.ParseData(diag.NewSource("p.json", string(pt.Parameters)), syntax.JSON)
			st, _, l := p.Point(pd, false)
			if len(l) > 0 {
				t.Log(l)
			}
			start := time.Now()
			r, err := p.LogDensity(st)
			if err != nil {
				t.Error(name, err)
				break
			}
			if i == 1 {
				t.Log(name, time.Since(start))
			}
			if !near(r.Logp, num(pt.Logp)) || !near(r.Observed, num(pt.Logp_observed)) {
				t.Error(name, i, r, string(pt.Logp))
			}
			for _, n := range r.Nodes {
				if !near(n.Logp, num(pt.Nodes[n.Name])) {
					t.Error(name, i, n, string(pt.Nodes[n.Name]))
				}
			}
			if len(r.Nodes) != len(pt.Nodes) {
				t.Error(name, r.Nodes, pt.Nodes)
			}
		}
	}
}
