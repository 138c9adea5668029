package mlir_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/irtest"
)

// Random programs of vectors, in the syntax of their ops, give what they give when MLIR lowers and
// compiles them. `go test ./tests/mlir -run Vectors -programs=3000` runs 2,000 of them.
func TestVectorsSameAsMLIR(t *testing.T) {
	c := child(t)
	compared := 0
	total := *programs * 2 / 3
	for done := 0; done < total && !t.Failed(); done += perModule {
		var batch []*irtest.Program
		var all strings.Builder
		for i := range min(perModule, total-done) {
			seed := *firstSeed + uint64(done+i)
			p := irtest.Vectors(seed, irtest.VectorConfig{Name: fmt.Sprintf("s%d_", seed), MLIR: true, Ops: []int{6, 15, 25}[seed%3]})
			batch = append(batch, p)
			all.WriteString(strings.TrimSuffix(strings.TrimPrefix(p.Text, "module {\n"), "}\n"))
		}
		m := native(t, c, compileAlong(t, vectorsToLLVM, []string{all.String()}, nil))
		for _, p := range batch {
			// Floats are small integers, which differ by more, but for the sign of zero: of that of an empty sum
			// MLIR has more than one opinion.
			n, err := compareWithMLIR(t, c, m, p, 1)
			if err != nil {
				t.Errorf("seed %d: %v\n%s", p.Seed, err, p.Text)
			}
			compared += n
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d programs; %d values compared", total, compared)
	if compared < 100*total {
		t.Errorf("%d values of %d programs compared: the test tests little", compared, total)
	}
}
