package tensor_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tests/built"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
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
	src, err := os.ReadFile("testdata/tensor.mlir")
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// What is printed reads as the same, in both forms, folded and verbatim, and no op is
// without a sample.
func TestText(t *testing.T) { built.Samples(t, "ten", sample(t)) }

// outcomes are what functions of the samples give, or how they end.
var outcomes = []struct{ entry, args, want string }{
	{"kept", `[[[1, 2], [3, 4]]]`, `[[[10, 11], [12, 13]], 9]`},
	{"in_place", `[[[1, 2], [3, 4]]]`, `[[[7, 15], [10, 22]]]`},
	{"handed", `[[1, 2], 0]`, `[[1, 2]]`},
	{"handed", `[[1, 2], 3]`, `[[7, 4]]`},
	{"delayed", `[[1, 1], 0]`, `[1]`},
	{"delayed", `[[1, 1], 3]`, `[4]`},
	{"last", `[[1, 2, 3], [1, 0, -2], [4, 5, 6]]`, `[[5, 6, 3]]`},
	{"product", `[[[1, 2, 3], [4, 5, 6]], [[1, 0], [0, 1], [1, 1]]]`, `[[[4, 5], [10, 11]]]`},
	{"product", `[[], [[1, 0], [0, 1], [1, 1]]]`, `[[]]`},
	{"batches", `[[[[1, 2, 3], [4, 5, 6]], [[1, 0, 0], [0, 0, 2]]], [[[1, 0], [0, 1], [1, 1]]]]`, `[[[[4, 5], [10, 11]], [[1, 0], [2, 2]]]]`},
	{"indices", `[[[1, 2], [3, 4]], [1, -2, 3]]`, `[[1, 4], 5, [[1, -2, 3], [-2, 4, -6], [3, -6, 9]], 196]`},
	{"bytes", `[[[127, -128, 1], [1, 1, 1]], [[127, 1], [-128, 2], [0, 3]]]`, `[[[32513, -126], [-1, 6]]]`},
	{"bytes", `[[[], []], []]`, `[[[0, 0], [0, 0]]]`},
	{"bytes", `[[[1, 2], [3, 4]], [[1, 2]]]`, "trap"},
	{"bytes", `[[[1], [3]], [[1, 2], [3, 4]]]`, "trap"},
	{"turned", `[[[[1, 2, 3], [4, 5, 6]]]]`, `[[[[1, 4]], [[2, 5]], [[3, 6]]]]`},
	{"halves", `[[[60000, 5000, 1, -50000], [1, 2, 3, 4]], [1, 2, 3, 4]]`, `[[15016, 10], 30]`},
	{"maps", `[[[1, 2, 3], [4, 5, 6]], [[1], [2]], 2]`, `[[[1, 4, 7], [8, 11, 14]], [7, 14], [8, 44, 98], [[1, 4, 7], [8, 11, 14]]]`},
	{"maps", `[[[], []], [[1], [2]], 2]`, `[[[], []], ["-Infinity", "-Infinity"], [], [[], []]]`},
	{"maps", `[[["NaN"], [1]], [[1], [2]], 2]`, `[[["NaN"], [-1]], ["NaN", -1], ["NaN"], [["NaN"], [-1]]]`},
	{"maps", `[[["NaN", "Infinity"], ["Infinity", "NaN"]], [[1], [2]], 2]`, `[[["NaN", "Infinity"], ["Infinity", "NaN"]], ["NaN", "NaN"], ["NaN", "NaN"], [["NaN", "Infinity"], ["Infinity", "NaN"]]]`},
	{"moved", `[[[1, 2, 3], [4, 5, 6]], 3]`, `[[[1, 4], [2, 5], [3, 6]], [[1, 4], [2, 5], [3, 6]], [1, 2, 3, 4, 5, 6], [[1, 3, 5], [4, 6, 8]], 5, 3]`},
	{"moved", `[[[1, 2, 3], [4, 5, 6]], 4]`, "trap"},
	{"made", `[2.5, 3]`, `[[[2.5, 2.5, 2.5], [2.5, 2.5, 2.5]], [0, 1, 2], [[1, 2, 3], [4, 5, 6.5]]]`},
	{"made", `[2.5, 0]`, `[[[], []], [], [[1, 2, 3], [4, 5, 6.5]]]`},
	{"made", `[1, -1]`, "trap"},
	{"memory", `[[[1, 2], [3, 4]]]`, `[[[7, 10], [15, 22]]]`},
	{"written", `[[[1, 2, 3], [4, 5, 6]], [[1, 0], [0, 1], [1, 1]], [[9, 9], [9, 9]], [[8, 8, 8], [8, 8, 8]]]`, `[]`},
	{"written", `[[[1, 2, 3], [4, 5, 6]], [[1, 0], [0, 1], [1, 1]], [[9, 9], [9, 9]], [[8], [8]]]`, "trap"},
	{"rows", `[[[0, 0], [0, 0]], [1, 1]]`, `[[[0.5, 0.5], [0.5, 0.5]], [0.6931471805599453, 0.6931471805599453], [0, 0], [["NaN", "NaN"], ["NaN", "NaN"]]]`},
	{"rows", `[[[1000], [-1000]], [1]]`, `[[[1], [1]], [1000, -1000], [0, 0], [["NaN"], ["NaN"]]]`},
	{"rows", `[[["Infinity", 1], ["-Infinity", "-Infinity"]], [1, 1]]`, `[[["NaN", "NaN"], ["NaN", "NaN"]], ["Infinity", "-Infinity"], [0, 0], [["NaN", "NaN"], ["NaN", "NaN"]]]`},
	{"rows", `[[[0, 0, 0, 0], [0, "NaN", 3, "NaN"]], [1, 1, 1, 2]]`, `[[[0.25, 0.25, 0.25, 0.25], ["NaN", "NaN", "NaN", "NaN"]], [1.3862943611198906, "NaN"], [0, 1], [["NaN", "NaN", "NaN", "NaN"], ["NaN", "NaN", "NaN", "NaN"]]]`},
	{"rows", `[[["NaN", "Infinity"], ["Infinity", "NaN"]], [1, 1]]`, `[[["NaN", "NaN"], ["NaN", "NaN"]], ["NaN", "NaN"], [0, 1], [["NaN", "NaN"], ["NaN", "NaN"]]]`},
	{"rows", `[[[], []], []]`, "trap"},
	{"rows", `[[[1, 2], [3, 4]], [1]]`, "trap"},
	{"sliced", `[[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], 1, 2]`, `[[[5, 7], [9, 11]], [[7, 7, 7, 7, 7, 7], [5, 7, 7, 5, 7, 7], [9, 11, 7, 9, 11, 7]], [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]]`},
	{"sliced", `[[[1, 2, 3, 4]], 1, 0]`, `[[], [[7, 7, 7, 7, 7, 7]], [[1, 2, 3, 4]]]`},
	{"sliced", `[[[1, 2, 3, 4]], 1, 1]`, "trap"},
	{"sliced", `[[[1, 2, 3, 4]], -1, 1]`, "trap"},
	{"sliced", `[[[1, 2, 3, 4]], 0, -1]`, "trap"},
	// By NumPy, of sums over slices of the padded image.
	{"conv", `[[[[[0, 0, 2], [3, -3, -2], [2, 3, -2], [-1, 3, -1]], [[-2, 2, -2], [-1, 1, 0], [-3, -3, 3], [2, 2, 0]], [[2, -1, 0], [2, -3, -1], [-3, 0, 3], [-3, -1, -1]], [[3, -2, 0], [-2, -3, 2], [-3, -2, 0], [0, -3, 3]]], [[[2, 3, -3], [2, -1, 0], [3, -2, 2], [-2, -1, 3]], [[-1, 0, -1], [-3, -1, 1], [0, 2, -1], [1, 2, 3]], [[-1, -3, 2], [0, 3, 0], [-1, -3, 0], [1, 2, 2]], [[-2, 1, 2], [-2, -1, 2], [1, 0, 1], [0, 3, 2]]]], [[[[-2, -2], [0, 2]], [[-2, 1], [1, 1]], [[2, -2], [0, 2]], [[-1, -2], [0, -2]]], [[[-1, 2], [1, 2]], [[2, 2], [-1, 0]], [[1, -1], [2, -2]], [[2, 1], [-1, 1]]]], [[[-1, 2, 3, -2, 0], [-2, 1, 1, 2, 2]]], [[[3, 3, 3]], [[-2, -3, 0]], [[-1, 3, 2]], [[-1, 1, 1]]]]`,
		`[[[[[2, 4, -2], [25, 5, 3]], [[3, 2, 4], [-5, -7, 6]]], [[[-3, -7, -1], [-7, 11, -5]], [[16, -12, 0], [-18, -1, 8]]]], [[[0, 0], [-6, 2], [7, 5], [3, 1]]]]`},
	{"conv", `[[[[], [], [], []]], [[[[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 1]]], [[[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 1]]]], [[[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]], [[[1, 1, 1]], [[1, 1, 1]], [[1, 1, 1]], [[1, 1, 1]]]]`, "trap"},
	{"pools", `[[[[1, 5, 2, 4]], [[-1, -2, -3, -4]]], [[[[1, 2, 3], [4, 5, 6]]]]]`, `[[[[5, 5]], [[-1, -2]]], [[[3, 9]], [[-4, -6]]], [[[[1.5, 2.5], [3, 4]]]], [[[[0.75, 1.25], [3, 4]]]], [[[[1, 2, 3], [4, 5, 6]]]]]`},
	{"pools", `[[[[1, 2, 3, 4]]], [[[]]]]`, "trap"},
	{"extended", `[[[1, 2, 3], [4, 5, 6]]]`, `[[[1, 1, 1, 2, 3, 3], [1, 1, 1, 2, 3, 3], [4, 4, 4, 5, 6, 6]], [[6, 5, 4, 5, 6, 5], [3, 2, 1, 2, 3, 2], [6, 5, 4, 5, 6, 5], [3, 2, 1, 2, 3, 2]], [[3, 1, 2, 3, 1, 2, 3], [6, 4, 5, 6, 4, 5, 6], [3, 1, 2, 3, 1, 2, 3], [6, 4, 5, 6, 4, 5, 6]]]`},
	{"extended", `[[[1, 2, 3]]]`, "trap"},
	{"places", `[[[1, 2], [3, 4], [5, 6]], [-1, 0, 2], [[0], [-1], [1]]]`, `[[[5, 6], [1, 2], [5, 6]], [[2, 4], [3, 4], [15, 18]], [[1], [4], [6]], [[1, 4], [6, 4], [4, 18]]]`},
	{"places", `[[[1, 2], [3, 4], [5, 6]], [3], [[0], [-1], [1]]]`, "trap"},
	{"places", `[[[1, 2], [3, 4], [5, 6]], [], [[0], [-3], [1]]]`, "trap"},
	{"activations", `[[-1, 1, 2, "NaN"], [0, 1, -100]]`, `[[0, 0, 2, 0], [-0.1586914, 0.8413086, 1.9541016, "NaN"], [0, 0.8411919906082768, -0.0]]`},
	{"power", `[[[1, 1], [1, 0]], 5]`, `[[[13, 8], [8, 5]]]`},
	{"power", `[[[1, 1], [1, 0]], 0]`, `[[[1, 1], [1, 0]]]`},
}

