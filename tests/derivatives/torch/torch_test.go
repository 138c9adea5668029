package torch

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

var (
	networks  = flag.Int("networks", 0, "how many networks are compared with PyTorch itself")
	firstSeed = flag.Uint64("seed", 1000, "the first seed of these")
)

// A family of networks has a table of the first ones, by their seeds from 0 on. All that are derived as tensors are whole.
type family struct {
	table         string
	of            func(seed uint64) Network
	tabled, whole int
	asLoops       bool
}

var (
	anyOps = family{table: "testdata/gradients.txt", of: Random, tabled: 200, whole: 50, asLoops: true}
	loops  = family{table: "testdata/recurrent.txt", of: Recurrent, tabled: 100, whole: 100}
)

// Losses and gradients of random networks are those of tables that PyTorch made. IRC_UPDATE makes them anew.
func TestTable(t *testing.T) {
	for _, f := range []family{anyOps, loops} {
		if os.Getenv("IRC_UPDATE") != "" {
			python := python(t)
			if err := os.WriteFile(f.table, asked(t, python, f, 0, f.tabled), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(f.table)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		if len(lines) != f.tabled {
			t.Fatalf("the table has %d networks", len(lines))
		}
		if whole := compare(t, f, lines); whole < f.whole {
			t.Errorf("only %d of %d networks were derived as tensors", whole, f.tabled)
		}
	}
}

// The same for other networks, beside PyTorch itself.
func TestLive(t *testing.T) {
	if *networks == 0 {
		t.Skip("-networks says how many networks are compared with PyTorch itself")
	}
	python := python(t)
	for _, f := range []family{anyOps, loops} {
		compare(t, f, strings.Split(strings.TrimSpace(string(asked(t, python, f, *firstSeed, *networks))), "\n"))
	}
	t.Logf("%d networks agree", *networks)
}

// python is one that has PyTorch.
func python(t *testing.T) string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import torch").Run() == nil {
			return name
		}
	}
	t.Skip("no PyTorch here (Debian: python3-torch)")
	return ""
}

// asked is what PyTorch says of so many networks.
func asked(t *testing.T, python string, f family, seed uint64, n int) []byte {
	var in bytes.Buffer
	for i := range uint64(n) {
		line, err := json.Marshal(f.of(seed + i))
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	c := exec.Command(python, "gradients.py")
	var problems bytes.Buffer
	c.Stdin, c.Stderr = &in, &problems
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, problems.String())
	}
	return out
}

// compare compares with lines of the table, and says how many networks have derivatives as tensors.
func compare(t *testing.T, f family, lines []string) int {
	var whole atomic.Int64
	t.Run("each", func(t *testing.T) {
		for worker := range 4 {
			t.Run(fmt.Sprint(worker), func(t *testing.T) {
				t.Parallel()
				for i := worker; i < len(lines) && !t.Failed(); i += 4 {
					if compareOne(t, f, lines[i]) {
						whole.Add(1)
					}
				}
			})
		}
	})
	return int(whole.Load())
}

// The two ways in which a network is differentiated: as tensors, if all its ops have rules, and as loops.
const (
	asTensors = "differentiate{of=f}"
	asLoops   = "lower{to=affine},lower-affine,lower{to=scf},differentiate{of=f}"
)

// compareOne compares with a line, and reports that the network has derivatives as tensors.
func compareOne(t *testing.T, f family, line string) bool {
	var numbers []float64
	first, rest, _ := strings.Cut(line, " ")
	seed, err := strconv.ParseUint(first, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range strings.Fields(rest) {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, x)
	}
	n := f.of(seed)
	if f.asLoops {
		loss, slopes, _ := gradients(t, n, asLoops, Element)
		compareWith(t, n, numbers, loss, slopes)
	}
	loss, slopes, ok := gradients(t, n, asTensors, Element)
	if ok {
		compareWith(t, n, numbers, loss, slopes)
	}
	return ok
}

