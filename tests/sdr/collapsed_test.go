package sdr

import (
	"reflect"
	"testing"

	"github.com/irc-lang/irc/tests/built"
)

// A sweep of collapsed Gibbs sampling draws the topics that the sampler draws which is written by
// hand, and ends with its counts: as the equations stand, with tables of running counts, in orders
// of these, and as native code.
func TestCollapsedLDA(t *testing.T) {
	b := CollapsedLDA
	peer := b.compile(t)
	c := built.Context()
	g, in := b.read(t, c)
	d := b.data(t, peer, "manual", b.Small)
	if n := b.data(t, peer, "naive", b.Small); !reflect.DeepEqual(d, n) {
		t.Errorf("the sampler has %v, by counting all words for each weight it has %v", d, n)
	}
	for _, pipeline := range []string{"", "poly-key", tables, tables + ",poly-schedule,poly-contract", tables + ",poly-schedule{alg=pluto fuse=max},poly-contract,poly-codegen"} {
		args := b.arguments(t, c, in, b.Small, d)
		built.Invoke(t, built.Through(t, g, pipeline), in.Name, args)
		if err := b.Compare(c, in, args, d); err != nil {
			t.Errorf("after %q: %v", pipeline, err)
		}
	}
	b.compiled(t, peer, "manual", tables)
}