// agrees compares what a call gave, or that it trapped.
func agrees(t *testing.T, how, entry, args, got string, err error, want string) {
	t.Helper()
	var trap *ir.Trap
	if err != nil {
		if got = err.Error(); errors.As(err, &trap) || strings.Contains(got, "trap") {
			got = "trap"
		}
	}
	if got != want {
		t.Errorf("@%s of %s, %s: %s, want %s", entry, args, how, got, want)
	}
}

// The interpreter gives what the samples mean, as written and as built.
func TestMeaning(t *testing.T) {
	for _, verbatim := range []bool{false, true} {
		g := built.Parse(t, sample(t), text.Options{Verbatim: verbatim})
		for _, x := range outcomes {
			got, err := built.Interpret(g, x.entry, x.args, interp.Options{})
			agrees(t, fmt.Sprintf("verbatim %v", verbatim), x.entry, x.args, got, err, x.want)
		}
	}
}

// So do programs that are lowered, which leave nothing on the heap.
func TestLowered(t *testing.T) {
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		t.Run(kind.Name, func(t *testing.T) {
			e := built.Start(t, kind)
			defer e.Close()
			g := built.Parse(t, sample(t), text.Options{})
			p, err := built.Prepare(t.Context(), e, g)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range outcomes {
				got, n, err := built.Call(t.Context(), p, g, x.entry, x.args)
				agrees(t, "lowered", x.entry, x.args, got, err, x.want)
				if left := n.Live - n.Results; err == nil && left > 0 {
					t.Errorf("@%s leaves %d blocks", x.entry, left)
				}
			}
		})
	}
}
