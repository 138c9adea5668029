package polyhedral_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// stored is where the local arrays of a program are kept, by name.
func stored(t *testing.T, g *ir.Graph) string {
	t.Helper()
	var out []string
	err := pass.Isolated(g, func(_ ir.Node, body *ir.Graph) error {
		for _, sys := range poly.Systems(body) {
			for _, a := range sys.Arrays {
				if a.Role != poly.LocalRole {
					continue
				}
				out = append(out, a.Name+" whole")
				if a.IsStored {
					f, err := a.Storage.AsPwMultiAff()
					if err != nil {
						return err
					}
					out[len(out)-1] = strings.Trim(f.String(), "{ }")
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "; ")
}

// The order of dmm_gs lets each array live in one round of the loops over documents and topics: of
// M, whose elements are those of all documents, topics and words, one is there at a time.
func TestStorage(t *testing.T) {
	for _, c := range []struct{ name, passes, want string }{
		{"dmm_gs", "poly-schedule,poly-contract", "CL[i0, i1] -> []; CR[i0, i1] -> []; TL[i0, i1] -> []; TR[i0, i1] -> []; M[i0, i1, i2] -> []; ll[i0, i1] -> []; mx[i0] -> []; P[i0, i1] -> []; Q[i0, i1] -> [(i1)]"},
		{"dmm_gs", "poly-schedule{fuse=min},poly-contract", "CL whole; CR whole; TL whole; TR whole; M whole; ll whole; mx whole; P[i0, i1] -> [(i1)]; Q whole"},
		{"dmm_gs", "poly-schedule,poly-contract{budget=100}", "CL whole; CR whole; TL whole; TR whole; M whole; ll whole; mx whole; P whole; Q whole"},
		{"prefix", "poly-schedule,poly-contract", "A whole"},
		{"gmm", "poly-schedule{alg=pluto fuse=max},poly-contract", "CL[i0, i1] -> []; CR[i0, i1] -> []; TL[i0, i1] -> []; TR[i0, i1] -> []; SL[i0, i1] -> []; SR[i0, i1] -> []; Q[i0, i1] -> [(i1)]"},
	} {
		if got := stored(t, built.Through(t, example(t, c.name), c.passes)); got != c.want {
			t.Errorf("%s, %s: got %s, want %s", c.name, c.passes, got, c.want)
		}
	}
}

// The messages of lbp8 are found to need two rounds by the times of rounds, as those of instances take too
// much work; so is that proved where it is given.
func TestStorageGiven(t *testing.T) {
	g := built.Through(t, example(t, "lbp8"), "simplify-reductions,poly-schedule,poly-contract")
	got := stored(t, g)
	if m, _, _ := strings.Cut(got, ";"); m != "m[i0, i1, i2, i3, i4] -> [(-i0 + 2*floor((i0 + 1)/2)), (i1), (i2), (i3), (i4)]" {
		t.Errorf("got %s", m)
	}
	if again := stored(t, built.Through(t, g, "poly-contract")); again != got {
		t.Errorf("got %s, want %s", again, got)
	}
}