// compareWith compares the loss and what is said of gradients with what PyTorch says.
func compareWith(t *testing.T, n Network, numbers []float64, loss float64, slopes [][]float64) {
	t.Helper()
	seed := n.Seed
	if len(numbers) != 1+3*len(slopes) {
		t.Fatalf("seed %d: the table has %d numbers, not %d: another network", seed, len(numbers), 1+3*len(slopes))
	}
	if math.Abs(loss-numbers[0]) > 1e-11*(1+math.Abs(numbers[0])) {
		t.Fatalf("seed %d: the loss is %v, by PyTorch %v\n%s\n%s", seed, loss, numbers[0], n.IRC, n.Torch)
	}
	for i, s := range slopes {
		want := numbers[1+3*i:][:3]
		for k, x := range Digest(s) {
			if !(math.Abs(x-want[k]) <= 1e-11*(1+want[2])) {
				t.Fatalf("seed %d: sum %d of the gradient by argument %d is %v, by PyTorch %v\n%s\n%s", seed, k, i, x, want[k], n.IRC, n.Torch)
			}
		}
	}
}

// gradients are a network's loss, and its gradient by each argument, in one way. They are not ok where an op has only a rule as loops.
func gradients(t *testing.T, n Network, way string, element func(seed uint64, i, k int) float64) (loss float64, slopes [][]float64, ok bool) {
	t.Helper()
	g, problems := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("network.mlir", n.IRC), text.Options{})
	if err := problems.Err(); err != nil {
		t.Fatalf("seed %d: %v\n%s", n.Seed, err, n.IRC)
	}
	p, err := pass.Parse(way, lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	d, err := (&pass.Manager{VerifyEach: true, Target: target.Interp()}).Run(context.Background(), g, p)
	if way == asTensors && err != nil && strings.Contains(err.Error(), "has no derivative on tensors") {
		return 0, nil, false
	}
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", n.Seed, err, n.IRC)
	}
	m, err := interp.New(d, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var args, shadows []ir.Val
	for i, shape := range n.Shapes {
		x, data := memory(shape)
		for k := range data {
			data[k] = element(n.Seed, i, k)
		}
		z, adjoints := memory(shape)
		args, shadows, slopes = append(args, x), append(shadows, z), append(slopes, adjoints)
	}
	out, err := m.Call("f_grad", append(append(args, ir.F64Val(1)), shadows...))
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", n.Seed, err, n.IRC)
	}
	return out[0].F64(), slopes, true
}

// memory is memory of a shape, in rows.
func memory(shape []int64) (ir.Val, []float64) {
	strides, n := make([]int64, len(shape)), int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = n
		n *= shape[i]
	}
	buf := interp.Floats(make([]float64, n))
	return (&interp.MemRef{Buf: buf, Sizes: shape, Strides: strides}).Val(), buf.Floats()
}

// An arm that is not taken gives 0 to all that it was computed from, as tensors and as loops: of arguments with infinities and NaN,
// all derivatives that are finite by loops are the same as tensors.
func TestArms(t *testing.T) {
	found := 0
	for seed := range uint64(2 * anyOps.tabled) {
		n := Random(seed)
		r := rand.New(rand.NewPCG(seed, 22))
		odd := map[[2]int]float64{}
		for i, shape := range n.Shapes {
			if size, _ := ir.Product(shape...); size > 0 && r.IntN(2) == 0 {
				odd[[2]int{i, r.IntN(int(size))}] = []float64{math.Inf(1), math.Inf(-1), math.NaN(), -1e3}[r.IntN(4)]
			}
		}
		element := func(seed uint64, i, k int) float64 {
			if x, ok := odd[[2]int{i, k}]; ok {
				return x
			}
			return Element(seed, i, k)
		}
		_, got, ok := gradients(t, n, asTensors, element)
		if !ok {
			continue
		}
		_, want, _ := gradients(t, n, asLoops, element)
		for i := range want {
			for k, x := range want[i] {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					continue
				}
				if found++; !(math.Abs(got[i][k]-x) <= 1e-10*(1+math.Abs(x))) {
					t.Fatalf("seed %d, %v: the derivative by element %d of argument %d is %v as tensors, %v as loops\n%s", seed, odd, k, i, got[i][k], x, n.IRC)
				}
			}
		}
	}
	t.Logf("%d derivatives", found)
	if found < 500 {
		t.Errorf("only %d finite derivatives were compared", found)
	}
}
