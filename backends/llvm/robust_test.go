package llvm

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// Whatever the other packages' examples hold is compiled to valid LLVM IR, or
// refused with an error that names an op.
func TestExamples(t *testing.T) {
	compiled, refused := 0, 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.IsDir() && d.Name() == "bin": // what is fetched, MLIR's own tests of errors among it
			return filepath.SkipDir
		case err != nil || d.IsDir() || filepath.Ext(path) != ".mlir":
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for part := range strings.SplitSeq(string(src), "// -----") {
			g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource(path, part), text.Options{AllowUnregistered: true})
			if list.Err() != nil {
				continue // a test of errors
			}
			emit := func(g *ir.Graph) (ok bool) {
				ok, err := emitAll(t, g)
				if err != nil {
					t.Errorf("%s: %v", path, err)
				}
				if ok {
					compiled++
				} else {
					refused++
				}
				return ok
			}
			if emit(g) {
				continue
			}
			for _, g := range single(g) {
				emit(g)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d compiled, %d refused", compiled, refused)
	if compiled == 0 {
		t.Error("nothing was compiled")
	}
}

// single makes a module of each function, and one of all the other ops that a
// function may refer to, so that one which is refused does not hide the others.
func single(file *ir.Graph) (out []*ir.Graph) {
	g := builtin.Functions(file)
	for _, v := range ir.NewSchedule(g, ir.ScheduleOptions{}).Body(ir.Root) {
		if g.Def(v).Name != "func.func" {
			continue
		}
		b := ir.NewBuilder(g.Ctx)
		for _, w := range ir.NewSchedule(g, ir.ScheduleOptions{}).Body(ir.Root) {
			if w == v || g.Def(w).Name == "memref.global" {
				b.Must(ir.Call{Def: g.Def(w), Attr: g.AttrsOf(w), Graphs: g.Children(w), Type: g.Type(w)})
			}
		}
		out = append(out, b.Finish())
	}
	return out
}

// emitAll emits a graph in every mode; ok is false if it is refused.
func emitAll(t *testing.T, g *ir.Graph) (ok bool, err error) {
	for _, o := range modes {
		ll, err := Text(g, o)
		if _, is := err.(*ir.OpError); is {
			if os.Getenv("IRC_SHOW_REFUSED") != "" {
				t.Log(err)
			}
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if !o.Unchecked {
			verify(t, ll)
		}
	}
	return true, nil
}
