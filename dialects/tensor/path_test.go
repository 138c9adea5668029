package tensor_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/tensor"
)

// network is a random einsum: operands of up to three of a few indices.
type network struct {
	Spec   string    `json:"spec"`
	Shapes [][]int64 `json:"shapes"`
}

func randomNetwork(r *rand.Rand) network {
	letters := "abcdefg"[:3+r.IntN(5)]
	extents := map[byte]int64{}
	for i := range letters {
		extents[letters[i]] = int64(1 + r.IntN(9))
	}
	var n network
	var terms []string
	used := ""
	for range 2 + r.IntN(4) {
		term, shape := "", []int64{}
		for _, i := range r.Perm(len(letters))[:1+r.IntN(3)] {
			term, shape = term+letters[i:i+1], append(shape, extents[letters[i]])
		}
		terms, n.Shapes, used = append(terms, term), append(n.Shapes, shape), used+term
	}
	out := ""
	for i := range letters {
		if l := letters[i : i+1]; strings.Contains(used, l) && r.IntN(3) == 0 {
			out += l
		}
	}
	n.Spec = strings.Join(terms, ",") + "->" + out
	return n
}

// numpyPaths asks numpy.einsum_path('optimal') for the costs of specs.
const numpyPaths = `
import json, sys, numpy
for n in json.load(sys.stdin):
    text = numpy.einsum_path(n["spec"], *[numpy.empty(s) for s in n["shapes"]], optimize=("optimal", 1 << 60))[1]
    print([l.split(":")[1] for l in text.splitlines() if "Optimized FLOP" in l][0])
`

// The order of a chain costs what the best one of NumPy costs.
func TestPathCosts(t *testing.T) {
	python, err := exec.LookPath("/usr/bin/python3")
	if err != nil || exec.Command(python, "-c", "import numpy").Run() != nil {
		t.Skip("needs NumPy (python3-numpy)")
	}
	r := rand.New(rand.NewPCG(1, 18))
	list := make([]network, 300)
	for i := range list {
		list[i] = randomNetwork(r)
	}
	in, _ := json.Marshal(list)
	cmd := exec.Command(python, "-c", numpyPaths)
	cmd.Stdin = strings.NewReader(string(in))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(out))
	if len(lines) != len(list) {
		t.Fatal(len(lines), "answers")
	}
	for i, n := range list {
		s, err := tensor.ParseSpec(n.Spec, n.Shapes...)
		if err != nil {
			t.Fatal(n, err)
		}
		var want float64
		if _, err := fmt.Sscan(lines[i], &want); err != nil {
			t.Fatal(err)
		}
		// NumPy counts one more, prints four digits, and looks for no order where nothing is summed.
		if got := s.Path().Cost + 1; math.Abs(got-want) > 1e-3*want && (len(s.Summed()) > 0 || got > want) {
			t.Errorf("%s of %v: a path of cost %v, of NumPy %v", n.Spec, n.Shapes, got, want)
		}
	}
}
