package cli

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tools/irc/internal/catalog"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/expect"
	"github.com/irc-lang/irc/tools/irc/internal/draw"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
	"github.com/irc-lang/irc/tools/irc/internal/plate"
)

func TestPermute(t *testing.T) {
	for line, want := range map[string]string{
		"a.mlir":                               "irc opt -- a.mlir",
		"a.mlir -stats":                        "irc opt --stats=true -- a.mlir",
		"--passes cse a.mlir":                  "irc opt --passes=cse -- a.mlir",
		"run a.mlir -args x.json":              "irc run --args=x.json -- a.mlir",
		"-args=x.json -v run a.mlir":           "irc run --args=x.json --v=true -- a.mlir",
		"a.bug -D N=3 -DM=4 logdensity":        "irc opt --D=N=3 --D=M=4 -- a.bug logdensity", // a file comes first: the rest are files
		"logdensity a.bug -D N=3 -DM=4":        "irc logdensity --D=N=3 --D=M=4 -- a.bug",
		"- -o -":                               "irc opt --o=- -- -",
		"-- -strange run":                      "irc opt -- -strange run",
		"-mlir-print-ir-after-all -p=cse a.ir": "irc opt --print-after-all=true --passes=cse -- a.ir",
		"-verify-each=false a.mlir":            "irc opt --verify-each=false -- a.mlir",
		"run -h":                               "irc help -- run",
		"--help":                               "irc help --",
		"-passes=a=b,c{d=e} x.mlir":            "irc opt --passes=a=b,c{d=e} -- x.mlir",
	} {
		p, err := permute(strings.Fields(line), testProgram())
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := strings.Join(p.argv(), " "); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

// Every row of the tables is complete, and no two flags of one command share a name.
func TestTables(t *testing.T) {
	seen := map[string]bool{}
	letters := map[string]bool{}
	for _, c := range testProgram().commands {
		if c.Usage == "" || c.Run == nil && !c.absent {
			t.Errorf("command %s is not complete", c.Name)
		}
		letters[c.Letter] = true
	}
	for _, f := range testProgram().flags {
		for _, n := range append([]string{f.name}, f.aliases...) {
			for _, l := range f.for_ {
				if seen[string(l)+n] {
					t.Errorf("two flags of one command are called %s", n)
				}
				seen[string(l)+n] = true
			}
		}
		if f.doc == "" || f.kind != boolean && f.arg == "" || (f.kind == choice) != (len(f.choices) > 0) {
			t.Errorf("flag %s is not complete", f.name)
		}
		if f.def != "" && f.check(f.def) != nil {
			t.Errorf("flag %s: its default is refused", f.name)
		}
		for _, l := range f.for_ {
			if !letters[string(l)] {
				t.Errorf("flag %s: no command has the letter %c", f.name, l)
			}
		}
	}
}

// A flag is that of the command, where another command has one of its name, wherever the command stands.
func TestFlagsOfOneName(t *testing.T) {
	for line, want := range map[string]string{
		"dialects -check":           "irc dialects --check=true --",
		"-check dialects arith":     "irc dialects --check=true -- arith",
		"reduce -check true a.mlir": "irc reduce --check=true -- a.mlir",
		"-check=false reduce f":     "irc reduce --check=false -- f",
	} {
		p, err := permute(strings.Fields(line), testProgram())
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := strings.Join(p.argv(), " "); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

func TestSizes(t *testing.T) {
	for s, want := range map[string]int64{"0": 0, "12": 12, "1K": 1024, "2m": 2 << 20, "3G": 3 << 30} {
		if got, err := BytesOf(s); err != nil || got != want {
			t.Errorf("%s: %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "K", "-1", "1T", "x", "99999999999G"} {
		if _, err := BytesOf(s); err == nil {
			t.Errorf("%q is taken for a size", s)
		}
	}
}

func TestExpectations(t *testing.T) {
	src := diag.NewSource("t.mlir", `one // expected-error {{bad one}}
// expected-warning @below {{careful}}
// expected-error-re @+1 {{x{{[0-9]+}} y}}
two
three
// expected-note @above {{see}} expected-error @-1 {{wrong}}
// expected-error @unknown {{nowhere}}
`)
	at := func(line int) diag.Span {
		off := 0
		for range line - 1 {
			off += strings.IndexByte(src.Text[off:], '\n') + 1
		}
		return src.At(off)
	}
	good := diag.List{diag.Errorf(at(1), "a bad one"), diag.Warningf(at(4), "careful now"), diag.Errorf(at(4), "x12 y"),
		diag.Errorf(at(5), "wrong").WithNote(at(5), "see here"), diag.Errorf(diag.Span{}, "nowhere")}
	if bad := expect.Read(src).Compare(good); len(bad) > 0 {
		t.Errorf("all is as expected, but: %v", bad)
	}
	for i := range good {
		rest := slices.Delete(slices.Clone(good), i, i+1)
		if bad := expect.Read(src).Compare(rest); bad.Err() == nil {
			t.Errorf("diagnostic %d may be missing", i)
		}
		if bad := expect.Read(src).Compare(append(slices.Clone(good), good[i])); bad.Err() == nil {
			t.Errorf("diagnostic %d may come twice", i)
		}
	}
	for _, s := range []string{"// expected-error {{never closed", "// expected-error", "// expected-error-re {{ {{(}} }}"} {
		if bad := expect.Read(diag.NewSource("t", s)).Compare(nil); bad.Err() == nil {
			t.Errorf("%q is accepted", s)
		}
	}
}

func sum(t *testing.T) *ir.Graph {
	t.Helper()
	data, err := os.ReadFile("../../../../tests/script/testdata/sum.mlir")
	if err != nil {
		t.Fatal(err)
	}
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("sum.mlir", string(data)), text.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	return g
}

// The page is XML, and no box or row lies outside of it; the other drawing has
// as many opening as closing braces.
func TestDrawings(t *testing.T) {
	svg := draw.SVG(sum(t), `a "title" & <more>`, nil)
	d := xml.NewDecoder(strings.NewReader(svg))
	rows := 0
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := tok.(xml.StartElement); ok && e.Name.Local == "text" {
			rows++
		}
	}
	if rows < 20 {
		t.Errorf("only %d rows", rows)
	}
	dot := draw.DOT(sum(t), nil)
	if strings.Count(dot, "{") != strings.Count(dot, "}") || !strings.Contains(dot, `label="loop"`) {
		t.Errorf("got\n%s", dot)
	}
}

// What is generated is up to date: `make docs` writes it again.
func TestDocsAreFresh(t *testing.T) {
	check := func(path, want string) {
		t.Helper()
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("%s is stale: run `make docs` (%v)", path, err)
		}
	}
	p := Everything()
	for path, table := range map[string]func(string, []*ir.Dialect) (string, error){"../../../../docs/semantics.md": catalog.Semantics,
		"../../../../docs/derivatives.md": catalog.Derivatives} {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := table(string(page), p.Dialects)
		if err != nil {
			t.Fatal(err)
		}
		check(path, text)
	}
	check("../../../../docs/passes.md", catalog.Page(p.Passes, p.waysDown()))
	for _, d := range dialects.All {
		for _, name := range folders(d) {
			folder := filepath.Join("../../../../dialects", name)
			if _, err := os.Stat(folder); err == nil {
				check(filepath.Join(folder, "README.md"), catalog.Readme(d, p.compiles()))
				break
			}
		}
	}
}

// fakeModels stands for the BUGS front end: it shows what the command makes of
// requests and answers.
type fakeModels struct {
	request ModelRequest
	density DensityRequest
}

type fakeModel struct{ m *fakeModels }

func (f *fakeModels) Compile(_ *ir.Context, r ModelRequest) (Model, error) {
	f.request = r
	if strings.Contains(r.Source.Text, "wrong") {
		return nil, diag.Errorf(r.Source.At(0), "no model")
	}
	return fakeModel{f}, nil
}

func (fakeModel) Library(bool) (*ir.Graph, error) { return nil, nil }

func (fakeModel) Extend(*ir.Graph, string) (more, header string, err error) { return "", "", nil }

func (fakeModel) Sample(context.Context, SampleRequest) error { return nil }

func (fakeModel) Graph() *ir.Graph { return ir.NewBuilder(ir.NewContext(dialects.All...)).Finish() }

func (fakeModel) Facts() ModelFacts { return ModelFacts{Name: "m", Parameters: 2, Observed: 3} }

func (m fakeModel) Source() (*ir.Graph, error) { return m.Graph(), nil }

func (fakeModel) Context(ctx context.Context) context.Context { return ctx }

func (fakeModel) StatementGraph(*ir.Graph) (string, error) { return "", nil }

func (fakeModel) Stages() string { return "" }

func (fakeModel) Drawing() *plate.Model { return &plate.Model{Title: "m"} }

func (fakeModel) Warnings() diag.List {
	return diag.List{diag.Warningf(diag.Span{}, "it is not real")}
}

func (m fakeModel) LogDensity(_ context.Context, r DensityRequest, yield func(Density) error) error {
	m.m.density = r
	if r.Engine.Name == "llvm" {
		return errors.New("no engine")
	}
	points := []float64{0}
	if r.Points != nil {
		points = nil
		text, err := io.ReadAll(r.Points)
		if err != nil {
			return err
		}
		for _, f := range strings.Fields(string(text)) {
			x, err := strconv.ParseFloat(f, 64)
			if err != nil {
				return diag.Errorf(diag.NewSource(r.PointsName, string(text)).At(0), "%q is no number", f)
			}
			points = append(points, x)
		}
	}
	for _, x := range points {
		d := Density{LogP: 0 - x, Observed: math.Inf(-1), Engine: "eval", Nodes: []NodeDensity{{"Y", -1}, {"alpha", math.NaN()}}}
		if len(r.Values) > 0 {
			d.Values = map[string]jsontext.Array{r.Values[0]: {Dims: []int{2}, Values: []float64{1, math.Inf(1)}}}
		}
		if err := yield(d); err != nil {
			return err
		}
	}
	return nil
}

func (fakeModel) Simulate(_ context.Context, _ SimulationRequest, yield func([]string, map[string]any) error) error {
	return yield([]string{"b", "a"}, map[string]any{"a": 1.5, "b": []float64{1, math.NaN()}})
}

func TestModels(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	model, wrong, data := write("m.bug", "model {}"), write("w.bug", "wrong"), write("d.json", "{}")
	points, bad := write("p.csv", "1 inf"), write("bad.csv", "x")
	models := &fakeModels{}
	irc := func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		p := Everything()
		p.Inputs = []*Input{TextIR, {Name: "bugs", What: "a model", Extensions: []string{".bug"}, Model: models, Dialects: []string{"bugs", "jags"}}}
		code := p.Main(args, strings.NewReader(""), &out, &errs)
		return code, out.String(), errs.String()
	}
	for _, c := range []struct {
		args      []string
		code      int
		out, errs string
	}{
		{[]string{"logdensity", model}, 0, "logp          0\nlogp_observed -Infinity\n  Y     -1\n  alpha NaN\n", ""},
		{[]string{"logdensity", model, "-json", "-data", data, "-D", "N=3,4"}, 0,
			`{"model":"m","logp":0,"logp_observed":"-Infinity","parameters":2,"generated":0,"observed":3,"engine":"eval","nodes":{"Y":-1,"alpha":"NaN"},"filled":[]}` + "\n", ""},
		{[]string{"logdensity", model, "-points", points}, 0, "-1\n-Infinity\n", ""},
		{[]string{"logdensity", model, "-points", points, "-values=s,t"}, 0, "# logp s[1] s[2]\n-1 1 Infinity\n-Infinity 1 Infinity\n", "it is not real"},
		{[]string{"logdensity", model, "-points", points, "-json", "-values=s"}, 0, `"values":{"s":[1,"Infinity"]}`, ""},
		{[]string{"logdensity", model, "-points", bad}, 1, "", "is no number"},
		{[]string{"logdensity", wrong}, 1, "", "w.bug:1:1: error: no model"},
		{[]string{"logdensity", model, "-engine=llvm"}, 1, "", "no engine"},
		{[]string{"logdensity", model, "-passes=nonsense"}, 2, "", "nonsense"},
		{[]string{"logdensity", wrong, "-passes=nonsense"}, 1, "", "w.bug:1:1: error: no model"}, // this first
		{[]string{"logdensity", model, "-engine=cuda"}, 2, "", "a model has none"},
		{[]string{"logdensity", wrong, "-engine=cuda"}, 1, "", "w.bug:1:1: error: no model"},
		{[]string{"logdensity", model, "-D", "N"}, 2, "", "gives no value"},
		{[]string{"run", model}, 0, `{"b":[1,"NaN"],"a":1.5}` + "\n", ""},
		{[]string{"explain", wrong}, 1, "", "no model"},
	} {
		code, out, errs := irc(c.args...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) {
			t.Errorf("%v: status %d, %s%s", c.args, code, out, errs)
		}
	}
	if _, _, _ = irc("logdensity", model, "-data", data, "-D", "N=3,4", "-strict", "-dialect=jags", "-seed=7"); models.request.Params["N"] != "3,4" ||
		len(models.request.Data) != 1 || !models.request.Strict || models.request.Dialect != "jags" || models.request.Seed != 7 {
		t.Errorf("request %+v", models.request)
	}
	cores := write("t.json", `{"cores": 7}`)
	if _, _, errs := irc("logdensity", model, "-target", cores); models.density.Target == nil || models.density.Target.Cores != min(7, processors()) {
		t.Errorf("target %+v, %s", models.density.Target, errs)
	}
	if irc("logdensity", model, "-target", cores, "-disable-threading"); models.density.Target.Cores != 1 {
		t.Errorf("one thread: %+v", models.density.Target)
	}
	if code := (&Program{Dialects: dialects.All}).Main([]string{"logdensity", model}, nil, io.Discard, io.Discard); code != 2 {
		t.Errorf("without a front end: status %d", code)
	}
}

// Everything is the program with all that this repository has, which TestMain sets.
var Everything func() *Program

// testProgram has a row of each kind that this repository has.
func testProgram() *Program { return Everything().complete() }

// An irc that reads no models has no command for their densities.
func TestNoModelsNoDensities(t *testing.T) {
	p := &Program{Inputs: []*Input{TextIR}}
	for args, want := range map[string]string{
		"-help":           "",
		"logdensity m.ir": "irc: `irc logdensity` is not in this version of irc",
		"help logdensity": "irc: `irc logdensity` is not in this version of irc",
	} {
		var out, errs strings.Builder
		status := p.Main(strings.Fields(args), strings.NewReader(""), &out, &errs)
		if strings.Contains(out.String(), "logdensity") || !strings.HasPrefix(errs.String(), want) || (status == 0) != (want == "") {
			t.Errorf("irc %s: status %d\n%s%s", args, status, out.String(), errs.String())
		}
	}
}
