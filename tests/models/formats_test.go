package models_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tests/models/randmodel"
)

// The same data in every format, and in several files, give the same density.
func TestFormats(t *testing.T) {
	const dir = "testdata/formats/"
	var want logps
	for i, files := range []string{"all.json", "dump.R", "calls.R", "assign.R", "object.R", "dput.R", "list.txt", "table.txt", "columns.csv rest.R", "columns.csv rest.csv", "rest.R columns.csv"} {
		args := []string{"logdensity", "-json", "-engine=eval", "-inits=" + dir + "inits.json"}
		for _, f := range strings.Fields(files) {
			args = append(args, "-data="+dir+f)
		}
		var got logps
		if err := json.Unmarshal([]byte(irc(t, append(args, dir+"model.bug")...)), &got); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = got
		}
		if got.Logp != want.Logp || got.LogpObserved != want.LogpObserved || got.Observed != 5 || got.Parameters+got.Generated != 6 {
			t.Errorf("%s: %+v, want %+v", files, got, want)
		}
	}
	against(t, example{name: "formats", program: dir + "model.bug", data: dir + "all.json", inits: dir + "inits.json"}, 3, engines())
}

// The data of random models as R's data frames, some columns of which are factors: what
// the model calls by the name of a frame is its matrix, and columns that it calls by their
// names are vectors.
func TestRandomDataFrames(t *testing.T) {
	matrices, columns := 0, 0
	for seed := range uint64(150) {
		r := randmodel.New(seed)
		var text strings.Builder
		var vectors []string
		for _, name := range r.Data.Names {
			a := r.Data.Get(name)
			switch {
			case len(a.Dims) == 2 && a.Dims[0] > 0:
				var cols []string
				for j := range a.Dims[1] {
					cols = append(cols, fmt.Sprintf("V%d = %s", j+1, columnOf(a, j)))
				}
				fmt.Fprintf(&text, "`%s` <- structure(list(%s), class = \"data.frame\", row.names = c(NA, -%dL))\n", name, strings.Join(cols, ", "), a.Dims[0])
				matrices++
			case len(a.Dims) == 1 && a.Dims[0] == len(r.Data.Get("cov").Values):
				vectors = append(vectors, fmt.Sprintf("`%s` = %s", name, columnOf(a, 0)))
				columns++
			default:
				one := input.NewData()
				one.Set(name, diag.Span{}, a)
				text.WriteString(asR(one))
			}
		}
		fmt.Fprintf(&text, "the.frame <- data.frame(%s)\n", strings.Join(vectors, ", "))
		d, list := input.ParseData(diag.NewSource("d.R", text.String()), input.RDump)
		prog, more := syntax.Parse(diag.NewSource("m.bug", r.Program), syntax.Options{})
		if list.Err() != nil || more.Err() != nil {
			t.Fatalf("seed %d: %v%v\n%s", seed, list, more, &text)
		}
		if _, list = bugs.Analyze(prog, d, bugs.Options{}); list.Err() != nil {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, list, r.Program, &text)
		}
		if got, want := string(asJSON(t, d)), string(asJSON(t, r.Data)); got != want {
			t.Fatalf("seed %d: got %s\nwant %s\n%s", seed, got, want, &text)
		}
	}
	if t.Logf("%d matrices, %d columns", matrices, columns); matrices < 20 || columns < 150 {
		t.Error("too few")
	}
}

// columnOf writes a column of a matrix, or a vector; one of small whole numbers as a factor.
func columnOf(a *input.Array, j int) string {
	step := 1
	if len(a.Dims) == 2 {
		step = a.Dims[1]
	}
	var vals []string
	levels := true
	for k := j; k < len(a.Values); k += step {
		x := a.Values[k]
		if a.IsMissing(k) {
			vals = append(vals, "NA")
			continue
		}
		vals = append(vals, strconv.FormatFloat(x, 'g', 17, 64))
		levels = levels && (x == 1 || x == 2)
	}
	out := "c(" + strings.Join(vals, ", ") + ")"
	if levels {
		out = "structure(" + out + ", levels = c(\"no\", \"yes\"), class = \"factor\")"
	}
	return out
}
