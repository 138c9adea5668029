package density

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/lower"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
)

// programs are the models of this folder's tests.
func programs(t *testing.T) map[string]*Program {
	out := map[string]*Program{}
	add := func(name string, prog *syntax.Program, data *input.Data) {
		out[name] = compile(t, prog, data)
	}
	for _, name := range four {
		add(name, parse(t, read(t, examples+name+".bug")), parseData(t, read(t, examples+name+"-data.json")))
	}
	for _, c := range mixed {
		data := input.NewData()
		if c.data != "" {
			data = parseData(t, diag.NewSource("d.json", c.data))
		}
		add(c.model, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), data)
	}
	return out
}

// graphs are these models at their own level and lowered.
func graphs(t *testing.T) map[string]*ir.Graph {
	out := map[string]*ir.Graph{}
	for name, p := range programs(t) {
		out[name], out[name+" lowered"] = p.Source, p.Lowered
	}
	for _, c := range transformed {
		p := uncompiled(t, c.name, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), parseData(t, diag.NewSource("d.json", c.data)))
		out[c.name], out[c.name+" lowered"] = p.Source, p.Lowered
	}
	return out
}

// What is printed reads back as the same graph, in both forms.
func TestRoundTrip(t *testing.T) {
	for name, g := range graphs(t) {
		for _, generic := range []bool{false, true} {
			opts := text.PrintOptions{Generic: generic}
			first := text.String(g, opts)
			back, list := text.Parse(g.Ctx, diag.NewSource("t.mlir", first), text.Options{})
			if list.Err() != nil {
				t.Errorf("%s: %v\n%s", name, list, first)
				continue
			}
			if again := text.String(back, opts); again != first {
				t.Errorf("%s: printed\n%s\nand again\n%s", name, first, again)
			}
		}
	}
}

// The model that is read back lowers to the same function.
func TestLoweringOfText(t *testing.T) {
	p := rats(t)
	back, list := text.Parse(p.Source.Ctx, diag.NewSource("t.mlir", text.String(p.Source, text.PrintOptions{})), text.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	lowered := func(g *ir.Graph) string {
		low := ir.Rewrite(g.Ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), lower.Lower(target.Host()), nil)
		return text.String(low, text.PrintOptions{})
	}
	if x, y := lowered(back), lowered(p.Source); x != y {
		t.Errorf("got\n%s\nwant\n%s", x, y)
	}
}

func TestGenericFormForMLIR(t *testing.T) {
	tool, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("the generic form of models: needs mlir-opt-19")
	}
	for name, g := range graphs(t) {
		cmd := exec.Command(tool, "-allow-unregistered-dialect", "-o", filepath.Join(t.TempDir(), "out"))
		cmd.Stdin = strings.NewReader(text.String(g, text.PrintOptions{Generic: true}))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
