package loop_test

import (
	"os"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tests/built"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

func print(g *ir.Graph, generic bool) string {
	return text.String(g, text.PrintOptions{Generic: generic})
}

func sample(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile("testdata/loop.mlir")
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// What is printed reads as the same, in both forms, folded and verbatim, and no op is
// without a sample.
func TestText(t *testing.T) { built.Samples(t, "loop", sample(t)) }

func TestMeaning(t *testing.T) {
	table := `[[{"name": "b", "x": 1.5, "per cent": null}, {"name": "a", "x": 2.5, "per cent": 3}, {"name": "b", "x": 7, "per cent": 3}]]`
	for _, x := range []struct{ entry, args, want string }{
		{"map_filter_reduce", `[5]`, `[30, 3, 30, [20, 10]]`},
		{"map_filter_reduce", `[0]`, `[0, 0, 0, []]`},
		{"flat_map", `[4]`, `[[0, 0, 1, 0, 1, 2, 0, 1, 2, 3]]`},
		{"records", table, `[[1, 2, 0], [7, 1.5], {"n": 3, "s": "b"}, false]`},
		{"keyed", `[[{"a": 1, "b": -0.0}, {"a": 2, "b": "NaN"}, {"a": 1, "b": 0}, {"a": 2, "b": "NaN"}]]`, `[[[{"a": 1, "b": 0}, {"a": 2, "b": "NaN"}]]]`},
		{"parts", `[["", "abc", "d"]]`, `[["", "abc", "d"]]`},
	} {
		for _, verbatim := range []bool{false, true} {
			if got := built.Run(t, built.Parse(t, sample(t), text.Options{Verbatim: verbatim}), x.entry, x.args); got != x.want {
				t.Errorf("@%s of %s, verbatim %v: %s, want %s", x.entry, x.args, verbatim, got, x.want)
			}
		}
	}
}

// What is read inside of an array only where its length is known, in a branch, stays there.
func TestReadInBranch(t *testing.T) {
	const src = `
func.func @f(%n: index, %xs: !loop.array<f64>) -> (!loop.array<f64>, index) {
  %two = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %len = loop.len %xs : !loop.array<f64>
  %other = arith.cmpi ne, %len, %two : index
  %r = scf.if %other -> (!loop.array<f64>) {
    %ys = loop.for %i < %n -> collect(f64) {
      loop.yield %zero : f64
    }
    scf.yield %ys : !loop.array<f64>
  } else {
    %ys = loop.for %i < %len -> collect(f64) {
      %x = loop.at %xs[%i] : !loop.array<f64>
      %c = arith.cmpf ogt, %x, %zero : f64
      %e = scf.if %c -> (!loop.emit<f64>) {
        %o = loop.emit %x : f64
        scf.yield %o : !loop.emit<f64>
      } else {
        %o = loop.none : !loop.emit<f64>
        scf.yield %o : !loop.emit<f64>
      }
      loop.yield %e : !loop.emit<f64>
    }
    scf.yield %ys : !loop.array<f64>
  }
  %m = loop.len %r : !loop.array<f64>
  return %r, %m : !loop.array<f64>, index
}`
	for args, want := range map[string]string{`[1, []]`: `[[0], 1]`, `[0, [-1, 2]]`: `[[2], 1]`, `[0, [1]]`: `[[], 0]`} {
		if got := built.Run(t, built.Parse(t, src, text.Options{}), "f", args); got != want {
			t.Errorf("of %s: %s, want %s", args, got, want)
		}
	}
}
