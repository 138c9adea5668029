package bugs

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

func TestTmpAll(t *testing.T) {
	files, _ := filepath.Glob("../../examples/bugs/*.bug")
	for _, f := range files {
		name := filepath.Base(f[:len(f)-4])
		text, _ := os.ReadFile(f)
		prog, l := syntax.Parse(diag.NewSource(f, string(text)), syntax.Options{})
		if l.Err() != nil {
			t.Fatal(l)
		}
		dir := "../../../shared/data/bugs/" + name
		dt, _ := os.ReadFile(dir + "/data.json")
		data, l := syntax.ParseData(diag.NewSource(name+"/data.json", string(dt)), 0)
		if l.Err() != nil {
			t.Fatal(l)
		}
		m, l := Analyze(prog, data, Options{})
		if len(l) > 0 {
			t.Log(name, l)
		}
		if l.Err() != nil {
			continue
		}
		et, _ := os.ReadFile(dir + "/expected.json")
		var exp struct {
			Observed, Parameters int
			Points               []struct {
				Logp, Logp_observed json.RawMessage
				Nodes               map[string]any
				Parameters          json.RawMessage
			}
		}
		if err := json.Unmarshal(et, &exp); err != nil {
			t.Fatal(err)
		}
		o, p := m.Counts()
		if o != exp.Observed || p != exp.Parameters {
			t.Error(name, "counts", o, p, exp.Observed, exp.Parameters)
		}
		for i, pt := range exp.Points {
			pd, l := syntax.ParseData(diag.NewSource("p.json", string(pt.Parameters)), syntax.JSON)
			if l.Err() != nil {
				t.Fatal(l)
			}
			st := m.NewState()
			given, l := m.Assign(st, pd)
			if len(l) > 0 {
				t.Log(l)
			}
			if ms := m.Missing(given); len(ms) > 0 {
				t.Log(name, "missing", ms)
			}
			lp := 0.0
			if err := m.Visit(st, func(f Factor) { lp += f.Logp }); err != nil {
				t.Log(name, err)
				break
			}
			var want float64
			json.Unmarshal(pt.Logp, &want)
			if math.Abs(lp-want) > 1e-10*math.Abs(want) {
				t.Error(name, i, lp, string(pt.Logp))
			}
		}
		t.Log(name, "done")
	}
}
